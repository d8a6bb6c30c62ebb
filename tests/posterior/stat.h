/* stat.h - counts against probabilities and samples against a law, in sigmas. */
#ifndef SPAR_TESTS_POSTERIOR_STAT_H
#define SPAR_TESTS_POSTERIOR_STAT_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* How far a chi-square with df degrees of freedom is out, as a standard normal (Wilson and Hilferty). */
__attribute__((unused)) static double chi_sigma(double chi, double df)
{
    if (df <= 0)
        return 0;
    return (cbrt(chi / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));
}

/* Counts against probabilities, in sigmas. Cells with few expected counts are pooled; a count where the probability is
 * 0 is infinitely far out, and so are nine where half a one is expected (once in 300 million). */
__attribute__((unused)) static double fit_sigma(size_t n, const double *count, const double *p)
{
    double total = 0, chi = 0, cells = 0, few = 0, few_expected = 0;
    for (size_t i = 0; i < n; i++)
        total += count[i];
    for (size_t i = 0; i < n; i++) {
        double expected = total * p[i];
        if (p[i] <= 0 && count[i] > 0)
            return INFINITY;
        if (expected < 10) {
            few += count[i];
            few_expected += expected;
            continue;
        }
        chi += (count[i] - expected) * (count[i] - expected) / expected;
        cells++;
    }
    if (few_expected > 0.5) {
        chi += (few - few_expected) * (few - few_expected) / few_expected;
        cells++;
    }
    double sigma = few_expected <= 0.5 && few > 8 ? INFINITY : chi_sigma(chi, cells - 1);
    if (!(sigma < 5))
        for (size_t i = 0; i < n; i++)
            printf("#   cell %zu: %g, expected %g\n", i, count[i], total * p[i]);
    return sigma;
}

/* Two samples over the same cells, in sigmas. */
__attribute__((unused)) static double same_sigma(size_t n, const double *x, const double *y)
{
    double sx = 0, sy = 0, chi = 0, cells = 0;
    for (size_t i = 0; i < n; i++) {
        sx += x[i];
        sy += y[i];
    }
    for (size_t i = 0; i < n; i++) {
        if (x[i] + y[i] < 10)
            continue;
        double d = sqrt(sy / sx) * x[i] - sqrt(sx / sy) * y[i];
        chi += d * d / (x[i] + y[i]);
        cells++;
    }
    return chi_sigma(chi, cells - 1);
}

__attribute__((unused)) static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) times the distance of Kolmogorov and Smirnov between a sample (which is sorted) and a law; beyond 2.74 once
 * in two million. */
__attribute__((unused)) static double ks_distance(size_t n, double *x, double (*cdf)(double, double, double), double a,
                                                  double b)
{
    double most = 0;
    qsort(x, n, sizeof *x, by_value);
    for (size_t i = 0; i < n; i++) {
        double f = cdf(x[i], a, b);
        most = fmax(most, fmax(fabs(f - (double)i / (double)n), fabs((double)(i + 1) / (double)n - f)));
    }
    return most * sqrt((double)n);
}

#endif
