/* Convergence: the best arm takes all plays, and belief goes to what each arm does against it. */
#include "paper/claims/long_play.h"

/* Of the plays between two marks (0, 1: up to the first, ...), those of the best arm. */
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

static bool converges(const spar__cell *cell)
{
    enum { LAST = SPAR__LONG_MARKS - 1 };
    for (size_t mark = 1; mark <= LAST; mark++)
        if (!(best_share(cell, mark) > best_share(cell, mark - 1)))
            return false;
    spar__estimate change = spar__long_change(cell, LAST - 2, LAST, SPAR__LONG_ERROR);
    return best_share(cell, LAST) > 0.98 && change.mean < -2 * change.se && change.se > 0;
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)err;
    size_t good = 0, all = 0;
    for (size_t i = 0; i < SPAR__LONG_PLAYS; i++) {
        const spar__scene *scene;
        const spar__cell *cell = spar__long_cell(paper, i, &scene);
        if (!cell)
            continue;
        all++;
        good += converges(cell);
        spar__buf_printf(&out->numbers,
                         "%s: the best arm had %.3f, %.3f, %.4f and %.4f of the plays up to 1e3, then to 1e4, 1e5 and "
                         "1e6 rounds; the worst belief was off by %.3f, %.3f and %.3f after 1e4, 1e5 and 1e6. ",
                         scene->title, best_share(cell, 0), best_share(cell, 1), best_share(cell, 2),
                         best_share(cell, 3), spar__long_at(cell, 1, SPAR__LONG_ERROR).mean,
                         spar__long_at(cell, 2, SPAR__LONG_ERROR).mean, spar__long_at(cell, 3, SPAR__LONG_ERROR).mean);
    }
    out->verdict = all ? spar__verdict_of(good, all) : SPAR__NOT_JUDGED;
    return SPAR_OK;
}

const spar__claim spar__claim_theorem_1 = {
    .name = "theorem-1",
    .title = "IndSelfSparring converges to the best arm (Theorem 1)",
    .says =
        "Under approximate linearity the share of plays of the best arm goes to 1, and what is believed of each arm "
        "to its chance against the best one.",
    .test = "The share of the best arm must rise from decade to decade of rounds and be above 0.98 in the last (1e5 to "
            "1e6); the largest error of the Beta means, max_i |mean_i - P(b_i beats b_1)|, must fall from 1e4 to 1e6 "
            "rounds "
            "by more than 2 standard errors of the paired difference. Holds when that is so in every scene, in part "
            "in some.",
    .stage = spar__long_stage,
    .judge = judge,
};
