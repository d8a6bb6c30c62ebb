/* rucb.c - Zoghi, Whiteson, Munos and de Rijke 2014: an optimistic champion and its most promising challenger. */
#include "reference/parts.h"
#include "reference/steps.h"

#include <stdlib.h>

ref_result ref_rucb(const ref_world *world, size_t rounds, double alpha, uint64_t seed)
{
    size_t k = world->k;
    ref_game game = ref_game_open(world, rounds, seed);
    double *w = ref_zeros(k * k), *prob = ref_zeros(k * k), t = 1;
    int remembered = -1;
    while (game.left > 0) {
        remembered = ref_step_rucb(k, w, t, alpha, remembered, prob);
        size_t pair = ref_pick(prob, k * k, game.rng), first = pair / k, second = pair % k;
        double answer = ref_game_duel(&game, first, second);
        if (answer == REF_UNSEEN)
            continue;
        ref_game_count(&game, w, first, second, answer, 1);
        t++;
    }
    free(prob);
    free(w);
    return ref_game_close(&game);
}

DIRECT_RUN(direct_rucb, ref_rucb(world, rounds, 0.51, seed))
DIRECT_RUN(direct_rucb_wide, ref_rucb(world, rounds, 1, seed))
