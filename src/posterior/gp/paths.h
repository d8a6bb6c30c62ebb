/* paths.h - functions drawn from the posterior, that can be asked for their value and slope anywhere.
 *
 * Matheron's rule, with random features for the prior (Wilson et al., ICML 2020): a function drawn from the prior, plus
 * what takes it to values drawn from the posterior at the points of the basis,
 *
 *     f(x) = prior(x) + k(x, U) T^-1 (w - T^-T prior(U)),     w ~ the posterior of the weights
 *
 * At the points of U the values have exactly their posterior law; elsewhere it is exact but for the number of
 * features. Paths drawn together share their frequencies and are independent but for these. With F features and d
 * dimensions m paths take O(m r (r + F)) operations to draw, and a value or a slope O((r + F) d). */
#ifndef SPAR_POSTERIOR_GP_PATHS_H
#define SPAR_POSTERIOR_GP_PATHS_H

#include "num/kernel.h"
#include "num/laplace.h"
#include "posterior/gp/features.h"

typedef struct spar__paths {
    const spar__kernel *kernel;
    const spar__newton *basis;
    spar__features features;
    size_t m, lanes; /* functions; columns of the tables below */
    double *weight;  /* features.n x lanes */
    double *coef;    /* r x lanes: the weight of each k(x, u) */
    double *line;    /* m x (features.n + r): weight and coef, function by function */
    double *at_u;    /* m x r: their values at the points of the basis */
    double *work;    /* of every question: paths are asked by one thread */
} spar__paths;

/* Takes memory from the scratch, which the caller releases. How far functions are from the mean is multiplied by
 * explore; 1 is the posterior. */
spar_status spar__paths_draw(spar__paths *paths, const spar__kernel *kernel, const spar__newton *basis,
                             const spar__weights *weights, double explore, size_t m, spar_scratch *scratch,
                             spar_rng *rng);

/* The posterior mean as a path, the only one: no features, the same questions. */
spar_status spar__paths_mean(spar__paths *paths, const spar__kernel *kernel, const spar__newton *basis,
                             const spar__weights *weights, spar_scratch *scratch);

/* The values of all functions at n points, n x lanes (columns beyond m have no meaning); of one, n numbers. */
void spar__paths_values(const spar__paths *paths, size_t n, const double *x, double *value);
void spar__path_values(const spar__paths *paths, size_t j, size_t n, const double *x, double *value);

/* Value and gradient (dim numbers) of function j at x. */
double spar__path_slope(const spar__paths *paths, size_t j, const double *x, double *gradient);

#endif
