/* multi_sbm.c - Ailon, Karnin and Joachims 2014: one bandit per arm, the left arm is the right one of the last round.
 */
#include "reference/parts.h"

#include <stdlib.h>

ref_result ref_multi_sbm(const ref_world *world, size_t rounds, ref_bandit kind, double alpha, uint64_t seed)
{
    enum { LEFT, RIGHT };
    gsl_rng *rng = ref_rng_open(seed);
    ref_player *player = calloc(world->k, sizeof *player);
    if (!player)
        abort();
    for (size_t i = 0; i < world->k; i++)
        player[i] = ref_player_open(kind, world->k, alpha, rounds);
    ref_round round = ref_round_open(2);
    ref_result total = {0, 0};
    size_t left = gsl_rng_uniform_int(rng, world->k);
    for (size_t t = 0; t < rounds; t++) {
        round.arm[LEFT] = left;
        round.arm[RIGHT] = ref_player_choose(&player[left], rng);
        ref_users_answer(world, &round, rng);
        if (ref_answered(&round, RIGHT, LEFT))
            ref_player_learn(&player[left], round.arm[RIGHT], ref_answer(&round, RIGHT, LEFT));
        ref_count_round(world, &round, &total);
        left = round.arm[RIGHT];
    }
    ref_round_close(&round);
    for (size_t i = 0; i < world->k; i++)
        ref_player_close(&player[i]);
    free(player);
    gsl_rng_free(rng);
    return total;
}
