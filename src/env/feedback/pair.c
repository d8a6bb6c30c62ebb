/* pair - one pair of slots, uniformly at random, is compared. */
#include "env/env.h"

spar_outcome spar__play_random_pair(const spar_world *world, uint64_t t, const spar_round *round, size_t *j, size_t *k)
{
    size_t m = round->m;
    size_t index = spar__luck_below(world->luck, t, 0, m * (m - 1) / 2);
    for (*k = 1; index >= *k; ++*k)
        index -= *k;
    *j = index;
    double u = spar__luck_uniform(world->luck, t, SPAR__LUCK_PAIRS, spar__pair_index(*j, *k));
    return spar__duel(world, spar__world_phase(world, t), round->arm[*j], round->arm[*k], u);
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    if (round->m < 2)
        return SPAR_OK;
    size_t j, k;
    spar_outcome a = spar__play_random_pair(world, t, round, &j, &k);
    spar__feedback_put(feedback, j, k, a);
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_pair = {
    .entry = {"pair", "one random pair of slots is compared", NULL, NULL},
    .answer = answer,
};
