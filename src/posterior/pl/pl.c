/* pl - strengths of the arms in the law of Plackett and Luce, with a normal belief about them.
 *
 * R. D. Luce, Individual Choice Behavior, 1959; R. L. Plackett, Applied Statistics 1975.
 *
 *     theta_i ~ N(0, sd^2),   P(w is chosen from the set A) = exp(theta_w) / sum_{j in A} exp(theta_j)
 *
 * An answered pair of different arms is a choice between two, a winner one choice of all, a ranking one choice after
 * the other from what is left; best and worst are the choice of the best and then, from the rest, of the worst with
 * exp( -theta). A tied pair is half a win of each; arms tied in a ranking are left out of each other's choice. An arm
 * in several slots weighs as often. The posterior is approximated by a normal law at its mode (state.h, fit.c).
 *
 * Cost of a round with r arms that have answers: r^3 / 3 operations while r <= 64 and all answers are pairs, else about
 * m r^2 and, at the rounds of a refit, one pass over all answers and r^3 / 3. Drawing: m r^2 / 2. */
#include "posterior/pl/state.h"

static spar_status init(spar__posterior *base, const spar__values *values, spar_error *err)
{
    return spar__pl_init(base, spar__number(values, "sd"), false) ? spar__fail_memory(err) : SPAR_OK;
}

static const spar_param params[] = {
    {"sd", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "prior standard deviation of a strength"},
    {0},
};

extern const spar__posterior_class spar__posterior_pl;
const spar__posterior_class spar__posterior_pl = {
    .entry = {"pl", "strengths in the Plackett-Luce law of choices, which learn whole rounds",
              "Plackett, Applied Statistics 1975", params},
    .size = sizeof(spar__pl),
    .init = init,
    .fini = spar__pl_fini,
    .resize = spar__pl_resize,
    .forget = spar__pl_forget,
    .reserve = spar__pl_reserve,
    .observe_round = spar__pl_observe_round,
    .settle = spar__pl_settle,
    .draw = spar__pl_draw,
    .best = spar__pl_best,
    .best_distinct = spar__pl_best_distinct,
    .moments = spar__pl_moments,
    .gaps = spar__pl_gaps,
    .archive = spar__pl_archive,
};
