#include "posterior/beta/survival.h"

#include "num/elementary.h"
#include "num/special.h"

#include <math.h>

#define LOG_SCALE (512 * 0x1.62e42fefa39efp-1) /* log 2^512 */

void spar__survival_start(double a, double b, double c, double *S, double *D, double *scale)
{
    double log_power;
    *S = spar__beta_sf_power(a, b, c, &log_power);
    *scale = fmax(0, floor(-log_power / LOG_SCALE + 0.5));
    *D = spar__exp(log_power + *scale * LOG_SCALE);
    spar__survival_rescale(1, D, scale);
}

bool spar__survival_sound(double a, double b, double c, double S, double D, double scale)
{
    double right_S, right_D, right_scale;
    spar__survival_start(a, b, c, &right_S, &right_D, &right_scale);
    double count = a + b; /* at least the steps that were taken */
    if (!(fabs(S - right_S) <= 1e-9 + 1e-15 * count) || !(S >= 0 && S <= 1) || !(D > 0) || scale != floor(scale))
        return false;
    if (scale == right_scale + 1) /* either is right on the edge */
        D *= 0x1p-512;
    else if (scale == right_scale - 1)
        D *= 0x1p+512;
    else if (scale != right_scale)
        return false;
    return scale >= 0 && D >= 0x1p-300 && D <= 0x1p+300 && fabs(D / right_D - 1) < 1e-10 + 1e-14 * count;
}

/* Peizer and Pratt (1968), a normal approximation: theta > c when of a + b - 1 trials with chance c fewer than a
 * succeed. */
double spar__survival_rough(double a, double b, double c)
{
    double p = c, q = 1 - c, n = a + b - 1, s = a - 0.5, t = b - 0.5;
    double d = s + 1.0 / 6 - (n + 1.0 / 3) * p + 0.02 * (q / (s + 0.5) - p / (t + 0.5) + (q - 0.5) / (n + 1));
    double gap = s - n * p, variance = n * p * q;
    if (gap * gap < 1e-6 * variance)
        return spar__normal_cdf(d / sqrt(variance));
    double deviance = s * spar__log(s / (n * p)) + t * spar__log(t / (n * q));
    return spar__normal_cdf(d / fabs(gap) * sqrt(fmax(0, 2 / (1 + 1 / (6 * n)) * deviance)));
}
