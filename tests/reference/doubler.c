/* doubler.c - Ailon, Karnin and Joachims 2014: epochs of 2, 4, 8, ... rounds. The left arm is a uniform member of the
 * multiset of right arms of the epoch before (of one random arm in the first); the right arm comes from one bandit,
 * reset at the start of every epoch. */
#include "reference/parts.h"

#include <stdlib.h>

ref_result ref_doubler(const ref_world *world, size_t rounds, ref_bandit kind, double alpha, uint64_t seed)
{
    enum { LEFT, RIGHT };
    gsl_rng *rng = ref_rng_open(seed);
    ref_player player = ref_player_open(kind, world->k, alpha, rounds);
    ref_round round = ref_round_open(2);
    ref_result total = {0, 0};
    size_t *right_of_round = calloc(rounds ? rounds : 1, sizeof *right_of_round);
    if (!right_of_round)
        abort();
    size_t first_left = gsl_rng_uniform_int(rng, world->k);
    size_t t = 0;
    for (size_t length = 2; t < rounds; length *= 2) {
        size_t before = length / 2; /* rounds in the epoch before, if there was one */
        size_t start = t;
        ref_player_reset(&player);
        for (; t < start + length && t < rounds; t++) {
            if (start == 0)
                round.arm[LEFT] = first_left;
            else
                round.arm[LEFT] = right_of_round[start - before + gsl_rng_uniform_int(rng, before)];
            round.arm[RIGHT] = ref_player_choose(&player, rng);
            ref_users_answer(world, &round, rng);
            if (ref_answered(&round, RIGHT, LEFT))
                ref_player_learn(&player, round.arm[RIGHT], ref_answer(&round, RIGHT, LEFT));
            ref_count_round(world, &round, &total);
            right_of_round[t] = round.arm[RIGHT];
        }
    }
    free(right_of_round);
    ref_round_close(&round);
    ref_player_close(&player);
    gsl_rng_free(rng);
    return total;
}
