/* taste.h - a utility over a space from duels of its points, from the definitions alone: dense matrices over the duels,
 * plain Newton steps, no basis and no shortcut. It shares no code with the library. */
#ifndef SPAR_TESTS_REFERENCE_TASTE_H
#define SPAR_TESTS_REFERENCE_TASTE_H

#include <stddef.h>

enum { REF_TASTE_DIM = 8, REF_TASTE_DUELS = 256, REF_TASTE_LENGTHS = 6, REF_TASTE_SCALES = 4 };
enum { REF_TASTE_CELLS = REF_TASTE_LENGTHS * REF_TASTE_SCALES };

/* x was preferred to y so many times, and y to x. */
typedef struct ref_taste_duel {
    double x[REF_TASTE_DIM], y[REF_TASTE_DIM];
    double won, lost;
} ref_taste_duel;

/* The posterior of one length and scale. */
typedef struct ref_taste_cell {
    double size, scale, weight;
    double *slope; /* n: of the log likelihood at the mode; the mean of h is sum_i slope_i cov(h, f(x_i) - f(y_i)) */
    double *root;  /* n: W^1/2 */
    double *lower; /* n x n: Cholesky factor of I + W^1/2 K W^1/2 */
} ref_taste_cell;

typedef struct ref_taste {
    size_t dim, axis[REF_TASTE_DIM], axes;
    size_t references;
    const double *reference; /* references x dim; borrowed */
    size_t n;
    ref_taste_duel duel[REF_TASTE_DUELS];
    double shape[REF_TASTE_DIM]; /* of each axis */
    ref_taste_cell cell[REF_TASTE_CELLS];
} ref_taste;

/* After the duels are in place. Everything else is set by it; close frees it. */
void ref_taste_compute(ref_taste *taste);
void ref_taste_close(ref_taste *taste);

/* The mixture's mean of f(x) less the mean over the points of reference, with the ends of its interval of 95 %. */
void ref_taste_at(const ref_taste *taste, const double *x, double *mean, double *low, double *high);

/* The chance that x is preferred to y, integrated. */
double ref_taste_against(const ref_taste *taste, const double *x, const double *y);

/* The means of the logarithms over the mixture, as a length and a scale. */
double ref_taste_length(const ref_taste *taste);
double ref_taste_scale(const ref_taste *taste);

#endif
