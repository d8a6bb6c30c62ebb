/* The experiments with two arms a round count every answer 3.5 times. Does regret still grow like ln T? */
#include "paper/claims/judge.h"

static const char *const settings[] = {"eta/linear-arith", "eta/logit-arith", "eta/natural-arith"};
static const char *const titles[] = {"linear / arith", "logit / arith", "natural / arith"};
static const char *const envs[] = {"utility(set=arith,link=linear)", "utility(set=arith,link=logit)",
                                   "utility(set=arith,link=natural)"};
enum { SETTINGS = 3, DECADE = 100000, ROUNDS = 1000000 };

/* Not with --quick: a few runs in a hundred go wrong, and a small number of runs does not show them. */
static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_policy policies[] = {{"IndSelfSparring", "ind_self_sparring(eta=3.5)"}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && !paper->options.quick && i < SETTINGS; i++) {
        spar__paper_setting wanted = {.name = settings[i],
                                      .title = titles[i],
                                      .env = envs[i],
                                      .m = 2,
                                      .rounds = ROUNDS,
                                      .runs = 60,
                                      .policy = policies,
                                      .n_policies = 1,
                                      .nanoseconds = 600};
        status = spar__paper_add(paper, &wanted, err);
    }
    return status;
}

/* Runs that hardly show the best arm even at the end. */
static size_t count_lost(const spar__cell *cell)
{
    size_t lost = 0;
    for (size_t r = 0; r < cell->runs; r++)
        lost += cell->best_share[r] < 0.5;
    return lost;
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SETTINGS; i++) {
        const spar__cell *cell = spar__paper_cell(spar__paper_find(paper, settings[i]), "IndSelfSparring");
        spar__summary regret;
        if (!cell)
            continue;
        if (spar__cell_summary(cell, cell->regret, &regret))
            return spar__fail_memory(err);
        spar__estimate slope = spar__cell_slope(cell, DECADE, ROUNDS);
        size_t lost = count_lost(cell);
        good += lost == 0 && spar__cell_levels(cell, DECADE / 10, DECADE, ROUNDS);
        spar__finding_item(
            &out->numbers, all++,
            "Regret after 1e6 rounds, its median, its slope d regret / d ln t in the last decade, and the "
            "runs that have not found the best arm:");
        spar__buf_printf(&out->numbers, "%s %.0f +- %.0f, %.0f, %.0f +- %.0f, %zu of %zu", titles[i], regret.mean,
                         regret.se, regret.median, slope.mean, slope.se, lost, cell->runs);
    }
    spar__finding_close(out, good, all);
    return SPAR_OK;
}

const spar__claim spar__claim_learning_rate = {
    .name = "learning-rate",
    .title = "Regret grows like ln T at the learning rate of the experiments, too",
    .says = "The experiments with two arms a round set the learning rate to 3.5; the theorems do not cover it.",
    .test = "As for Theorem 2, with eta = 3.5 and without a bound: with 2 standard errors the last decade must be less "
            "than 1.5 times as steep as the decade before, and in the last tenth of the rounds every run must show the "
            "best "
            "arm in at least half of its slots. Holds when both are true for every link, in part for some. Not with "
            "--quick.",
    .plan = plan,
    .judge = judge,
};
