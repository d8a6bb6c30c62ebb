/* For small a + b from the incomplete Beta function, else from its uniform expansion around the normal law: with
 * A = a - 1/2 <= B = b - 1/2, N = A + B, delta = (B - A) / N and
 *
 *     s = (1 - delta) log(1 - delta) + (1 + delta) log(1 + delta)
 *
 * it is Phi(-sqrt(N s)) - sqrt(s / (2 pi N)) exp(-N s / 2) e(s, 1/N), e smooth: substitute theta = sin^2 phi,
 * which makes the density sin^2A phi cos^2B phi, and set its logarithm to -N t^2 / 2. */
#include "num/half_beta.h"

#include "num/elementary.h"
#include "num/special.h"

#include <math.h>

enum { SMALL = 191 }; /* the least N of the expansion */

/* s, by its series sum over k > 0 of delta^(2k) / (k (2k - 1)) where the logarithms would cancel. */
static double distance(double delta)
{
    if (delta > 0.25)
        return (1 - delta) * spar__log1p(-delta) + (1 + delta) * spar__log1p(delta);
    double z = delta * delta, sum = 0;
    for (int k = 12; k > 0; k--)
        sum = (sum + 1.0 / (k * (2 * k - 1))) * z;
    return sum;
}

/* e(s, w) for w <= 1 / SMALL: fitted to values of 50 digits, so that what it is needed for is off by 1e-16 at most. The
 * series of e begins -1/12 - 23/1440 s - 19/160 w. */
static double correction(double s, double w)
{
    static const double c[6][6] = {
        {-0.083333333333332625, -0.015972222229198856, -0.004489081509827662, -0.0015914264118838871,
         -0.0006182365374176963, -0.00064846503607690474},
        {-0.11874999999388432, -0.13473876990893697, -0.11650106721806034, -0.092793232926180606,
         -0.077504393089143193},
        {0.057663694033922357, 0.065735750162503536, 0.050971350808264949, 0.06237776408614727},
        {0.11734916119216876, 0.41878444517216381, 0.82154443117917097},
        {-0.11475878061825677, -0.4299947640353363},
        {-0.29397133890491402},
    };
    double sum = 0;
    for (int k = 5; k >= 0; k--) {
        double row = 0;
        for (int m = 5 - k; m >= 0; m--)
            row = row * s + c[k][m];
        sum = sum * w + row;
    }
    return sum;
}

/* a < b: the smaller half. */
static double smaller_half(double a, double b)
{
    double n = a + b - 1;
    if (n < SMALL)
        return spar__beta_sf(a, b, 0.5);
    double s = distance((b - a) / n), square = n * s;
    if (!(square < 90)) /* below 1e-20 */
        return 0;
    double sigma = sqrt(s / n) * 0x1.9884533d43651p-2; /* sqrt(s / (2 pi n)) */
    return fmax(0, spar__normal_cdf(-sqrt(square)) - sigma * spar__exp(-0.5 * square) * correction(s, 1 / n));
}

double spar__beta_above_half(double a, double b)
{
    return a == b ? 0.5 : a < b ? smaller_half(a, b) : 1 - smaller_half(b, a);
}
