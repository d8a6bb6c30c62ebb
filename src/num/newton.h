/* newton.h - a basis of functions that grows with the points seen: the Newton basis of a kernel.
 *
 * Points u_1, u_2, ... come one at a time. T is the upper triangle with T^T T = k(U,U), and every x has the coordinates
 *
 *     phi(x) = T^-T k(U, x),     f(x) = phi(x).w + rest,     w ~ N(0, I),     var(rest) = k(x,x) - |phi(x)|^2
 *
 * in which the values at the points of U have no rest. A new point adds a row and a column to T and leaves the rest of
 * it alone, so that what was learned about w stays true. A point whose rest is nothing but rounding adds none: its
 * coordinates say all there is to say about it, and near-duplicates never break the factorisation.
 *
 * Müller and Schaback, A Newton basis for kernel spaces, Journal of Approximation Theory 2009. */
#ifndef SPAR_NUM_NEWTON_H
#define SPAR_NUM_NEWTON_H

#include "base/error.h"
#include "num/kernel.h"
#include "num/linear.h"

#include <stdbool.h>

/* The rest, relative to k(x,x), up to which a point counts as known. Measured against long double: from 1e-15 down
 * rounding takes part and a smooth kernel in two dimensions goes wrong altogether; at 1e-14 a linear kernel sees
 * dimensions that are not there; from 1e-12 up the errors of near-duplicates grow with its root, as they should.
 *
 * What is lost: of a point left out whose rest has variance v, seen n times with noise variance s, the mean elsewhere
 * may be off by about sqrt(v n / s). No double can do much better, since k(x,y) itself tells two points apart only
 * down to v = 1e-16. */
#define SPAR__NEWTON_TOLERANCE 1e-13

typedef struct spar__newton {
    size_t r;      /* points kept: dimensions */
    size_t stride; /* numbers in a row of T: room for as many */
    double *T;     /* zeros below the diagonal and beyond r */
    double *u;     /* r x dim */
} spar__newton;

/* Room for that many points of dim numbers; as it was when memory fails. An empty basis is all zeros. */
spar_status spar__newton_grow(spar__newton *basis, size_t dim, size_t capacity);
void spar__newton_free(spar__newton *basis);
void spar__newton_forget(spar__newton *basis);

/* The coordinates of x, r numbers; returns the variance of the rest, >= 0. */
double spar__newton_at(const spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi);

/* The same for n points; phi is r x lanes (lanes = spar__lanes(n)), a column each. rest may be NULL. */
void spar__newton_columns(const spar__newton *basis, const spar__kernel *kernel, size_t n, const double *x, double *phi,
                          double *rest);

/* The values at the points of U of m functions with weights w (m x r), m x r. */
void spar__newton_values(const spar__newton *basis, size_t m, const double *w, double *value);

/* Takes in a point, for which there is room, and gives its coordinates in phi (r numbers afterwards). False: it added
 * no dimension. */
bool spar__newton_append(spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi);

#endif
