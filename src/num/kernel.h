/* kernel.h - covariance functions of a Gaussian process. With d_i = (x_i - y_i) / length_i and s = |d|:
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

#include <stdbool.h>
#include <stddef.h>

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

#endif
