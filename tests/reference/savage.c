/* savage.c - Urvoy, Clerot, Feraud and Naamane 2013, for a Condorcet winner: compare every pair of what remains. */
#include "reference/parts.h"
#include "reference/steps.h"

#include <stdlib.h>

ref_result ref_savage(const ref_world *world, size_t rounds, uint64_t seed)
{
    size_t k = world->k;
    ref_game game = ref_game_open(world, rounds, seed);
    double *w = ref_zeros(k * k), *weight = ref_zeros(k * k);
    bool *remaining = ref_falses(k), *allowed = ref_falses(k * k);
    for (size_t i = 0; i < k; i++)
        remaining[i] = true;
    while (game.left > 0) {
        ref_step_savage(k, w, (double)rounds, remaining, allowed);
        for (size_t i = 0; i < k * k; i++)
            weight[i] = allowed[i];
        size_t pair = ref_pick(weight, k * k, game.rng), first = pair / k, second = pair % k;
        double answer = ref_game_duel(&game, first, second);
        if (answer != REF_UNSEEN)
            ref_game_count(&game, w, first, second, answer, 1);
    }
    free(allowed);
    free(remaining);
    free(weight);
    free(w);
    return ref_game_close(&game);
}
