/* taste.h - a utility over a space, from answers about its points: what is believed of points that nobody has seen.
 *
 *     f ~ GP(0, scale^2 k(x, y; length)),     P(x is preferred to y) = 1 / (1 + exp(f(y) - f(x)))
 *
 * The unit of f is log-odds, as for standings. Like those it comes from the answers alone, whatever policy chose the
 * points. A choice of one from k enters as k - 1 duels of weight 2 / k, which say as much as that choice where all are
 * equal (for two points it is the choice itself); a ranking is one choice after the other; a tie is half a duel each
 * way.
 *
 * How much the length of each axis differs from the others is fitted by maximum evidence from 30 answers on, with a
 * normal prior on its logarithm (deviation 0.7). Neither length nor scale is known. All pairs of a small grid are
 * tried: the posterior of each is Laplace's approximation (num/laplace.h), and what is said is the mixture of them by
 * their evidence and their prior: scale half-normal with deviation sqrt(11), per unit of its logarithm; log length
 * normal about log 0.4 with deviation 0.7. Pairs of less than e^-7 of the largest weight are left out. An interval that
 * took the best pair for certain would be too narrow. Those here still are, a little: for utilities by this prior they
 * hold in 93 of 100 cases with one axis, in 88 with three (tests/decide/taste_long.c).
 *
 * f is known only up to a constant, so all values are relative to the mean of f over points of reference, which the
 * caller chooses (equal ones count once) and which stand in the basis (num/kernel.h): their mean has no rest.
 *
 * Cost: for n points and N duels a pair of the grid takes about n r^2 + 3 N r^2 operations, r <= 256 functions. 200
 * answers take 0.3 s in all over three axes, 1.5 s over sixteen. Lengths and scales are weighed by the newest 250
 * pairs. Points beyond r functions are projected on these: after many hundreds of answers about points all over a space
 * of three axes or more intervals become too narrow (those that a policy chose lie together, and are few).
 *
 * Chu and Ghahramani, Preference learning with Gaussian processes, ICML 2005.
 *
 * Threads: one at a time for each taste. NULL is refused unless said otherwise:
 * see status.h. */
#ifndef SPAR_TASTE_H
#define SPAR_TASTE_H

#include <spar/answer.h>
#include <spar/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_taste spar_taste;

/* Over points of dim numbers, number d being part of axis[d] (0, 1, 2, ... rising, else SPAR_INVALID); n >= 1 points of
 * reference (n x dim) are copied. */
SPAR_API spar_status spar_taste_new(size_t dim, const size_t *axis, size_t n, const double *reference,
                                    spar_taste **out);
SPAR_API void spar_taste_free(spar_taste *taste); /* NULL is fine */

/* An answer in terms of the m slots, which showed the points x (m x dim). Bad and skip say nothing. */
SPAR_API spar_status spar_taste_tell(spar_taste *taste, size_t m, const double *x, const spar_answer *answer,
                                     spar_error *err);

/* After the answers, before the questions below, which refuse with SPAR_INVALID or give 0 without it. */
SPAR_API spar_status spar_taste_compute(spar_taste *taste, spar_error *err);

/* The mean of f at x: cheap. And with an interval of 95 %; each of the three may be NULL. */
SPAR_API double spar_taste_mean(const spar_taste *taste, const double *x);
SPAR_API spar_status spar_taste_at(const spar_taste *taste, const double *x, double *mean, double *low, double *high);

/* The chance that x is preferred to y. */
SPAR_API spar_status spar_taste_against(const spar_taste *taste, const double *x, const double *y, double *chance);

/* The points that were told, each once, without those of reference: x is borrowed until the next answer. */
SPAR_API size_t spar_taste_points(const spar_taste *taste, const double **x);

/* The mixture's length and scale: geometric means. */
SPAR_API double spar_taste_length(const spar_taste *taste);
SPAR_API double spar_taste_scale(const spar_taste *taste);

#ifdef __cplusplus
}
#endif

#endif
