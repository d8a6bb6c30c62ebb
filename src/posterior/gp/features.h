/* features.h - random functions with a kernel's covariance, as finite sums.
 *
 * A stationary kernel is the mean of variance cos(omega.(x - y)) over its spectral law: SE normal, Matern nu a
 * multivariate t with 2 nu degrees of freedom, a product of Materns a t in every dimension. With a frequency omega_k
 * drawn from it and two standard normals a, b each,
 *
 *     f(x) = sqrt(variance / F) sum_k a_k cos(omega_k.x) + b_k sin(omega_k.x)
 *
 * has the kernel as its covariance when the frequencies are drawn too, exactly the kernel's variance at every x for any
 * frequencies, and tends to a Gaussian process as F grows (Rahimi and Recht, NIPS 2007). A linear kernel has the
 * coordinates as features and needs no random numbers. */
#ifndef SPAR_POSTERIOR_GP_FEATURES_H
#define SPAR_POSTERIOR_GP_FEATURES_H

#include "base/alloc.h"
#include "num/kernel.h"
#include "sampler/rng.h"

enum { SPAR__FREQUENCIES = 512 };

typedef struct spar__features {
    const spar__kernel *kernel;
    size_t n;           /* features of a point */
    size_t frequencies; /* half of them; 0 for a linear kernel */
    double amplitude;
    double *turns; /* dim x frequencies: turns per unit */
} spar__features;

/* Takes memory from the scratch, which the caller releases, and F x dim normals and the gammas of the t laws from the
 * rng. */
spar_status spar__features_draw(spar__features *features, const spar__kernel *kernel, spar_scratch *scratch,
                                spar_rng *rng);

/* The features of `count` points, count x n. */
void spar__features_at(const spar__features *features, size_t count, const double *x, double *out);

/* The value at x of the function with these weights; its gradient is added to `gradient` (dim numbers). work has n
 * places. */
double spar__features_slope(const spar__features *features, const double *weight, const double *x, double *gradient,
                            double *work);

#endif
