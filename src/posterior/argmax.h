/* argmax.h - the index of the largest value, ties broken uniformly by the rng that is handed in. */
#ifndef SPAR_POSTERIOR_ARGMAX_H
#define SPAR_POSTERIOR_ARGMAX_H

#include "sampler/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline size_t spar__argmax(spar_rng *rng, size_t n, const double *value)
{
    size_t best = 0, ties = 1;
    for (size_t i = 1; i < n; i++) {
        if (value[i] > value[best]) {
            best = i;
            ties = 1;
        } else if (value[i] == value[best]) {
            ties++;
        }
    }
    if (ties == 1)
        return best;
    size_t skip = (size_t)spar_rng_below(rng, ties), at = best;
    while (skip) {
        at++;
        skip -= value[at] == value[best];
    }
    return at;
}

/* The same among the open indices (there is at least one), with values that differ by at most `tie` from the largest
 * counting as equal to it. */
static inline size_t spar__argmax_within(spar_rng *rng, size_t n, const double *value, const bool *open, double tie)
{
    double top = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (open[i] && value[i] > top)
            top = value[i];
    size_t ties = 0;
    for (size_t i = 0; i < n; i++)
        ties += open[i] && !(value[i] < top - tie);
    size_t skip = ties > 1 ? (size_t)spar_rng_below(rng, ties) : 0;
    for (size_t i = 0; i < n; i++)
        if (open[i] && !(value[i] < top - tie) && skip-- == 0)
            return i;
    return 0;
}

#endif
