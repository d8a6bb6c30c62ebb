/* cholesky.h - the triangle of a kernel on many points at once.
 *
 * By blocks, for points in any order: a nugget of NUGGET k(x,x) on the diagonal (see newton.h) keeps it from breaking
 * down where points are close together. n^3 / 3 operations; 4096 points take 134 MB. */
#ifndef SPAR_NUM_CHOLESKY_H
#define SPAR_NUM_CHOLESKY_H

#include "base/error.h"
#include "num/kernel.h"

/* T (n x n, row by row, zeros below the diagonal) with T^T T = k(x, x) + nugget. */
spar_status spar__cholesky(const spar__kernel *kernel, size_t n, const double *x, double *T);

/* out = in T for m rows of n numbers: m draws with the covariance of k, from standard normals. */
void spar__cholesky_rows(size_t n, const double *T, size_t m, const double *in, double *out);

/* out = T^T in for n rows of `width` numbers; L is T transposed. */
void spar__cholesky_columns(size_t n, const double *L, size_t width, const double *in, double *out);

#endif
