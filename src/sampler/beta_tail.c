/* The Beta law cut at a point: theta given theta > c, exactly, for a, b >= 1.
 *
 * Below the top of the law, plain rejection: draw until one exceeds c, which at least about 3 of 8 do. Above it, with
 * 1 - theta = (1 - c) exp(-t), t >= 0 has the density
 *     g(t) = x^(a-1) exp(-b t),   x = 1 - (1 - c) exp(-t),
 * whose log is concave: its slope (a - 1) (1 - x) / x - b falls. So the tangent at any t1 is a hat, an exponential law
 * of rate r = b - (a - 1) (1 - x1) / x1, which is positive when c is above the top. With d = t - t1 and
 * p = (1 - x1) / x1 a try is accepted with probability
 *     exp((a - 1) (log(1 + p (1 - exp(-d))) - p d)).
 * t1 is where Robert (1995) puts it for the normal law with the slope and curvature of log g at 0: three of four tries
 * succeed where c is just above the top, more further out, and all when a = 1. */
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>

static double by_rejection(spar_rng *rng, double a, double b, double c)
{
    for (;;) {
        double theta = spar__beta(rng, a, b);
        if (theta > c)
            return theta;
    }
}

double spar__beta_above(spar_rng *rng, double a, double b, double c)
{
    double slope = b - (a - 1) * ((1 - c) / c); /* minus that of log g at 0; b at a = 1, also for c = 0 */
    if (!(c > 0) || !(slope > 0))
        return by_rejection(rng, a, b, c);
    if (!(c < 1))
        return 1;
    double bend = sqrt((a - 1) * (1 - c)) / c, z = slope / bend; /* root of the curvature; infinite z at a = 1 */
    double t1 = a > 1 ? 2 / ((sqrt(z * z + 4) + z) * bend) : 0;
    double y1 = (1 - c) * spar__exp(-t1), x1 = c - (1 - c) * spar__expm1(-t1), p = y1 / x1, rate = b - (a - 1) * p;
    for (;;) {
        double d = spar__exponential(rng) / rate - t1, gain = -spar__expm1(-d);
        double loss = (a - 1) * (p * d - spar__log1p(p * gain));
        if (loss <= 0 || spar__exponential(rng) > loss)
            return fmin(1, fmax(c, x1 + y1 * gain));
    }
}

double spar__beta_below(spar_rng *rng, double a, double b, double c)
{
    return 1 - spar__beta_above(rng, b, a, 1 - c);
}
