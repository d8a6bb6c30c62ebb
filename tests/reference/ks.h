/* ks.h - are two samples from one distribution? Two-sample Kolmogorov-Smirnov, and the z of the difference of means.
 * ks_statistic compares the two empirical distribution functions at every value of either sample, so ties are exact;
 * on distributions with ties the p-value is conservative. A NaN in either sample gives the statistic 1. */
#ifndef SPAR_TESTS_REFERENCE_KS_H
#define SPAR_TESTS_REFERENCE_KS_H

#include <math.h>
#include <stddef.h>

/* The share of the sample that is <= at. */
__attribute__((unused)) static double ks_cdf(const double *sample, size_t n, double at)
{
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += sample[i] <= at;
    return (double)below / (double)n;
}

__attribute__((unused)) static double ks_statistic(const double *a, size_t na, const double *b, size_t nb)
{
    double most = 0;
    for (size_t i = 0; i < na + nb; i++) {
        double at = i < na ? a[i] : b[i - na];
        if (isnan(at))
            return 1;
        most = fmax(most, fabs(ks_cdf(a, na, at) - ks_cdf(b, nb, at)));
    }
    return most;
}

/* Asymptotic P(statistic >= d) when both samples come from one continuous distribution (Kolmogorov's series). */
__attribute__((unused)) static double ks_p_value(double d, size_t na, size_t nb)
{
    double x = d * sqrt((double)na * (double)nb / ((double)na + (double)nb));
    if (x < 0.2)
        return 1; /* the series converges slowly here; 1 - p < 1e-12 */
    double sum = 0;
    for (int i = 1; i <= 100; i++)
        sum += (i % 2 ? 2 : -2) * exp(-2.0 * i * i * x * x);
    return fmin(1, fmax(0, sum));
}

__attribute__((unused)) static double ks_mean(const double *sample, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += sample[i];
    return sum / (double)n;
}

/* Unbiased (n - 1). */
__attribute__((unused)) static double ks_variance(const double *sample, size_t n)
{
    double mean = ks_mean(sample, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (sample[i] - mean) * (sample[i] - mean);
    return sum / ((double)n - 1);
}

/* (mean a - mean b) / its standard error; two different constants give an infinity, equal ones 0. */
__attribute__((unused)) static double ks_mean_z(const double *a, size_t na, const double *b, size_t nb)
{
    double difference = ks_mean(a, na) - ks_mean(b, nb);
    double error = sqrt(ks_variance(a, na) / (double)na + ks_variance(b, nb) / (double)nb);
    return difference == 0 ? 0 : difference / error;
}

#endif
