/* bopper.c - a Gaussian-process classifier over ordered pairs of arms: the first arm by a draw of its soft-Copeland
 * score, the second where the outcome is most uncertain. */
#include "reference/laplace.h"
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

/* The pair (a, b) has number a * k + b. */
typedef struct pairs {
    size_t k;
    double *kernel; /* k * k, of single arms */
} pairs;

static double squared_distance(const ref_world *world, size_t a, size_t b)
{
    double sum = 0;
    for (size_t d = 0; d < world->dim; d++) {
        double difference = world->x[a * world->dim + d] - world->x[b * world->dim + d];
        sum += difference * difference;
    }
    return sum;
}

static pairs pairs_open(const ref_world *world, double length)
{
    pairs s = {world->k, ref_zeros(world->k * world->k)};
    for (size_t a = 0; a < s.k; a++)
        for (size_t b = 0; b < s.k; b++)
            s.kernel[a * s.k + b] = exp(-squared_distance(world, a, b) / (2 * length * length));
    return s;
}

/* The squared exponential of two features side by side is the product of those of each. */
static double pair_kernel(const void *context, size_t p, size_t q)
{
    const pairs *s = context;
    size_t k = s->k;
    return s->kernel[p / k * k + q / k] * s->kernel[p % k * k + q % k];
}

static size_t first_arm(ref_laplace *l, size_t k, gsl_rng *rng)
{
    double *f = ref_zeros(k * k), *score = ref_zeros(k);
    ref_laplace_draw(l, rng, f);
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            score[a] += ref_sigmoid(f[a * k + b]) / (double)k;
    size_t arm = ref_pick_best(score, k, rng);
    free(f);
    free(score);
    return arm;
}

static size_t second_arm(const ref_laplace *l, size_t k, size_t first, gsl_rng *rng)
{
    double *spread = ref_zeros(k);
    for (size_t b = 0; b < k; b++)
        spread[b] = ref_sigmoid_variance(l->mean[first * k + b], l->variance[first * k + b]);
    size_t arm = ref_pick_near(spread, k, rng);
    free(spread);
    return arm;
}

ref_result ref_bopper(const ref_world *world, size_t rounds, double length, uint64_t seed)
{
    size_t k = world->k;
    gsl_rng *rng = ref_rng_open(seed);
    pairs s = pairs_open(world, length);
    ref_laplace l = ref_laplace_open(k * k, rounds, pair_kernel, &s);
    ref_round round = ref_round_open(2);
    ref_result total = {0, 0};
    for (size_t t = 0; t < rounds; t++) {
        size_t a = round.arm[0] = first_arm(&l, k, rng), b = round.arm[1] = second_arm(&l, k, a, rng);
        ref_users_answer(world, &round, rng);
        if (ref_answered(&round, 0, 1))
            ref_laplace_observe(&l, a * k + b, ref_answer(&round, 0, 1));
        ref_count_near(world, &round, &total);
    }
    ref_round_close(&round);
    ref_laplace_close(&l);
    free(s.kernel);
    gsl_rng_free(rng);
    return total;
}
