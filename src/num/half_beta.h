/* half_beta.h - the Beta law on either side of 1/2, from which beliefs about a pair of arms say which one is better. */
#ifndef SPAR_NUM_HALF_BETA_H
#define SPAR_NUM_HALF_BETA_H

/* P(Beta(a,b) > 1/2) for finite a, b >= 1, error <= 1e-14 absolute; exactly 1/2 where a = b, and the values of (a,b)
 * and (b,a) add up to exactly 1. */
double spar__beta_above_half(double a, double b);

#endif
