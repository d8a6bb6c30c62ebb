/* gauss.h - a Gaussian vector, one number per arm: its mean and dense covariance, conditioned on one noisy observation
 * of one entry at a time. */
#ifndef SPAR_TESTS_REFERENCE_GAUSS_H
#define SPAR_TESTS_REFERENCE_GAUSS_H

#include "reference/gp_textbook.h"

#include <gsl/gsl_rng.h>
#include <stddef.h>

typedef struct ref_gauss {
    size_t k;
    double *mean;       /* k */
    double *covariance; /* k * k */
    double *factor;     /* k * k, covariance = factor factor^T; of no use when stale */
    size_t rank;        /* columns of the factor */
    int stale;
} ref_gauss;

/* Mean 0, covariance kernel(x_i, x_j). */
ref_gauss ref_gauss_open(const double *x, size_t k, const textbook_kernel *kernel);
void ref_gauss_close(ref_gauss *gauss);
void ref_gauss_observe(ref_gauss *gauss, size_t i, double value, double noise);
void ref_gauss_draw(ref_gauss *gauss, gsl_rng *rng, double *out);

/* Cholesky with pivots of a k * k semidefinite matrix, given by its diagonal and a function for its columns; the factor
 * is k * rank, column c at factor + c * k. Stops when no variance is left. Returns the rank. */
typedef void ref_column(const void *matrix, size_t j, double *column);
size_t ref_pivoted_factor(size_t k, double *diagonal, ref_column *column, const void *matrix, double *factor);

#endif
