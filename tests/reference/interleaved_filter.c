/* interleaved_filter.c - Yue, Broder, Kleinberg and Joachims 2012: a candidate meets every challenger in passes. */
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

/* One duel of b with every challenger, in random order; false when the rounds ran out. */
static bool pass(ref_game *game, size_t b, const bool *challenger, double *won, size_t *list)
{
    size_t n = 0;
    for (size_t i = 0; i < game->world->k; i++)
        if (challenger[i])
            list[n++] = i;
    ref_game_shuffle(game, list, n);
    for (size_t i = 0; i < n; i++) {
        double answer = ref_game_insist(game, b, list[i]);
        if (answer == REF_UNSEEN)
            return false;
        won[list[i]] += answer;
    }
    return true;
}

/* A random challenger that is surely better than the candidate, or k. won are b's wins in n duels with each. */
static size_t successor(ref_game *game, const bool *challenger, const double *won, double n, double radius)
{
    size_t k = game->world->k;
    double *better = ref_zeros(k + 1);
    bool some = false;
    for (size_t i = 0; i < k; i++) {
        better[i] = challenger[i] && won[i] / n + radius < 0.5;
        some = some || better[i] == 1;
    }
    size_t next = some ? ref_pick(better, k, game->rng) : k;
    free(better);
    return next;
}

static bool any(const bool *flag, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (flag[i])
            return true;
    return false;
}

ref_result ref_interleaved_filter(const ref_world *world, size_t rounds, int variant, uint64_t seed)
{
    size_t k = world->k;
    double delta = 1 / ((double)rounds * (double)k * (double)k);
    ref_game game = ref_game_open(world, rounds, seed);
    bool *challenger = ref_falses(k);
    double *won = ref_zeros(k), n = 0;
    size_t *list = calloc(k, sizeof *list);
    if (!list)
        abort();
    size_t b = gsl_rng_uniform_int(game.rng, k);
    for (size_t i = 0; i < k; i++)
        challenger[i] = i != b;
    while (any(challenger, k) && pass(&game, b, challenger, won, list)) {
        n++;
        double radius = sqrt(4 * log(1 / delta) / n);
        for (size_t i = 0; i < k; i++)
            if (challenger[i] && won[i] / n - radius > 0.5)
                challenger[i] = false;
        size_t next = successor(&game, challenger, won, n, radius);
        if (next == k)
            continue;
        for (size_t i = 0; i < k; i++) {
            if (i == next || (variant == 2 && won[i] / n > 0.5))
                challenger[i] = false;
            won[i] = 0;
        }
        b = next;
        n = 0;
    }
    while (game.left > 0)
        (void)ref_game_duel(&game, b, b);
    free(list);
    free(won);
    free(challenger);
    return ref_game_close(&game);
}
