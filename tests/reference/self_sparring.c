/* self_sparring.c - IndSelfSparring: m draws from one set of Beta beliefs. */
#include "reference/parts.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>

/* Samples every arm and takes the best, in distinct mode the best that no earlier slot of the round holds. */
static size_t choose(const double *won, const double *lost, size_t k, const ref_round *round, size_t slot,
                     ref_self_duels mode, gsl_rng *rng)
{
    double *theta = ref_zeros(k);
    for (size_t i = 0; i < k; i++)
        theta[i] = gsl_ran_beta(rng, won[i] + 1, lost[i] + 1);
    if (mode == REF_DISTINCT)
        for (size_t j = 0; j < slot; j++)
            theta[round->arm[j]] = -1;
    size_t arm = ref_pick_best(theta, k, rng);
    free(theta);
    return arm;
}

ref_result ref_ind_self_sparring(const ref_world *world, size_t m, size_t rounds, double eta, ref_self_duels mode,
                                 uint64_t seed)
{
    if (mode == REF_DISTINCT && m > world->k)
        abort();
    gsl_rng *rng = ref_rng_open(seed);
    double *won = ref_zeros(world->k);
    double *lost = ref_zeros(world->k);
    ref_round round = ref_round_open(m);
    ref_result total = {0, 0};
    for (size_t t = 0; t < rounds; t++) {
        for (size_t j = 0; j < m; j++)
            round.arm[j] = choose(won, lost, world->k, &round, j, mode, rng);
        ref_users_answer(world, &round, rng);
        ref_arms_once(world, &round);
        for (size_t j = 0; j < m; j++) {
            for (size_t k = 0; k < m; k++) {
                if (j == k || !ref_answered(&round, j, k))
                    continue;
                if (mode == REF_IGNORE && round.arm[j] == round.arm[k])
                    continue;
                won[round.arm[j]] += eta * ref_answer(&round, j, k);
                lost[round.arm[j]] += eta * (1 - ref_answer(&round, j, k));
            }
        }
        ref_count_round(world, &round, &total);
    }
    ref_round_close(&round);
    free(lost);
    free(won);
    gsl_rng_free(rng);
    return total;
}
