/* Convergence: the share of the best arm goes to 1, and the belief about an arm to its probability to beat the best. */
#include "paper/claims/long_run.h"

#include <math.h>

/* The share of the best arm among the plays of a decade; decade 0 ends at the first mark. */
static double best_share(const spar__cell *cell, size_t decade)
{
    double best = spar__long_at(cell, decade, SPAR__LONG_BEST).mean;
    double all = spar__long_at(cell, decade, SPAR__LONG_ALL).mean;
    if (decade) {
        best -= spar__long_at(cell, decade - 1, SPAR__LONG_BEST).mean;
        all -= spar__long_at(cell, decade - 1, SPAR__LONG_ALL).mean;
    }
    return best / all;
}

/* It rises from decade to decade, to nearly 1. */
static bool takes_over(const spar__cell *cell)
{
    for (size_t decade = 1; decade < SPAR__LONG_MARKS; decade++)
        if (!(best_share(cell, decade) > best_share(cell, decade - 1)))
            return false;
    return best_share(cell, SPAR__LONG_MARKS - 1) > 0.98;
}

static void write_item(const spar__paper_setting *setting, const spar__cell *cell, size_t item, spar__buf *out)
{
    spar__finding_item(out, item,
                       "The best arm's share of plays up to 1e3, then to 1e4, 1e5, 1e6 rounds (and the largest error "
                       "of belief after 1e4, 1e5, 1e6):");
    spar__buf_printf(out, "%s %.3f, %.3f, %.4f, %.4f (%.3f, %.3f, %.3f)", setting->title, best_share(cell, 0),
                     best_share(cell, 1), best_share(cell, 2), best_share(cell, 3),
                     spar__long_at(cell, 1, SPAR__LONG_ERROR).mean, spar__long_at(cell, 2, SPAR__LONG_ERROR).mean,
                     spar__long_at(cell, 3, SPAR__LONG_ERROR).mean);
}

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)err;
    size_t good = 0, all = 0;
    double fall = 0, variance = 0; /* of the error, summed over settings */
    for (size_t i = 0; i < SPAR__LONG_RUNS; i++) {
        const spar__paper_setting *setting;
        const spar__cell *cell = spar__long_cell(paper, i, &setting);
        if (!cell)
            continue;
        spar__estimate change = spar__long_change(cell, 1, SPAR__LONG_MARKS - 1, SPAR__LONG_ERROR);
        fall -= change.mean;
        variance += change.se * change.se;
        good += takes_over(cell);
        write_item(setting, cell, all++, &out->numbers);
    }
    if (all == 0)
        return SPAR_OK;
    bool learns = fall > 2 * sqrt(variance) && variance > 0; /* false for NaN: no belief */
    spar__buf_printf(&out->numbers, ". From 1e4 to 1e6 rounds that error falls by %.3f +- %.3f", fall / (double)all,
                     sqrt(variance) / (double)all);
    spar__finding_close(out, good + learns, all + 1);
    return SPAR_OK;
}

const spar__claim spar__claim_theorem_1 = {
    .name = "theorem-1",
    .title = "IndSelfSparring converges to the best arm (Theorem 1)",
    .says = "Under approximate linearity the share of plays of the best arm goes to 1, and the belief about each "
            "arm to its probability to beat the best one.",
    .test = "The share of the best arm must rise from decade to decade of rounds and be above 0.98 in the last (1e5 to "
            "1e6), in every setting; and the largest error of the Beta means, max_i |mean_i - P(b_i beats b_1)|, "
            "averaged over settings, must fall from 1e4 to 1e6 rounds by more than 2 standard errors of the paired "
            "difference. Holds when all of that is true, in part when some is.",
    .plan = spar__long_plan,
    .judge = judge,
};
