/* missing - all pairs, each of them unseen with probability p. */
#include "env/env.h"

typedef struct missing {
    double p;
} missing;

static const spar_param params[] = {
    {"p", SPAR_PARAM_NUMBER, "0.3", 0, 1, NULL, "probability that a pair is unseen"},
    {0},
};

static spar_status init(void *self, const spar__values *values, const spar_env *env, spar_error *err)
{
    (void)env;
    (void)err;
    ((missing *)self)->p = spar__number(values, "p");
    return SPAR_OK;
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    double p = ((const missing *)self)->p;
    spar__pair_luck coins;
    spar__play_pairs(world, t, round, feedback);
    spar__pair_luck_draw(&coins, world, t, SPAR__LUCK_COINS, round->m);
    for (size_t k = 1; k < round->m; k++)
        for (size_t j = 0; j < k; j++)
            if (spar__pair_luck_at(&coins, spar__pair_index(j, k)) < p)
                spar__feedback_put(feedback, j, k, SPAR_MISSING);
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_missing = {
    .entry = {"missing", "all pairs, each unseen with some probability", NULL, params},
    .size = sizeof(missing),
    .init = init,
    .answer = answer,
};
