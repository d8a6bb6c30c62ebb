/* special.h - special functions, on the elementary functions of this layer: the same bits on every CPU.
 *
 * Stated errors are relative to the value unless said otherwise. */
#ifndef SPAR_NUM_SPECIAL_H
#define SPAR_NUM_SPECIAL_H

/* log Gamma(x), x > 0 (NaN below 0, inf at 0). Error <= 1e-15 max(1, |value|). */
double spar__lgamma(double x);

/* log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2), x > 0: what Stirling's formula leaves out. Error <= 8e-15
 * absolute below 10, 1e-15 relative above. */
double spar__stirling(double x);

/* P(Beta(a,b) > x) with relative error <= 1e-12 where the value is above 1e-290, for 0.01 <= a, b <= 1e7. x outside
 * [0,1] counts as 0 or 1. */
double spar__beta_sf(double a, double b, double x);

/* For 0 < x < 1, the upper tail and the logarithm of x^a (1-x)^b / B(a,b), x (1-x) times the density, at the price of
 * one. */
double spar__beta_sf_power(double a, double b, double x, double *log_power);

/* The logarithms of both tails over that product (Mills' ratio), for 0 < x < 1 and 1 <= a, b <= 1e7: error <= 1e-12
 * max(1, |value|), and no underflow. The logarithm of a tail is this plus the logarithm of the product. */
void spar__log_beta_mills(double a, double b, double x, double *below, double *above);

/* P(Z <= x), error <= 2e-15 down to the smallest normal double. */
double spar__normal_cdf(double x);

/* The Beta law on either side of 1/2, from which beliefs about a pair of arms say which one is better. */

/* P(Beta(a,b) > 1/2) for finite a, b >= 1, error <= 1e-14 absolute; exactly 1/2 where a = b, and the values of (a,b)
 * and (b,a) add up to exactly 1. */
double spar__beta_above_half(double a, double b);

/* The logistic function of a normal variable.
 *
 * With sigma(f) = 1 / (1 + exp(-f)) and f ~ N(mean, sd^2): the mean and the variance of sigma(f), each within 1e-11 for
 * sd up to 100. Trapezoidal rule: sigma has no pole within pi of the real axis, so that the error falls as exp(-2 pi^2
 * / (h sd)) with the distance h of the nodes in standard deviations. 41 logistics where sd <= 1.5, 27 sd beyond.
 */

void spar__squash_moments(double mean, double sd, double *squashed_mean, double *squashed_variance);

#endif
