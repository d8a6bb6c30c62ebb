/* law.h - the probability that each of several independent Beta variables is the largest, by quadrature. */
#ifndef SPAR_TESTS_POSTERIOR_BETA_LAW_H
#define SPAR_TESTS_POSTERIOR_BETA_LAW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* P(theta_i is the largest among those that are in) for theta_i ~ Beta(a[i], b[i]).
 *
 * On the scale s = log(x / (1 - x)) the density is x^a (1-x)^b / B(a,b), without poles; its sum normalises it and its
 * running sum is the distribution function, so that nothing is borrowed from a library of special functions. */
__attribute__((unused)) static void best_law(size_t n, const double *a, const double *b, const bool *in, double *p)
{
    double least = 1e9, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, fmin(a[i], b[i]));
        most = fmax(most, a[i] + b[i]);
    }
    double span = 40 / fmin(least, 1), step = fmin(0.05, 0.1 / sqrt(most)) * fmax(1, span / 400);
    size_t points = (size_t)(2 * span / step) + 1;
    double *f = calloc(points * n, sizeof *f), *below = calloc(n, sizeof *below);
    if (!f || !below)
        abort();
    for (size_t i = 0; i < n; i++) {
        double sum = 0, mode = a[i] * log(a[i] / (a[i] + b[i])) + b[i] * log(b[i] / (a[i] + b[i]));
        for (size_t k = 0; k < points; k++) {
            double s = -span + step * (double)k;
            double log_x = s > 0 ? -log1p(exp(-s)) : s - log1p(exp(s)), log_y = log_x - s;
            sum += f[i * points + k] = exp(a[i] * log_x + b[i] * log_y - mode);
        }
        for (size_t k = 0; k < points; k++)
            f[i * points + k] /= sum;
        p[i] = 0;
    }
    for (size_t k = 0; k < points; k++) {
        for (size_t i = 0; i < n; i++) {
            double others = in[i] ? f[i * points + k] : 0;
            for (size_t j = 0; j < n && others > 0; j++)
                if (in[j] && j != i)
                    others *= below[j] + f[j * points + k] / 2;
            p[i] += others;
        }
        for (size_t i = 0; i < n; i++)
            below[i] += f[i * points + k];
    }
    free(f);
    free(below);
}

#endif
