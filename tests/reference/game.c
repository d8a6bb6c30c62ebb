/* game.c - a run of rounds with two slots each. */
#include "reference/parts.h"

#include <gsl/gsl_randist.h>

enum { FIRST, SECOND };

ref_game ref_game_open(const ref_world *world, size_t rounds, uint64_t seed)
{
    return (ref_game){.world = world, .rng = ref_rng_open(seed), .round = ref_round_open(2), .left = rounds};
}

ref_result ref_game_close(ref_game *game)
{
    ref_round_close(&game->round);
    gsl_rng_free(game->rng);
    return game->total;
}

double ref_game_duel(ref_game *game, size_t first, size_t second)
{
    game->round.arm[FIRST] = first;
    game->round.arm[SECOND] = second;
    ref_users_answer(game->world, &game->round, game->rng);
    ref_count_round(game->world, &game->round, &game->total);
    game->left--;
    return ref_answer(&game->round, FIRST, SECOND);
}

double ref_game_insist(ref_game *game, size_t first, size_t second)
{
    double answer = REF_UNSEEN;
    while (game->left > 0 && answer == REF_UNSEEN)
        answer = ref_game_duel(game, first, second);
    return answer;
}

void ref_game_shuffle(ref_game *game, size_t *list, size_t n)
{
    if (n > 1) /* GSL wants at least one */
        gsl_ran_shuffle(game->rng, list, n, sizeof *list);
}

void ref_game_count(const ref_game *game, double *w, size_t first, size_t second, double answer, double weight)
{
    if (first == second)
        return;
    w[first * game->world->k + second] += weight * answer;
    w[second * game->world->k + first] += weight * (1 - answer);
}
