/* dts.c - Wu and Liu 2016: Thompson sampling twice, once for each slot. */
#include "reference/parts.h"
#include "reference/steps.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* Among the arms of C, the one that wins most of a sampled tournament. */
static size_t draw_first(size_t k, const double *w, const bool *among, gsl_rng *rng)
{
    double *wins = ref_zeros(k);
    for (size_t i = 0; i < k; i++) {
        for (size_t j = i + 1; j < k; j++) {
            double theta = gsl_ran_beta(rng, w[i * k + j] + 1, w[j * k + i] + 1);
            wins[i] += theta > 0.5;
            wins[j] += 1 - theta > 0.5;
        }
    }
    for (size_t i = 0; i < k; i++)
        if (!among[i])
            wins[i] = -1;
    size_t first = ref_pick_best(wins, k, rng);
    free(wins);
    return first;
}

/* Among the allowed, the one with the best sample against arm a. */
static size_t draw_second(size_t k, const double *w, size_t a, const bool *among, gsl_rng *rng)
{
    double *theta = ref_zeros(k);
    for (size_t i = 0; i < k; i++) {
        theta[i] = i == a ? 0.5 : gsl_ran_beta(rng, w[i * k + a] + 1, w[a * k + i] + 1);
        if (!among[i])
            theta[i] = -1;
    }
    size_t second = ref_pick_best(theta, k, rng);
    free(theta);
    return second;
}

void ref_draw_dts(size_t k, const double *w, double t, double alpha, size_t *first, size_t *second, gsl_rng *rng)
{
    bool *candidate = ref_falses(k), *rival = ref_falses(k * k);
    ref_step_dts(k, w, t, alpha, candidate, rival);
    *first = draw_first(k, w, candidate, rng);
    *second = draw_second(k, w, *first, rival + *first * k, rng);
    free(rival);
    free(candidate);
}

ref_result ref_dts(const ref_world *world, size_t rounds, double alpha, double eta, uint64_t seed)
{
    size_t k = world->k, first, second;
    ref_game game = ref_game_open(world, rounds, seed);
    double *w = ref_zeros(k * k), t = 1;
    while (game.left > 0) {
        ref_draw_dts(k, w, t, alpha, &first, &second, game.rng);
        double answer = ref_game_duel(&game, first, second);
        if (answer == REF_UNSEEN)
            continue;
        ref_game_count(&game, w, first, second, answer, eta);
        t++;
    }
    free(w);
    return ref_game_close(&game);
}

DIRECT_RUN(direct_dts, ref_dts(world, rounds, 0.51, 1, seed))
DIRECT_RUN(direct_dts_fast, ref_dts(world, rounds, 0.51, 2.5, seed))
