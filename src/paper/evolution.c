/* evolution.c - the belief of KernelSelfSparring about its arms as it learns. */
#include "paper/paper.h"
#include "plot/belief.h"
#include "types/arms.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARMS = 30, MARKS = 3 };

/* What the probe writes, for every arm. */
typedef struct arm_beliefs {
    double x[ARMS], mean[ARMS], sd[ARMS], truth[ARMS], won[ARMS], lost[ARMS];
} arm_beliefs;

static const uint64_t marks[MARKS] = {5, 20, 100};

static spar_status measure(const spar_snapshot *snapshot, double *out)
{
    arm_beliefs now;
    const spar_arms *arms = spar_policy_arms(snapshot->policy);
    if (arms->n != ARMS || arms->dim != 1)
        return SPAR_UNSUPPORTED;
    spar_scratch *scratch = NULL;
    spar_status status = spar_scratch_new(&scratch);
    if (!status)
        status = spar_policy_belief(snapshot->policy, scratch, spar_arms_count(spar_policy_arms(snapshot->policy)),
                                    now.mean, now.sd, NULL);
    spar_scratch_free(scratch);
    if (status == SPAR_UNSUPPORTED) { /* swapped in, and without a belief: nothing to draw */
        status = SPAR_OK;
        for (size_t i = 0; i < ARMS; i++)
            now.mean[i] = now.sd[i] = NAN;
    }
    if (status)
        return status;
    size_t best = spar_world_best(snapshot->world, snapshot->t);
    for (size_t i = 0; i < ARMS; i++) {
        now.x[i] = arms->x[i];
        now.truth[i] = spar_world_prefer(snapshot->world, snapshot->t, i, best);
        now.won[i] = snapshot->tally[i].won;
        now.lost[i] = snapshot->tally[i].lost;
    }
    memcpy(out, &now, sizeof now);
    return SPAR_OK;
}

static const spar__cell_probe probe = {"belief", sizeof(arm_beliefs) / sizeof(double), measure};

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    return spar__paper_add(paper,
                           &(spar__paper_setting){.name = "evolution",
                                                  .title = "KernelSelfSparring on a draw of a GP",
                                                  .env = "function(name=gp,points=30,length=0.2)",
                                                  .m = 2,
                                                  .rounds = 100,
                                                  .runs = 1,
                                                  .quick_runs = 1,
                                                  .policy = spar__kernel_policies,
                                                  .n_policies = 1,
                                                  .probe = &probe,
                                                  .mark = marks,
                                                  .n_marks = MARKS},
                           err);
}

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, "evolution");
    if (!setting)
        return SPAR_OK;
    const spar__cell *cell = &setting->cell[0];
    arm_beliefs now[MARKS];
    spar__belief belief[MARKS];
    char label[MARKS][40];
    if (cell->n_marks != MARKS || cell->width != sizeof *now / sizeof(double))
        return spar__fail(err, SPAR_INVALID, "evolution: the cell has another size");
    memcpy(now, cell->probe, sizeof now);
    for (size_t k = 0; k < MARKS; k++) {
        (void)snprintf(label[k], sizeof label[k], "after %" PRIu64 " rounds", marks[k]);
        belief[k] = (spar__belief){.label = label[k],
                                   .n = ARMS,
                                   .x = now[k].x,
                                   .mean = now[k].mean,
                                   .sd = now[k].sd,
                                   .truth = now[k].truth,
                                   .won = now[k].won,
                                   .lost = now[k].lost};
    }
    spar_status status = spar__draw_beliefs(&(spar__beliefs){.dim = 1,
                                                             .feature = {"arm", NULL},
                                                             .value = "probability to win",
                                                             .truth = "true P(arm beats the best)",
                                                             .dashed = true,
                                                             .n = MARKS,
                                                             .belief = belief},
                                            to);
    return status ? spar__fail(err, status, "evolution: %s", spar_status_text(status)) : SPAR_OK;
}

/* At the last mark: where the belief is highest, and how far it is from the truth there. */
static spar_status find(const void *data, const spar__paper *paper, spar__buf *out)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, "evolution");
    arm_beliefs now;
    if (!setting || setting->cell[0].n_marks != MARKS || setting->cell[0].width != sizeof now / sizeof(double))
        return SPAR_OK;
    memcpy(&now, setting->cell[0].probe + (MARKS - 1) * (sizeof now / sizeof(double)), sizeof now);
    size_t high = 0, best = 0;
    for (size_t i = 1; i < ARMS; i++) {
        high = now.mean[i] > now.mean[high] ? i : high;
        best = now.truth[i] > now.truth[best] ? i : best;
    }
    if (isfinite(now.mean[high]))
        spar__buf_printf(out,
                         "We find that after %" PRIu64
                         " rounds of this run the belief is highest at the arm %.2f, where "
                         "the best arm is %.2f; it is %.2f +- %.2f there, and the truth %.2f.",
                         marks[MARKS - 1], now.x[high], now.x[best], now.mean[high], now.sd[high], now.truth[high]);
    return SPAR_OK;
}

const spar__paper_figure spar__figure_evolution = {
    .name = "evolution",
    .title = "A belief as it learns",
    .says = "Utilities drawn from a Gaussian process: the belief of KernelSelfSparring after 5, 20 and 100 rounds "
            "approaches the probability of each arm to beat the best, and finds the best arm with confidence.",
    .plan = plan,
    .draw = draw,
    .find = find,
    .claim = "beats-kernel",
};
