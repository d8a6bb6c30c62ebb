/* mdb.c - Brost, Seldin, Cox and Lioma 2016: show every arm that may be best, or the only one that can be. */
#include "reference/parts.h"
#include "reference/steps.h"

#include <stdlib.h>

/* Counts every answered pair. A round with pairs of which none is answered teaches nothing and takes no time; a round
 * with one slot has no pair to answer and takes its time. */
static bool learn(const ref_round *round, size_t k, double *w)
{
    bool learned = round->m < 2;
    for (size_t i = 0; i < round->m; i++) {
        for (size_t j = 0; j < round->m; j++) {
            if (i == j || !ref_answered(round, i, j))
                continue;
            w[round->arm[i] * k + round->arm[j]] += ref_answer(round, i, j);
            learned = true;
        }
    }
    return learned;
}

ref_result ref_mdb(const ref_world *world, size_t rounds, double alpha, double beta, uint64_t seed)
{
    size_t k = world->k;
    gsl_rng *rng = ref_rng_open(seed);
    double *w = ref_zeros(k * k), t = 1;
    bool *narrow = ref_falses(k), *wide = ref_falses(k), *played = ref_falses(k);
    ref_round round = ref_round_open(k); /* room for every arm; m changes */
    ref_result total = {0, 0};
    for (size_t s = 0; s < rounds; s++) {
        ref_step_mdb(k, w, t, alpha, beta, narrow, wide, played);
        round.m = 0;
        for (size_t i = 0; i < k; i++)
            if (played[i])
                round.arm[round.m++] = i;
        ref_users_answer(world, &round, rng);
        ref_count_round(world, &round, &total);
        if (learn(&round, k, w))
            t++;
    }
    ref_round_close(&round);
    free(played);
    free(wide);
    free(narrow);
    free(w);
    gsl_rng_free(rng);
    return total;
}
