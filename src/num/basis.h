/* basis.h - a kernel on n points as a product: K = phi phi^T up to a residual.
 *
 * f = phi w with w ~ N(0, I) is then the Gaussian process on these points, with as many weights as the kernel's
 * spectrum needs: about 20 for a smooth kernel in one dimension, n for a rough one. Pivoted Cholesky, then, at
 * ranks below n of at most 32, or 96 if that is less than half of n, a rotation that makes the columns orthogonal with
 * falling norms and drops those at the end that the tolerance allows. Cost O(n r^2 + r^3). */
#ifndef SPAR_NUM_BASIS_H
#define SPAR_NUM_BASIS_H

#include "base/error.h"
#include "num/kernel.h"

typedef struct spar__basis {
    size_t n, r;
    double *phi;     /* n x r, row by row */
    double residual; /* the largest variance left out, of any point; rounding adds some 1e-15 of the largest k(x, x) */
} spar__basis;

/* Points x (n x dim); equal ones may repeat. The variance left out is at most tolerance (or what rounding makes of it,
 * 3e-16 + 8e-18 r) times the largest k(x, x). SPAR_UNSUPPORTED when that takes more than max_rank columns. */
spar_status spar__basis_make(const spar__kernel *kernel, size_t n, const double *x, double tolerance, size_t max_rank,
                             spar__basis *out);
void spar__basis_free(spar__basis *basis);

/* The same by columns, r x n, the caller's to free; NULL when memory fails. */
double *spar__basis_columns(const spar__basis *basis);

#endif
