/* newton.h - a basis of functions that grows with the points seen: the Newton basis of a kernel.
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
#ifndef SPAR_NUM_NEWTON_H
#define SPAR_NUM_NEWTON_H

#include "base/error.h"
#include "num/kernel.h"
#include "num/linear.h"

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

#endif
