/* pivots.h - the covariance of points that come one by one, K = G G^T with no more columns than are needed.
 *
 * A point that the pivots so far leave a variance of more than `tolerance` becomes a pivot itself and adds a column;
 * any other point is written in the columns there are. With U the upper triangle U^T U = K(pivots, pivots), the row of
 * G of a point x is U^-T k(pivots, x); those of the pivots are the columns of U. Nothing that was there changes when a
 * point comes. No diagonal element of U is below the root of the tolerance.
 *
 * G G^T is exact for pivots. Where other points take part it is off by what the pivots of their time left of them: at
 * most the tolerance for their variance, and the root of tolerance times variance for a covariance with a later pivot.
 * For smooth kernels that is 1e-10 of the variance or less with a tolerance of 1e-12. */
#ifndef SPAR_NUM_PIVOTS_H
#define SPAR_NUM_PIVOTS_H

#include "base/error.h"
#include "num/linear.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct spar__pivots {
    double tolerance;
    size_t n, r;   /* points; pivots among them, which is the number of columns */
    size_t room;   /* points there is room for */
    size_t stride; /* numbers in a row of G and of U: room for as many columns */
    double *G;     /* n x r */
    double *U;     /* r x r */
    size_t *pivot; /* r points */
} spar__pivots;

void spar__pivots_free(spar__pivots *p); /* all zero but the tolerance is a good beginning */

/* Room for one more point; as it was when memory fails. */
spar_status spar__pivots_reserve(spar__pivots *p);

/* Takes a point in, given its variance and its r covariances with the pivots, which are used up. Is it a pivot now? */
bool spar__pivots_add(spar__pivots *p, double *covariance, double variance);

/* rhs (r x m, m = 1 or a multiple of SPAR__LANES) <- U^-T rhs, which makes rows of G of covariances; and U^-1 rhs. */
void spar__pivots_half(const spar__pivots *p, size_t m, double *rhs);
void spar__pivots_back(const spar__pivots *p, size_t m, double *rhs);

#endif
