/* rmed1.c - Komiyama, Honda, Kashima and Nakagawa 2015: every arm that may still be best takes its turn in a list. */
#include "reference/parts.h"
#include "reference/steps.h"

#include <stdlib.h>

typedef struct memory {
    double f, power;
    double *w;           /* k * k */
    double *information; /* what ref_step_rmed1 gives */
    bool *best, *likely;
    double *opponent;
    double learned; /* rounds */
} memory;

static void step(memory *rule, size_t k, double t)
{
    ref_step_rmed1(k, rule->w, t, rule->f, rule->power, rule->information, rule->best, rule->opponent, rule->likely);
}

/* One duel of every pair, in random order. */
static void first_pass(ref_game *game, memory *rule)
{
    size_t k = game->world->k, n = 0, *list = calloc(k * k, sizeof *list);
    if (!list)
        abort();
    for (size_t i = 0; i < k; i++)
        for (size_t j = i + 1; j < k; j++)
            list[n++] = i * k + j;
    ref_game_shuffle(game, list, n);
    for (size_t i = 0; i < n && game->left > 0; i++) {
        size_t first = list[i] / k, second = list[i] % k;
        double answer = ref_game_insist(game, first, second);
        if (answer == REF_UNSEEN)
            break;
        ref_game_count(game, rule->w, first, second, answer, 1);
        rule->learned++;
    }
    free(list);
}

/* Arm i's turn; an unseen duel is tried again with the opponent drawn anew. False when the rounds ran out. */
static bool take_turn(ref_game *game, memory *rule, size_t i)
{
    size_t k = game->world->k;
    while (game->left > 0) {
        step(rule, k, rule->learned + 1);
        size_t j = ref_pick(rule->opponent + i * k, k, game->rng);
        double answer = ref_game_duel(game, i, j);
        if (answer == REF_UNSEEN)
            continue;
        ref_game_count(game, rule->w, i, j, answer, 1);
        rule->learned++;
        return true;
    }
    return false;
}

/* All of the current list once, in random order; then current is the next list. */
static void pass(ref_game *game, memory *rule, bool *current)
{
    size_t k = game->world->k, n = 0, *list = calloc(k, sizeof *list);
    bool *remaining = ref_falses(k), *next = ref_falses(k);
    if (!list)
        abort();
    for (size_t i = 0; i < k; i++) {
        remaining[i] = current[i];
        if (current[i])
            list[n++] = i;
    }
    ref_game_shuffle(game, list, n);
    for (size_t i = 0; i < n && take_turn(game, rule, list[i]); i++) {
        remaining[list[i]] = false;
        step(rule, k, rule->learned); /* t is still the round of this duel */
        for (size_t j = 0; j < k; j++)
            if (!remaining[j] && rule->likely[j])
                next[j] = true;
    }
    for (size_t i = 0; i < k; i++)
        current[i] = next[i];
    free(next);
    free(remaining);
    free(list);
}

ref_result ref_rmed1(const ref_world *world, size_t rounds, double f, double power, uint64_t seed)
{
    size_t k = world->k;
    ref_game game = ref_game_open(world, rounds, seed);
    memory rule = {.f = f,
                   .power = power,
                   .w = ref_zeros(k * k),
                   .information = ref_zeros(k),
                   .best = ref_falses(k),
                   .likely = ref_falses(k),
                   .opponent = ref_zeros(k * k)};
    bool *current = ref_falses(k);
    for (size_t i = 0; i < k; i++)
        current[i] = true;
    first_pass(&game, &rule);
    while (game.left > 0)
        pass(&game, &rule, current);
    free(current);
    free(rule.opponent);
    free(rule.likely);
    free(rule.best);
    free(rule.information);
    free(rule.w);
    return ref_game_close(&game);
}

DIRECT_RUN(direct_rmed1, ref_rmed1(world, rounds, 0.3, 1.01, seed))
DIRECT_RUN(direct_rmed1_tight, ref_rmed1(world, rounds, 0.05, 1.5, seed))
