/* The gamma law by Marsaglia and Tsang (2000): with d = shape - 1/3, c = 1 / sqrt(9 d) and a normal x, d (1 + c x)^3 is
 * accepted with probability exp(x^2/2 + d - d v + d log v). Per try a normal, then a uniform. */
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>

double spar__gamma(spar_rng *rng, double shape)
{
    if (!(shape > 0))
        return (double)NAN;
    if (shape < 1)
        return spar__exp(spar__gamma_log(rng, shape));
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = spar__normal(rng), y = c * x;
        if (y <= -1)
            continue;
        double u = spar__uniform_open(rng), x2 = x * x;
        double value = d * (1 + y) * (1 + y) * (1 + y);
        if (u < 1 - 0.0331 * x2 * x2) /* below the acceptance for every shape >= 1 */
            return value;
        /* 1 - v + log v with v = (1 + y)^3, without the cancellation of large d */
        if (spar__log(u) < 0.5 * x2 + d * (3 * (spar__log1p(y) - y) - y * y * (3 + y)))
            return value;
    }
}

/* Below shape 1, G(shape) = G(shape + 1) U^(1/shape). First the gamma, then the exponential. */
double spar__gamma_log(spar_rng *rng, double shape)
{
    if (shape >= 1)
        return spar__log(spar__gamma(rng, shape));
    double above = spar__log(spar__gamma(rng, shape + 1));
    return above - spar__exponential(rng) / shape;
}
