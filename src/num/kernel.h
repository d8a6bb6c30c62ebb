/* kernel.h - covariance functions of a Gaussian process, and below them what it is made of on given points. With d_i =
 * (x_i - y_i) / length_i and s = |d|:
 *
 *     se                  variance exp(-s^2 / 2)
 *     matern32            variance (1 + a) exp(-a),              a = sqrt(3) s
 *     matern52            variance (1 + a + a^2 / 3) exp(-a),    a = sqrt(5) s
 *     product_matern32    variance times the product over the dimensions of the one-dimensional matern32 of |d_i|
 *     product_matern52    the same of matern52
 *     linear              variance sum_i x_i y_i / length_i^2
 *
 * Relative error about 1e-15 (1 + |log of the value|). Distances beyond any effect count as 1e4 lengths, so that finite
 * points never give NaN. */
#ifndef SPAR_NUM_KERNEL_H
#define SPAR_NUM_KERNEL_H

#include "base/error.h"
#include "num/linear.h"

#include <stdbool.h>

#define SPAR__KERNEL_CHOICES "se|matern32|matern52|product_matern32|product_matern52|linear" /* as in the enum */

typedef enum spar__kernel_kind {
    SPAR__KERNEL_SE,
    SPAR__KERNEL_MATERN32,
    SPAR__KERNEL_MATERN52,
    SPAR__KERNEL_PRODUCT_MATERN32,
    SPAR__KERNEL_PRODUCT_MATERN52,
    SPAR__KERNEL_LINEAR
} spar__kernel_kind;

typedef struct spar__kernel {
    spar__kernel_kind kind;
    size_t dim;
    const double *length; /* dim values; borrowed */
    double variance;
} spar__kernel;

double spar__kernel_at(const spar__kernel *kernel, const double *x, const double *y);

/* out[i] = k(x, y_i) for n points y (n x dim): the same bits as one at a time. */
void spar__kernel_row(const spar__kernel *kernel, const double *x, size_t n, const double *y, double *out);

/* The value at x of the function sum_i weight_i k(x, y_i); its derivatives are added to gradient (dim values). */
double spar__kernel_slope(const spar__kernel *kernel, const double *x, size_t n, const double *y, const double *weight,
                          double *gradient);

/* Is it a product of functions of one dimension each? And the factor of dimension d, which keeps the variance if d is
 * 0 and has variance 1 else. */
bool spar__kernel_separable(const spar__kernel *kernel);
spar__kernel spar__kernel_axis(const spar__kernel *kernel, size_t d);

/* A kernel on n points as a product: K = phi phi^T up to a residual.
 *
 * f = phi w with w ~ N(0, I) is then the Gaussian process on these points, with as many weights as the kernel's
 * spectrum needs: about 20 for a smooth kernel in one dimension, n for a rough one. Pivoted Cholesky, then, at
 * ranks below n of at most 32, or 96 if that is less than half of n, a rotation that makes the columns orthogonal with
 * falling norms and drops those at the end that the tolerance allows. Cost O(n r^2 + r^3). */

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

/* A basis of functions that grows with the points seen: the Newton basis of a kernel.
 *
 * Points u_1, u_2, ... come one at a time. T is the upper triangle with T^T T = k(U,U), and every x has the coordinates
 *
 *     phi(x) = T^-T k(U, x),     f(x) = phi(x).w + rest,     w ~ N(0, I),     var(rest) = k(x,x) - |phi(x)|^2
 *
 * in which the values at the points of U have no rest. A new point adds a row and a column to T and leaves the rest of
 * it alone, so that what was learned about w stays true.
 *
 * Points come in no good order, and between near-duplicates the triangle of k(U,U) itself would amplify its rounding
 * errors until the rests are wrong (measured: 0 for 3e-4, after 150 points of a smooth kernel in the plane). So each
 * point has a value of its own beside f, of variance NUGGET k(x,x): the triangle is that of k(U,U) + NUGGET diag, no
 * number in its inverse is above 1 / sqrt(NUGGET), and rests, however small, are good to a fraction of themselves. To
 * what is learned the nugget is a little more noise: with n answers of noise variance s about a point, results are off
 * by about NUGGET n / s of what these answers changed.
 *
 * A point whose rest is at most `tolerance` times k(x,x) adds no dimension: its coordinates say all there is to say
 * about it. A smooth kernel then has no more dimensions than it needs, at a price: of a point left out whose rest has
 * variance v the mean elsewhere may be off by about sqrt(v n / s).
 *
 * Müller and Schaback, A Newton basis for kernel spaces, Journal of Approximation Theory 2009. */

#define SPAR__NEWTON_NUGGET 1e-14
#define SPAR__NEWTON_KNOWN 1e-13 /* a tolerance well above what nugget and rounding make of a rest of 0 */

typedef struct spar__newton {
    double tolerance;
    size_t r;      /* points kept: dimensions */
    size_t stride; /* numbers in a row of T: room for as many */
    double *T;     /* zeros below the diagonal and beyond r */
    double *u;     /* r x dim */
} spar__newton;

/* Room for that many points of dim numbers; as it was when memory fails. An empty basis is all zeros but for its
 * tolerance. */
spar_status spar__newton_grow(spar__newton *basis, size_t dim, size_t capacity);
void spar__newton_free(spar__newton *basis);
void spar__newton_forget(spar__newton *basis);

/* The coordinates of x, r numbers; returns the variance of the rest, >= 0. */
double spar__newton_at(const spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi);

/* The same for n points; phi is r x lanes (lanes = spar__padded(n)), a column each. rest may be NULL. */
void spar__newton_columns(const spar__newton *basis, const spar__kernel *kernel, size_t n, const double *x, double *phi,
                          double *rest);

/* The values at the points of U of m functions with weights w (m x r), m x r. */
void spar__newton_values(const spar__newton *basis, size_t m, const double *w, double *value);

/* Takes in a point, for which there is room, and gives its coordinates in phi (r numbers afterwards). Returns the
 * variance of the rest that they leave out: 0 when it added a dimension. */
double spar__newton_append(spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi);

/* The triangle of a kernel on many points at once, or of any positive definite matrix.
 *
 * By blocks, for points in any order: a nugget of NUGGET k(x,x) on the diagonal (see spar__newton) keeps it from
 * breaking down where points are close together. n^3 / 3 operations; 4096 points take 134 MB. */

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

/* A separable kernel on a product grid: one basis per axis, and the products of their columns that matter.
 *
 *     phi(i_1 .. i_d) = (phi_1[i_1][j_1] ... phi_d[i_d][j_d])  for the kept (j_1 .. j_d)
 *
 * Left out are products whose largest squares, added up, stay within the tolerance. Grid points are numbered with the
 * last axis running fastest. Values of the whole grid cost n_1 .. n_d times the rank of the last axis, so a grid of a
 * million points takes milliseconds, and little memory when it is done slab by slab. */

enum { SPAR__KRON_AXES = 6 };

typedef struct spar__kron {
    size_t d;
    spar__basis axis[SPAR__KRON_AXES]; /* n points and r columns each */
    double *last;                      /* the last axis's basis by columns */
    size_t points;                     /* of the grid */
    size_t cells;                      /* product of the axes' ranks */
    size_t r;
    size_t *cell;    /* of each kept product, its place among all of them: the last axis runs fastest */
    size_t *column;  /* r x d: its columns */
    double residual; /* largest variance left out, of any point */
} spar__kron;

/* coordinate[a]: the n[a] distinct values of axis a; kernel separable, of d = kernel->dim <= SPAR__KRON_AXES. Tolerance
 * and max_rank as in spar__basis_make. */
spar_status spar__kron_make(const spar__kernel *kernel, const size_t *n, const double *const *coordinate,
                            double tolerance, size_t max_rank, spar__kron *out);
void spar__kron_free(spar__kron *kron);

/* phi of a grid point, r values. */
void spar__kron_row(const spar__kron *kron, size_t point, double *phi);

/* The weights w[j * stride] of the products j, as a table of all cells, zero for those left out. */
void spar__kron_spread(const spar__kron *kron, const double *w, size_t stride, double *table);

/* A table in the place of an axis's basis: the values of its r columns at n places. */
typedef struct spar__kron_side {
    size_t n;
    const double *value; /* n x r; of the last axis r x n */
    size_t stride;       /* numbers from one row of it to the next */
} spar__kron_side;

/* The places from .. from + n - 1 of axis a itself. */
spar__kron_side spar__kron_part(const spar__kron *kron, size_t a, size_t from, size_t n);

/* out = phi w for all combinations of the places of d sides, the last one running fastest; `table` is w spread out. A
 * value has the same bits whichever others are computed with it. work has spar__kron_work(kron, side) places. */
void spar__kron_apply(const spar__kron *kron, const spar__kron_side *side, const double *table, double *work,
                      double *out);
size_t spar__kron_work(const spar__kron *kron, const spar__kron_side *side);

#endif
