/* search.h - the highest point of a function over a box: where to begin, and how to climb.
 *
 * Ranges are climbed along the slope, all at once; levels and choices by moves along one axis to the best of its
 * values, until neither helps. A climb finds the top of the hill it starts on; several starts make it likely that one
 * of them is the highest. */
#ifndef SPAR_POSTERIOR_GP_SEARCH_H
#define SPAR_POSTERIOR_GP_SEARCH_H

#include "base/alloc.h"
#include "sampler/rng.h"
#include "types/arms.h"

/* What is climbed. values may be -INFINITY where no answer is wanted; slope gives the value too. */
typedef struct spar__surface {
    const void *self;
    void (*values)(const void *self, size_t n, const double *x, double *value);
    double (*slope)(const void *self, const double *x, double *gradient);
    double unit; /* a difference that matters: below 1e-9 of it the climb ends */
} spar__surface;

typedef struct spar__search {
    const spar_space *space;
    size_t dim;
    const double *scale; /* dim numbers: how far one has to go to see a change */
} spar__search;

/* At most n points all over the box: stratified along every axis (a Latin hypercube), or every point there is when
 * those are no more than n. Returns how many; 0 when there was no memory. */
size_t spar__search_spread(const spar__search *search, size_t n, spar_scratch *scratch, spar_rng *rng, double *x);

/* A point near x: `step` scales away on the ranges, sometimes another value on one of the other axes. */
void spar__search_nearby(const spar__search *search, const double *x, double step, spar_rng *rng, double *out);

/* Improves x; its value goes to *value. */
spar_status spar__search_climb(const spar__search *search, const spar__surface *surface, spar_scratch *scratch,
                               double *x, double *value);

#endif
