/* kernel.c - KernelSelfSparring: m draws from one Gaussian process. GP-Sparring: one GP-UCB per slot. */
#include "reference/gauss.h"
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

static ref_gauss belief_open(const ref_world *world, const ref_gp *gp)
{
    double *length = ref_zeros(world->dim);
    for (size_t d = 0; d < world->dim; d++)
        length[d] = gp->length;
    textbook_kernel kernel = {.kind = gp->kind, .variance = gp->variance, .dim = world->dim, .length = length};
    ref_gauss belief = ref_gauss_open(world->x, world->k, &kernel);
    free(length);
    return belief;
}

/* Every answer that slot j got is one observation of its arm. */
static void learn(ref_gauss *belief, const ref_round *round, size_t j, const ref_gp *gp)
{
    for (size_t k = 0; k < round->m; k++)
        if (k != j && ref_answered(round, j, k))
            ref_gauss_observe(belief, round->arm[j], ref_answer(round, j, k) - (gp->centre ? 0.5 : 0), gp->noise);
}

ref_result ref_kernel_self_sparring(const ref_world *world, size_t m, size_t rounds, const ref_gp *gp, uint64_t seed)
{
    gsl_rng *rng = ref_rng_open(seed);
    ref_gauss belief = belief_open(world, gp);
    ref_round round = ref_round_open(m);
    ref_result total = {0, 0};
    double *f = ref_zeros(world->k);
    for (size_t t = 0; t < rounds; t++) {
        for (size_t j = 0; j < m; j++) {
            ref_gauss_draw(&belief, rng, f);
            round.arm[j] = ref_pick_best(f, world->k, rng);
        }
        ref_users_answer(world, &round, rng);
        ref_arms_once(world, &round);
        for (size_t j = 0; j < m; j++)
            learn(&belief, &round, j, gp);
        ref_count_near(world, &round, &total);
    }
    free(f);
    ref_round_close(&round);
    ref_gauss_close(&belief);
    gsl_rng_free(rng);
    return total;
}

double ref_gp_ucb_beta(size_t k, size_t t, double delta)
{
    static const double PI = 3.14159265358979323846;
    return 2 * log((double)k * (double)t * (double)t * PI * PI / (6 * delta)) / 5;
}

static size_t gp_ucb_choose(const ref_gauss *belief, size_t t, const ref_gp *gp, gsl_rng *rng)
{
    size_t k = belief->k;
    double beta = ref_gp_ucb_beta(k, t, gp->delta);
    double *bound = ref_zeros(k);
    for (size_t i = 0; i < k; i++)
        bound[i] = belief->mean[i] + sqrt(beta) * sqrt(belief->covariance[i * k + i]);
    size_t arm = ref_pick_near(bound, k, rng);
    free(bound);
    return arm;
}

static bool learned(const ref_round *round, size_t j)
{
    for (size_t k = 0; k < round->m; k++)
        if (k != j && ref_answered(round, j, k))
            return true;
    return false;
}

ref_result ref_gp_sparring(const ref_world *world, size_t m, size_t rounds, const ref_gp *gp, uint64_t seed)
{
    gsl_rng *rng = ref_rng_open(seed);
    ref_gauss *belief = calloc(m, sizeof *belief);
    size_t *t = calloc(m, sizeof *t);
    if (!belief || !t)
        abort();
    for (size_t j = 0; j < m; j++) {
        belief[j] = belief_open(world, gp);
        t[j] = 1;
    }
    ref_round round = ref_round_open(m);
    ref_result total = {0, 0};
    for (size_t i = 0; i < rounds; i++) {
        for (size_t j = 0; j < m; j++)
            round.arm[j] = gp_ucb_choose(&belief[j], t[j], gp, rng);
        ref_users_answer(world, &round, rng);
        for (size_t j = 0; j < m; j++) {
            learn(&belief[j], &round, j, gp);
            t[j] += learned(&round, j);
        }
        ref_count_near(world, &round, &total);
    }
    ref_round_close(&round);
    for (size_t j = 0; j < m; j++)
        ref_gauss_close(&belief[j]);
    free(belief);
    free(t);
    gsl_rng_free(rng);
    return total;
}
