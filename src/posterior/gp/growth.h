/* growth.h - the Gaussian-process posterior on a basis that grows with the points seen.
 *
 * Points have keys 0, 1, ... and stand in a table x that the caller keeps (keys x dim). A point enters the basis
 * (num/newton.h) when it is first seen; the weights (num/weights.h) learn what is seen of it. So nothing is
 * ever rebuilt, and the cost depends on the r points seen, not on all points: O(r^2) an observation. */
#ifndef SPAR_POSTERIOR_GP_GROWTH_H
#define SPAR_POSTERIOR_GP_GROWTH_H

#include "base/archive.h"
#include "base/alloc.h"
#include "num/kernel.h"
#include "num/laplace.h"

enum { SPAR__GROWTH_MOST = 4096 }; /* dimensions: 270 MB, and tenths of a second a round */

typedef struct spar__growth {
    const spar__kernel *kernel;
    spar__newton basis;
    spar__weights weights;
    size_t *owner;     /* the key of each point of the basis */
    size_t keys, room; /* points; how many `place` can hold */
    size_t *place;     /* of each, its number in the basis, or one of: */
    size_t seen;       /* points that are in the basis or merged */
    double lost;       /* by merging: the variance left out times the weight of the answers, added up */
    double *work;      /* of learn */
} spar__growth;

#define SPAR__GROWTH_UNSEEN ((size_t)-1)
#define SPAR__GROWTH_MERGED ((size_t)-2) /* so close to others that it needs no dimension of its own */

/* The kernel is borrowed; tolerance as in num/newton.h. A growth is all zeros before; fini is fine after a failed init.
 */
spar_status spar__growth_init(spar__growth *growth, const spar__kernel *kernel, double tolerance, size_t keys);
void spar__growth_fini(spar__growth *growth);
void spar__growth_forget(spar__growth *growth);

/* There are now that many keys; those that were removed were never seen. */
spar_status spar__growth_resize(spar__growth *growth, size_t keys);

/* Room to learn about `more` points not seen so far. SPAR_UNSUPPORTED: that may be more than SPAR__GROWTH_MOST. */
spar_status spar__growth_reserve(spar__growth *growth, size_t more);

/* Answers about the point key[i] had the mean y[i]; weight[i] is their number over the variance of one. */
void spar__growth_learn(spar__growth *growth, const double *x, size_t count, const size_t *key, const double *weight,
                        const double *y);

/* The means at the points of the basis, r numbers; work has as many places. */
void spar__growth_means(const spar__growth *growth, double *work, double *mean);

/* Of every key; either may be NULL. */
spar_status spar__growth_moments(const spar__growth *growth, const double *x, spar_scratch *scratch, double *mean,
                                 double *sd);

/* About how far means and standard deviations may be off because points were merged. */
double spar__growth_accuracy(const spar__growth *growth);

/* What learn changes; loading follows init for the same keys. */
void spar__growth_archive(spar__growth *growth, const double *x, spar__archive *ar);

#endif
