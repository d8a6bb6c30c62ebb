/* merge_rucb.c - Zoghi, Whiteson and de Rijke 2015: RUCB's bounds inside small batches that merge as arms leave. */
#include "reference/parts.h"
#include "reference/steps.h"

#include <stdlib.h>

#define GONE SIZE_MAX

/* batch_of[i] for arms in random order: the first size arms make batch 0, and so on; the last may be smaller. */
static size_t deal(ref_game *game, size_t size, size_t *batch_of)
{
    size_t k = game->world->k, *list = calloc(k, sizeof *list);
    if (!list)
        abort();
    for (size_t i = 0; i < k; i++)
        list[i] = i;
    ref_game_shuffle(game, list, k);
    for (size_t i = 0; i < k; i++)
        batch_of[list[i]] = i / size;
    free(list);
    return (k - 1) / size + 1;
}

static size_t count_left(const size_t *batch_of, size_t k)
{
    size_t n = 0;
    for (size_t i = 0; i < k; i++)
        n += batch_of[i] != GONE;
    return n;
}

/* Merges the batches of batch_of; gives how many there are then. */
static size_t merge(ref_game *game, size_t batches, size_t *batch_of)
{
    size_t k = game->world->k, *size = calloc(batches, sizeof *size), *into = calloc(batches, sizeof *into);
    if (!size || !into)
        abort();
    for (size_t i = 0; i < k; i++)
        if (batch_of[i] != GONE)
            size[batch_of[i]]++;
    size_t merged = ref_merge_batches(batches, size, into, game->rng);
    for (size_t i = 0; i < k; i++)
        if (batch_of[i] != GONE)
            batch_of[i] = into[batch_of[i]];
    free(into);
    free(size);
    return merged;
}

ref_result ref_merge_rucb(const ref_world *world, size_t rounds, double alpha, size_t batch, double c, uint64_t seed)
{
    size_t k = world->k, turn = 0;
    ref_game game = ref_game_open(world, rounds, seed);
    double *w = ref_zeros(k * k), *prob = ref_zeros(k * k), t = 1, few = (double)k / 2;
    bool *mine = ref_falses(k);
    size_t *batch_of = calloc(k, sizeof *batch_of);
    if (!batch_of)
        abort();
    size_t batches = deal(&game, batch, batch_of);
    while (game.left > 0) {
        for (size_t i = 0; i < k; i++)
            mine[i] = batch_of[i] == turn;
        ref_step_merge_rucb(k, w, t, alpha, c, mine, prob);
        for (size_t i = 0; i < k; i++)
            if (batch_of[i] == turn && !mine[i])
                batch_of[i] = GONE;
        size_t pair = ref_pick(prob, k * k, game.rng), first = pair / k, second = pair % k;
        double answer = ref_game_duel(&game, first, second);
        if (answer == REF_UNSEEN)
            continue;
        ref_game_count(&game, w, first, second, answer, 1);
        t++;
        turn = (turn + 1) % batches;
        if ((double)count_left(batch_of, k) <= few) {
            batches = merge(&game, batches, batch_of);
            few /= 2;
            turn = 0;
        }
    }
    free(batch_of);
    free(mine);
    free(prob);
    free(w);
    return ref_game_close(&game);
}

DIRECT_RUN(direct_merge_rucb, ref_merge_rucb(world, rounds, 0.51, 4, 0, seed))
DIRECT_RUN(direct_merge_rucb_late, ref_merge_rucb(world, rounds, 0.3, 5, 1000, seed))
