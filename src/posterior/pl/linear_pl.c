/* linear_pl - Plackett and Luce's law with strengths that are linear in the features of the arms.
 *
 *     theta_i = x_i . w,   w ~ N(0, sd^2 I),   P(j is chosen from the set A) = exp(theta_j) / sum_{k in A} exp(theta_k)
 *
 * Everything else is as in pl.c. Only differences of strengths matter, so a constant feature says nothing.
 *
 * Cost of a round with d features: about m d^2 and a product of the features with m draws, K m d; at the rounds of a
 * refit a pass over all different answers with d^2 each. */
#include "posterior/pl/state.h"

static spar_status init(spar__posterior *base, const spar__values *values, spar_error *err)
{
    if (base->arms->dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "linear_pl needs arms with features, but these have none");
    return spar__pl_init(base, spar__number(values, "sd"), true) ? spar__fail_memory(err) : SPAR_OK;
}

static const spar_param params[] = {
    {"sd", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "prior standard deviation of the weight of a feature"},
    {0},
};

extern const spar__posterior_class spar__posterior_linear_pl;
const spar__posterior_class spar__posterior_linear_pl = {
    .entry = {"linear_pl", "Plackett-Luce strengths that are linear in the features, which learn whole rounds",
              "Plackett, Applied Statistics 1975", params},
    .size = sizeof(spar__pl),
    .linear = true,
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
