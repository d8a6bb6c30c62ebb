/* sparring.c - one bandit per slot. */
#include "reference/parts.h"

#include <stdlib.h>

/* Slot j's player learns from the slot's answered duels; without any it learns nothing. */
static void learn(ref_player *player, const ref_round *round, size_t j, ref_reward mode)
{
    double sum = 0, answered = 0;
    for (size_t k = 0; k < round->m; k++) {
        if (k == j || !ref_answered(round, j, k))
            continue;
        if (mode == REF_EACH)
            ref_player_learn(player, round->arm[j], ref_answer(round, j, k));
        sum += ref_answer(round, j, k);
        answered += 1;
    }
    if (mode == REF_MEAN && answered > 0)
        ref_player_learn(player, round->arm[j], sum / answered);
}

ref_result ref_sparring(const ref_world *world, size_t m, size_t rounds, ref_bandit kind, double alpha, ref_reward mode,
                        uint64_t seed)
{
    gsl_rng *rng = ref_rng_open(seed);
    ref_player *player = calloc(m ? m : 1, sizeof *player);
    if (!player)
        abort();
    for (size_t j = 0; j < m; j++)
        player[j] = ref_player_open(kind, world->k, alpha, rounds);
    ref_round round = ref_round_open(m);
    ref_result total = {0, 0};
    for (size_t t = 0; t < rounds; t++) {
        for (size_t j = 0; j < m; j++)
            round.arm[j] = ref_player_choose(&player[j], rng);
        ref_users_answer(world, &round, rng);
        for (size_t j = 0; j < m; j++)
            learn(&player[j], &round, j, mode);
        ref_count_round(world, &round, &total);
    }
    ref_round_close(&round);
    for (size_t j = 0; j < m; j++)
        ref_player_close(&player[j]);
    free(player);
    gsl_rng_free(rng);
    return total;
}
