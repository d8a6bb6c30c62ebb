/* The Beta law from two gammas, X / (X + Y). With a shape below 1 a gamma may be far below the smallest double, and
 * only the difference of the logs tells: theta = 1 / (1 + exp(log Y - log X)). */
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>

double spar__beta(spar_rng *rng, double a, double b)
{
    if (!(a > 0 && b > 0))
        return (double)NAN;
    if (a >= 1 && b >= 1) {
        double x = spar__gamma(rng, a);
        return x / (x + spar__gamma(rng, b));
    }
    double x = spar__gamma_log(rng, a), y = spar__gamma_log(rng, b);
    if (isinf(x) && isinf(y)) /* shapes so small that the law is a coin */
        return spar_rng_uniform(rng) < a / (a + b);
    return spar__logistic(x - y);
}
