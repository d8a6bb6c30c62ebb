/* tridiagonal.h - I + q M for one symmetric M and many q.
 *
 * With M = Q T Q^T, T tridiagonal, log det (I + q M) and u^T (I + q M)^-1 u take O(n) operations for each q instead of
 * O(n^3). M is positive semidefinite and q >= 0. */
#ifndef SPAR_NUM_TRIDIAGONAL_H
#define SPAR_NUM_TRIDIAGONAL_H

#include "base/error.h"

#include <stddef.h>

typedef struct spar__tridiagonal {
    size_t n;
    double *diagonal; /* of T, n */
    double *beside;   /* beside it, n - 1 */
    double *u;        /* Q^T u */
    double *m;        /* n x n: M goes in, and is used up */
    double *work;
} spar__tridiagonal;

/* Room for matrices of size n >= 1. All zero after a failure. */
spar_status spar__tridiagonal_init(spar__tridiagonal *t, size_t n);
void spar__tridiagonal_free(spar__tridiagonal *t);

/* Makes T and Q^T u of m and u, in place. The lower triangle of m suffices. About 4/3 n^3 operations. */
void spar__tridiagonal_reduce(spar__tridiagonal *t);

void spar__tridiagonal_at(const spar__tridiagonal *t, double q, double *log_det, double *form);

#endif
