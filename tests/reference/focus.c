#include "reference/focus.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

/* log of B(w+5, l+5) P(Beta(w+5, l+5) > 1/2) / (B(5,5) P(Beta(5,5) > 1/2) (1/2)^(w+l)) */
static double evidence(double w, double l)
{
    double above = log(gsl_cdf_beta_Q(0.5, w + 5, l + 5)) - log(gsl_cdf_beta_Q(0.5, 5, 5));
    return gsl_sf_lnbeta(w + 5, l + 5) - gsl_sf_lnbeta(5, 5) + above + (w + l) * log(2);
}

static double threshold(const ref_focus *focus)
{
    return log((double)focus->k / focus->delta);
}

static bool holds(const size_t *list, size_t n, size_t arm)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == arm)
            return true;
    return false;
}

/* A fresh draw for each slot, the best arm that no earlier slot has. */
static void own_choice(const ref_focus *focus, ref_round *round, gsl_rng *rng)
{
    for (size_t j = 0; j < round->m; j++) {
        double theta[REF_FOCUS_ARMS];
        for (size_t i = 0; i < focus->k; i++) {
            theta[i] = gsl_ran_beta(rng, focus->won[i] + 1, focus->lost[i] + 1);
            if (holds(round->arm, j, i))
                theta[i] = -1;
        }
        round->arm[j] = ref_pick_best(theta, focus->k, rng);
    }
}

static size_t leader(const ref_focus *focus, gsl_rng *rng)
{
    double mean[REF_FOCUS_ARMS];
    for (size_t i = 0; i < focus->k; i++)
        mean[i] = (focus->won[i] + 1) / (focus->won[i] + focus->lost[i] + 2);
    return ref_pick_best(mean, focus->k, rng);
}

/* One more rival: an open one if there is any; which, by `coin`. */
static size_t rival(const ref_focus *focus, const ref_round *round, size_t n, bool coin, gsl_rng *rng)
{
    double merit[REF_FOCUS_ARMS];
    size_t l = round->arm[0];
    bool any_open = false;
    for (size_t j = 0; j < focus->k; j++)
        any_open |= !holds(round->arm, n, j) && focus->log_m[l][j] < threshold(focus);
    for (size_t j = 0; j < focus->k; j++) {
        bool settled = focus->log_m[l][j] >= threshold(focus);
        merit[j] = coin ? -focus->log_e[l][j] : -(focus->w[l][j] + focus->w[j][l]);
        if (holds(round->arm, n, j) || (any_open && settled))
            merit[j] = -INFINITY;
    }
    return ref_pick_best(merit, focus->k, rng);
}

void ref_focus_choose(const ref_focus *focus, ref_round *round, gsl_rng *rng)
{
    if (gsl_rng_uniform(rng) >= focus->p) {
        own_choice(focus, round, rng);
        return;
    }
    bool coin = gsl_rng_uniform(rng) < 0.5;
    round->arm[0] = leader(focus, rng);
    for (size_t n = 1; n < round->m; n++)
        round->arm[n] = rival(focus, round, n, coin, rng);
}

void ref_focus_learn(ref_focus *focus, const ref_round *round)
{
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = 0; k < round->m; k++) {
            if (j == k || !ref_answered(round, j, k))
                continue;
            focus->won[round->arm[j]] += ref_answer(round, j, k);
            focus->lost[round->arm[j]] += 1 - ref_answer(round, j, k);
            if (ref_answer(round, j, k) == 1)
                focus->w[round->arm[j]][round->arm[k]] += 1;
        }
    for (size_t a = 0; a < round->m; a++)
        for (size_t b = 0; b < round->m; b++) {
            size_t x = round->arm[a], j = round->arm[b];
            focus->log_e[x][j] = evidence(focus->w[x][j], focus->w[j][x]);
            focus->log_m[x][j] = fmax(focus->log_m[x][j], focus->log_e[x][j]);
        }
}

size_t ref_focus_best(const ref_focus *focus)
{
    for (size_t x = 0; x < focus->k; x++) {
        bool all = true;
        for (size_t j = 0; j < focus->k; j++)
            all &= x == j || focus->log_m[x][j] >= threshold(focus);
        if (all)
            return x;
    }
    return focus->k;
}

size_t ref_focus_run(const ref_world *world, size_t m, double p, double delta, size_t most, uint64_t seed, size_t *best)
{
    ref_focus focus = {.k = world->k, .p = p, .delta = delta};
    gsl_rng *rng = ref_rng_open(seed);
    ref_round round = ref_round_open(m);
    size_t t = 0;
    for (*best = world->k; t < most && *best == world->k; t++) {
        ref_focus_choose(&focus, &round, rng);
        ref_users_answer(world, &round, rng);
        ref_focus_learn(&focus, &round);
        *best = ref_focus_best(&focus);
    }
    ref_round_close(&round);
    gsl_rng_free(rng);
    return t;
}
