/* cholesky.h - the triangle of a kernel on many points at once, or of any positive definite matrix.
 *
 * By blocks, for points in any order: a nugget of NUGGET k(x,x) on the diagonal (see newton.h) keeps it from breaking
 * down where points are close together. n^3 / 3 operations; 4096 points take 134 MB. */
#ifndef SPAR_NUM_CHOLESKY_H
#define SPAR_NUM_CHOLESKY_H

#include "base/error.h"
#include "num/kernel.h"

#include <stdbool.h>

/* T (n x n, row by row, zeros below the diagonal) with T^T T = k(x, x) + nugget. */
spar_status spar__cholesky(const spar__kernel *kernel, size_t n, const double *x, double *T);

/* The same for any matrix, in place: the upper triangle of T (stride numbers a row) becomes R with R^T R = T; what is
 * below the diagonal is neither read nor changed. work has spar__cholesky_work(n) places. False where T is not positive
 * definite; T is lost then. */
size_t spar__cholesky_work(size_t n);
bool spar__cholesky_factor(size_t n, size_t stride, double *T, double *work);

/* out = in T for m rows of n numbers: m draws with the covariance of k, from standard normals. */
void spar__cholesky_rows(size_t n, const double *T, size_t m, const double *in, double *out);

/* out = T^T in for n rows of `width` numbers; L is T transposed. */
void spar__cholesky_columns(size_t n, const double *L, size_t width, const double *in, double *out);

#endif
