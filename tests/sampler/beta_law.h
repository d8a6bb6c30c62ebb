/* beta_law.h - the Beta law for tests. */
#ifndef SPAR_TESTS_BETA_LAW_H
#define SPAR_TESTS_BETA_LAW_H

#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

typedef struct beta_law {
    double a, b;
} beta_law;

/* P(theta <= x). Where one parameter is a small whole number and the other large, the finite sum, which is exact: for
 * whole b, I_x(a,b) = x^a sum over j < b of (a)_j (1-x)^j / j!. */
static inline double beta_sum(double a, double b, double x, double y)
{
    double term = 1, sum = 1;
    for (double j = 1; j < b; j++) {
        term *= (a + j - 1) / j * y;
        sum += term;
    }
    return exp(a * (x > 0.5 ? log1p(-y) : log(x))) * sum;
}

__attribute__((unused)) static double beta_law_cdf(double x, const void *law)
{
    const beta_law *l = law;
    if (l->b <= 5 && l->b == floor(l->b))
        return x <= 0 ? 0 : beta_sum(l->a, l->b, x, 1 - x);
    if (l->a <= 5 && l->a == floor(l->a))
        return x >= 1 ? 1 : 1 - beta_sum(l->b, l->a, 1 - x, x);
    return gsl_cdf_beta_P(x, l->a, l->b);
}

#endif
