#include "paper/claims/long_run.h"

#include "base/alloc.h"
#include "types/arms.h"

#include <math.h>

const char *const spar__long_runs[SPAR__LONG_RUNS] = {"long/linear-arith", "long/logit-arith", "long/natural-arith",
                                                      "long/linear-arith-4"};

/* The largest distance of the belief from its limit according to the proof. */
static spar_status belief_error(const spar_snapshot *s, double *out)
{
    size_t n = spar_policy_arms(s->policy)->n, best = spar_world_best(s->world, s->t);
    double *mean = spar__alloc(n, sizeof *mean);
    spar_scratch *scratch = NULL;
    spar_status status = mean ? spar_scratch_new(&scratch) : SPAR_NOMEM;
    if (!status)
        status = spar_policy_belief(s->policy, scratch, spar_arms_count(spar_policy_arms(s->policy)), mean, NULL, NULL);
    *out = 0;
    for (size_t i = 0; !status && i < n; i++)
        *out = fmax(*out, fabs(mean[i] - spar_world_prefer(s->world, s->t, i, best)));
    if (status == SPAR_UNSUPPORTED) {
        *out = NAN;
        status = SPAR_OK;
    }
    spar_scratch_free(scratch);
    spar__free(mean);
    return status;
}

static spar_status measure(const spar_snapshot *s, double *out)
{
    size_t n = spar_policy_arms(s->policy)->n;
    uint64_t least = UINT64_MAX, all = 0;
    for (size_t i = 0; i < n; i++) {
        least = s->tally[i].plays < least ? s->tally[i].plays : least;
        all += s->tally[i].plays;
    }
    out[SPAR__LONG_LEAST] = (double)least;
    out[SPAR__LONG_BEST] = (double)s->tally[spar_world_best(s->world, s->t)].plays;
    out[SPAR__LONG_ALL] = (double)all;
    return belief_error(s, &out[SPAR__LONG_ERROR]);
}

static const spar__cell_probe probe = {"least-best-all-error", SPAR__LONG_WIDTH, measure};

spar_status spar__long_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_policy policies[] = {{"IndSelfSparring", "ind_self_sparring"}};
    static const uint64_t marks[SPAR__LONG_MARKS] = {1000, 10000, 100000, 1000000};
    static const char *const titles[SPAR__LONG_RUNS] = {"linear / arith", "logit / arith", "natural / arith",
                                                        "linear / arith with m = 4"};
    static const char *const envs[SPAR__LONG_RUNS] = {"utility(set=arith,link=linear)", "utility(set=arith,link=logit)",
                                                      "utility(set=arith,link=natural)",
                                                      "utility(set=arith,link=linear)"};
    size_t n = paper->options.quick ? SPAR__LONG_DUELS : SPAR__LONG_RUNS;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        spar__paper_setting wanted = {.name = spar__long_runs[i],
                                      .title = titles[i],
                                      .env = envs[i],
                                      .m = i < SPAR__LONG_DUELS ? 2 : 4,
                                      .rounds = 1000000,
                                      .runs = 60,
                                      .quick_runs = 6,
                                      .policy = policies,
                                      .n_policies = 1,
                                      .probe = &probe,
                                      .mark = marks,
                                      .n_marks = SPAR__LONG_MARKS};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

const spar__cell *spar__long_cell(const spar__paper *paper, size_t i, const spar__paper_setting **setting)
{
    *setting = spar__paper_find(paper, spar__long_runs[i]);
    const spar__cell *cell = spar__paper_cell(*setting, "IndSelfSparring");
    return cell && cell->n_marks == SPAR__LONG_MARKS ? cell : NULL;
}

spar__estimate spar__long_at(const spar__cell *cell, size_t mark, size_t number)
{
    return spar__mean_of(cell->probe + mark * cell->width + number, cell->runs, cell->n_marks * cell->width);
}

spar__estimate spar__long_change(const spar__cell *cell, size_t from, size_t to, size_t number)
{
    double mean = 0, squares = 0, n = (double)cell->runs;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < cell->runs; r++) {
            const double *run = cell->probe + r * cell->n_marks * cell->width + number;
            double change = run[to * cell->width] - run[from * cell->width];
            if (pass == 0)
                mean += change / n;
            else
                squares += (change - mean) * (change - mean);
        }
    return (spar__estimate){mean, cell->runs > 1 ? sqrt(squares / (n - 1) / n) : 0};
}
