/* A choice by weights: where a uniform share of their sum falls. */
#include "sampler/sampler.h"

size_t spar__choose_weighted(spar_rng *rng, size_t n, const double *w)
{
    double total = 0, sum = 0;
    size_t chosen = n;
    for (size_t i = 0; i < n; i++)
        total += w[i];
    double target = spar_rng_uniform(rng) * total;
    for (size_t i = 0; i < n && !(sum > target); i++)
        if (w[i] > 0) { /* the last of these stands when rounding leaves the sum short of the target */
            sum += w[i];
            chosen = i;
        }
    return chosen;
}
