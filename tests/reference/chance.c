#include "reference/parts.h"

#include <stdlib.h>

gsl_rng *ref_rng_open(uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!rng)
        abort();
    /* The generator takes 32 bits of seed: fold the upper half in rather than lose it. */
    gsl_rng_set(rng, (unsigned long)((seed ^ seed >> 32) & 0xffffffffU));
    return rng;
}

double *ref_zeros(size_t n)
{
    double *zeros = calloc(n ? n : 1, sizeof *zeros);
    if (!zeros)
        abort();
    return zeros;
}

bool *ref_falses(size_t n)
{
    bool *falses = calloc(n ? n : 1, sizeof *falses);
    if (!falses)
        abort();
    return falses;
}

size_t ref_pick(const double *weight, size_t n, gsl_rng *rng)
{
    double sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight[i];
    double u = sum * gsl_rng_uniform(rng);
    for (size_t i = 0; i < n; i++) {
        if (u < weight[i])
            return i;
        u -= weight[i];
        if (weight[i] > 0)
            last = i;
    }
    return last; /* only by rounding */
}

size_t ref_pick_best(const double *score, size_t n, gsl_rng *rng)
{
    double best = score[0];
    unsigned long ties = 0;
    for (size_t i = 0; i < n; i++)
        if (score[i] > best)
            best = score[i];
    for (size_t i = 0; i < n; i++)
        if (score[i] == best)
            ties++;
    if (ties == 0)
        abort(); /* not a number */
    unsigned long skip = gsl_rng_uniform_int(rng, ties);
    for (size_t i = 0;; i++)
        if (score[i] == best && skip-- == 0)
            return i;
}

size_t ref_pick_near(const double *score, size_t n, gsl_rng *rng)
{
    double best = score[0], *rounded = ref_zeros(n);
    for (size_t i = 0; i < n; i++)
        if (score[i] > best)
            best = score[i];
    for (size_t i = 0; i < n; i++)
        rounded[i] = score[i] >= best - 1e-7 ? 1 : 0;
    size_t arm = ref_pick_best(rounded, n, rng);
    free(rounded);
    return arm;
}

void ref_pick_two(size_t m, size_t *j, size_t *k, gsl_rng *rng)
{
    do {
        *j = gsl_rng_uniform_int(rng, m);
        *k = gsl_rng_uniform_int(rng, m);
    } while (*j == *k);
}
