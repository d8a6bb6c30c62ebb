/* linear.h - linear algebra. The dense loops of every round are compiled once per instruction set.
 *
 * No element of a result depends on the width of the vectors, so every CPU gives the same bits. All matrices are row
 * by row. A triangle is upper, `stride` numbers a row (a multiple of SPAR__WIDTH), zeros below the diagonal and beyond
 * column r. Right-hand sides are r x m with m = 1 or a multiple of SPAR__WIDTH
 * (spar__padded rounds up). */
#ifndef SPAR_NUM_LINEAR_H
#define SPAR_NUM_LINEAR_H

#include "base/error.h"

enum { SPAR__WIDTH = 8 }; /* numbers worked on together, on every CPU */

static inline size_t spar__padded(size_t n)
{
    return (n + SPAR__WIDTH - 1) / SPAR__WIDTH * SPAR__WIDTH;
}

/* Turns `count` rows (stride numbers each, zeros beyond r) with right-hand sides y into the triangle R and its
 * right-hand side z by orthogonal transformations: afterwards R^T R is R^T R + rows^T rows and R^T z is R^T z + rows^T
 * y. Rows and y are used up. */
void spar__triangle_absorb(size_t r, size_t stride, double *R, double *z, size_t count, double *rows, double *y);

void spar__triangle_back(size_t r, size_t stride, const double *R, size_t m, double *rhs);    /* rhs <- R^-1 rhs */
void spar__triangle_forward(size_t r, size_t stride, const double *R, size_t m, double *rhs); /* rhs <- R^-T rhs */

/* c (m x n) = a (m x k) b (k x n); lda, ldb, ldc numbers from one row to the next. */
void spar__product(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b, size_t ldb, double *c,
                   size_t ldc);

double spar__largest(size_t n, const double *value); /* of n >= 1 numbers */

/* The triangles T of SPAR__WIDTH matrices M (r x c) at once, with T^T T = M^T M: |M v| = |T v| for all v. Element (i,
 * k) of the M in lane l is at m[(k * r + i) * SPAR__WIDTH + l], and (j, k) of its T at t[(j * c + k) * SPAR__WIDTH +
 * l]. M is used up. */
void spar__triangles(size_t r, size_t c, double *m, double *t);

typedef struct spar__linear_ops {
    void (*absorb)(size_t r, size_t stride, double *R, double *z, size_t count, double *rows, double *y);
    void (*back)(size_t r, size_t stride, const double *R, size_t m, double *rhs);
    void (*forward)(size_t r, size_t stride, const double *R, size_t m, double *rhs);
    void (*product)(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b, size_t ldb, double *c,
                    size_t ldc);
    double (*largest)(size_t n, const double *value);
    void (*triangles)(size_t r, size_t c, double *m, double *t);
} spar__linear_ops;

extern const spar__linear_ops spar__linear_ops_baseline, spar__linear_ops_avx2, spar__linear_ops_avx512;

/* The eigenvectors of a small symmetric matrix, with the same bits on every CPU. */

/* By Jacobi's rotations. a (r x r, symmetric) is used up: its diagonal becomes the eigenvalues; row j of vectors (r x
 * r) the unit eigenvector of the j-th. For r of some dozens: about 4 r^3 operations a sweep and less than ten sweeps.
 */
void spar__eigen(size_t r, double *a, double *vectors);

/* I + q M for one symmetric M and many q.
 *
 * With M = Q T Q^T, T tridiagonal, log det (I + q M) and u^T (I + q M)^-1 u take O(n) operations for each q instead of
 * O(n^3). M is positive semidefinite and q >= 0. */

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
