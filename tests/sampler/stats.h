/* stats.h - how far a sample is from a law. Bounds are near 5 sigma. */
#ifndef SPAR_TESTS_STATS_H
#define SPAR_TESTS_STATS_H

#include <math.h>
#include <stdlib.h>

/* P(sqrt(n) D > 2.7) = 9e-7 for the Kolmogorov-Smirnov distance D. */
#define KS_LIMIT 2.7

typedef double cdf(double x, const void *law);

static inline int stats_compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* sqrt(n) times the distance; sorts x. NaN in the sample gives infinity. */
__attribute__((unused)) static double ks(size_t n, double *x, cdf *f, const void *law)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]))
            return (double)INFINITY;
    qsort(x, n, sizeof *x, stats_compare);
    for (size_t i = 0; i < n; i++) {
        double p = f(x[i], law), below = (double)i / (double)n, upto = (double)(i + 1) / (double)n;
        worst = fmax(worst, fmax(p - below, upto - p));
    }
    return worst * sqrt((double)n);
}

/* How many standard deviations a count of successes is from n p. */
__attribute__((unused)) static double deviation(size_t n, double count, double p)
{
    double mean = (double)n * p, sd = sqrt((double)n * p * (1 - p));
    return sd > 0 ? (count - mean) / sd : count == mean ? 0 : (double)INFINITY;
}

/* (chi-square - degrees) / sqrt(2 degrees) over cells merged from left to right until each expects 20 or more. */
__attribute__((unused)) static double chi_square(size_t n, size_t cells, const double *count, const double *p)
{
    double sum = 0, seen = 0, wanted = 0, degrees = -1, rest = (double)n;
    for (size_t i = 0; i < cells; i++) {
        seen += count[i];
        wanted += (double)n * p[i];
        if ((wanted >= 20 && rest - wanted >= 20) || i + 1 == cells) {
            rest -= wanted;
            sum += wanted > 0 ? (seen - wanted) * (seen - wanted) / wanted : seen > 0 ? (double)INFINITY : 0;
            degrees += 1;
            seen = wanted = 0;
        }
    }
    return degrees > 0 ? (sum - degrees) / sqrt(2 * degrees) : sum;
}

/* sqrt(n) times the correlation of x[i] and x[i + lag], about normal when they are independent. */
__attribute__((unused)) static double serial(size_t n, const double *x, size_t lag)
{
    double mean = 0, square = 0, product = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (x[i] - mean) * (x[i] - mean);
    for (size_t i = 0; i + lag < n; i++)
        product += (x[i] - mean) * (x[i + lag] - mean);
    return product / square * sqrt((double)n);
}

#endif
