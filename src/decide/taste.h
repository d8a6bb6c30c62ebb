/* taste.h - a utility over a space, from answers about its points: what is believed of points that nobody has seen.
 *
 *     f ~ GP(0, scale^2 k(x, y; length)),     P(x is preferred to y) = 1 / (1 + exp(f(y) - f(x)))
 *
 * The unit of f is log-odds, as for standings. Like those it comes from the answers alone, whatever policy chose the
 * points. A choice of one from k enters as k - 1 duels of weight 2 / k, which say as much as that choice where all are
 * equal (for two points it is the choice itself); a ranking is one choice after the other; a tie is half a duel each
 * way.
 *
 * How much the length of each axis differs from the others is fitted by maximum evidence from LEAST answers on, with a
 * normal prior on its logarithm (deviation 0.7). Neither length nor scale is known. All pairs of a small grid are
 * tried: the posterior of each is Laplace's approximation (num/laplace.h), and what is said is the mixture of them by
 * their evidence and their prior: scale half-normal with deviation 3.3; log length normal about log 0.4
 * with deviation 0.7. An interval that took the best pair for certain would be too narrow.
 *
 * f is known only up to a constant, so all values are relative to the mean of f over points of reference, which the
 * caller chooses and which stand in the basis (num/newton.h): their mean has no rest.
 *
 * Cost: for n points and N duels a pair of the grid takes about n r^2 + 3 N r^2 operations, r <= 320 functions. 200
 * answers take 0.3 s in all.
 *
 * Chu and Ghahramani, Preference learning with Gaussian processes, ICML 2005. */
#ifndef SPAR_DECIDE_TASTE_H
#define SPAR_DECIDE_TASTE_H

#include "base/error.h"

#include <spar/answer.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct spar__taste spar__taste;

/* Over points of dim numbers, number d being part of axis[d] (0, 1, 2, ... rising); n >= 1 points of reference (n x
 * dim) are copied. */
spar_status spar__taste_new(size_t dim, const size_t *axis, size_t n, const double *reference, spar__taste **out);
void spar__taste_free(spar__taste *taste); /* NULL is fine */

/* An answer in terms of the m slots, which showed the points x (m x dim). Bad and skip say nothing. */
spar_status spar__taste_tell(spar__taste *taste, size_t m, const double *x, const spar_answer *answer, spar_error *err);

/* After the answers, before the questions below. */
spar_status spar__taste_compute(spar__taste *taste, spar_error *err);

typedef struct spar__taste_range {
    double mean, low, high; /* 95 % */
} spar__taste_range;

double spar__taste_mean(const spar__taste *taste, const double *x); /* cheap, without an interval */
spar_status spar__taste_at(const spar__taste *taste, const double *x, spar__taste_range *out);

/* The difference of f(x) and f(y), and the chance that x is preferred to y. */
spar_status spar__taste_against(const spar__taste *taste, const double *x, const double *y, spar__taste_range *out,
                                double *chance);

/* The points that were told, each once; the mixture's mean length and scale. */
size_t spar__taste_points(const spar__taste *taste, const double **x);
double spar__taste_length(const spar__taste *taste);
double spar__taste_scale(const spar__taste *taste);

#endif
