/* gauss.c - a Gaussian vector with a dense covariance. */
#include "reference/gauss.h"

#include "reference/parts.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* What rounding leaves of a variance of 0; the largest variance here is about 1. */
static const double NO_VARIANCE = 1e-13;

ref_gauss ref_gauss_open(const double *x, size_t k, const textbook_kernel *kernel)
{
    ref_gauss gauss = {
        .k = k, .mean = ref_zeros(k), .covariance = ref_zeros(k * k), .factor = ref_zeros(k * k), .stale = 1};
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            gauss.covariance[i * k + j] = (double)textbook_kernel_at(kernel, &x[i * kernel->dim], &x[j * kernel->dim]);
    return gauss;
}

void ref_gauss_close(ref_gauss *gauss)
{
    free(gauss->mean);
    free(gauss->covariance);
    free(gauss->factor);
}

/* mean += c (value - mean_i) / (c_i + noise), covariance -= c c^T / (c_i + noise), c = column i of the covariance */
void ref_gauss_observe(ref_gauss *gauss, size_t i, double value, double noise)
{
    size_t k = gauss->k;
    double *column = ref_zeros(k);
    for (size_t j = 0; j < k; j++)
        column[j] = gauss->covariance[j * k + i];
    double total = column[i] + noise, surprise = value - gauss->mean[i];
    for (size_t a = 0; a < k; a++) {
        double gain = column[a] / total;
        gauss->mean[a] += gain * surprise;
        for (size_t b = 0; b < k; b++)
            gauss->covariance[a * k + b] -= gain * column[b];
    }
    free(column);
    gauss->stale = 1;
}

size_t ref_pivoted_factor(size_t k, double *diagonal, ref_column *column, const void *matrix, double *factor)
{
    for (size_t rank = 0; rank < k; rank++) {
        size_t pivot = 0;
        for (size_t i = 0; i < k; i++)
            if (diagonal[i] > diagonal[pivot])
                pivot = i;
        if (diagonal[pivot] <= NO_VARIANCE)
            return rank;
        double *next = factor + rank * k, root = sqrt(diagonal[pivot]);
        column(matrix, pivot, next);
        for (size_t c = 0; c < rank; c++)
            for (size_t i = 0; i < k; i++)
                next[i] -= factor[c * k + i] * factor[c * k + pivot];
        for (size_t i = 0; i < k; i++) {
            next[i] /= root;
            diagonal[i] -= next[i] * next[i];
        }
        diagonal[pivot] = 0;
    }
    return k;
}

static void covariance_column(const void *matrix, size_t j, double *column)
{
    const ref_gauss *gauss = matrix;
    for (size_t i = 0; i < gauss->k; i++)
        column[i] = gauss->covariance[i * gauss->k + j];
}

void ref_gauss_draw(ref_gauss *gauss, gsl_rng *rng, double *out)
{
    size_t k = gauss->k;
    if (gauss->stale) {
        double *diagonal = ref_zeros(k);
        for (size_t i = 0; i < k; i++)
            diagonal[i] = gauss->covariance[i * k + i];
        gauss->rank = ref_pivoted_factor(k, diagonal, covariance_column, gauss, gauss->factor);
        gauss->stale = 0;
        free(diagonal);
    }
    for (size_t i = 0; i < k; i++)
        out[i] = gauss->mean[i];
    for (size_t c = 0; c < gauss->rank; c++) {
        double z = gsl_ran_gaussian(rng, 1);
        for (size_t i = 0; i < k; i++)
            out[i] += gauss->factor[c * k + i] * z;
    }
}
