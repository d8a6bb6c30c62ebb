/* The Poisson law. Below mean 10 the number of uniforms whose product stays above exp(-mean); from there transformed
 * rejection (Hoermann 1993, PTRS), two uniforms per try, about 1.15 tries. */
#include "num/elementary.h"
#include "num/special.h"
#include "sampler/sampler.h"

#include <math.h>

static double by_product(spar_rng *rng, double mean)
{
    double least = spar__exp(-mean), product = spar__uniform_open(rng), k = 0;
    for (; product > least; k++)
        product *= spar__uniform_open(rng);
    return k;
}

/* log of exp(-mean) mean^k / k!, in Loader's form, which keeps its precision at large means. */
static double log_mass(double k, double mean)
{
    if (k == 0)
        return -mean;
    double d = (mean - k) / k;
    double log_ratio = d < -0.5 ? spar__log(mean / k) : spar__log1p(d);
    return k * (log_ratio - d) - spar__stirling(k) - 0.5 * spar__log(6.283185307179586 * k);
}

static double by_rejection(spar_rng *rng, double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    double scale = 1.1239 + 1.1328 / (b - 3.4), sure = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = spar__uniform_open(rng) - 0.5, v = spar__uniform_open(rng), edge = 0.5 - fabs(u);
        double k = floor((2 * a / edge + b) * u + mean + 0.43);
        if (edge >= 0.07 && v <= sure)
            return k;
        if (k < 0 || (edge < 0.013 && v > edge))
            continue;
        if (spar__log(v * scale / (a / (edge * edge) + b)) <= log_mass(k, mean))
            return k;
    }
}

double spar__poisson(spar_rng *rng, double mean)
{
    if (!(mean > 0))
        return mean == 0 ? 0 : (double)NAN;
    return mean < 10 ? by_product(rng, mean) : by_rejection(rng, mean);
}
