/* special.c - the gamma and beta functions and their relatives, and the logistic function of a normal variable. */
#include "num/special.h"

#include "num/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1

/* The asymptotic series B_2k / (2k (2k-1) x^(2k-1)); from 10 on its eight terms are good to the last place. */
static double stirling_series(double x)
{
    double z = 1 / (x * x);
    double s = 1.0 / 156 - z * (3617.0 / 122400);
    s = 1.0 / 1188 - z * (691.0 / 360360 - z * s);
    s = 1.0 / 1260 - z * (1.0 / 1680 - z * s);
    return (1.0 / 12 - z * (1.0 / 360 - z * s)) / x;
}

/* log Gamma(x) for 1 <= x <= 2: (x - 1) (x - 2) times a minimax polynomial in x - 3/2. */
static double lgamma_middle(double x)
{
    static const double c[] = {0x1.eeb95b094c191p-2,   -0x1.2aed059bd6085p-3,  0x1.01af62a29299cp-4,
                               -0x1.007aa83cefa2ap-5,  0x1.1334235283cc3p-6,   -0x1.34dbda12862c3p-7,
                               0x1.64f0664891d03p-8,   -0x1.a503537a11a6fp-9,  0x1.f814bc39bcc56p-10,
                               -0x1.313e528a47f4dp-10, 0x1.750a4b9a51203p-11,  -0x1.cb504372686dep-12,
                               0x1.1c8173aac8627p-12,  -0x1.61841e72505fbp-13, 0x1.b99ba08eb76d4p-14,
                               -0x1.1cfbc1d27f7e1p-14, 0x1.6adec95ae203bp-15,  -0x1.683c07db035c1p-16,
                               0x1.abeecb64c17ddp-17,  -0x1.371275fdc32d8p-16, 0x1.a2f6faf963d3ap-17};
    double t = x - 1.5, sum = 0;
    for (int k = (int)(sizeof c / sizeof *c) - 1; k >= 0; k--)
        sum = sum * t + c[k];
    return (x - 1) * (x - 2) * sum;
}

/* Below 10 by Gamma(x + 1) = x Gamma(x) from [1,2], above by Stirling's formula. */
double spar__lgamma(double x)
{
    if (!(x > 0) || x == (double)INFINITY)
        return x < 0 ? (double)NAN : x == 0 ? (double)INFINITY : x;
    if (x >= 10)
        return (x - 0.5) * (spar__log(x) - 1) + (HALF_LOG_2PI - 0.5 + stirling_series(x));
    if (x < 1)
        return lgamma_middle(x + 1) - spar__log(x);
    double product = 1;
    while (x > 2)
        product *= x -= 1;
    return spar__log(product) + lgamma_middle(x);
}

double spar__stirling(double x)
{
    if (x >= 10)
        return stirling_series(x);
    return spar__lgamma(x) - ((x - 0.5) * spar__log(x) - x + HALF_LOG_2PI);
}

/* log(1 + d) given also 1 + d itself, which is the better start when it is small. */
static double log_near(double d, double whole)
{
    return d < -0.5 ? spar__log(whole) : spar__log1p(d);
}

/* A point of the unit interval as the law of (a,b) sees it: x, y = 1 - x and n x - a, n = a + b, which is small against
 * both near the mean and is taken from the smaller of x and y. */
typedef struct unit_point {
    double x, y, excess;
} unit_point;

static unit_point make_point(double a, double b, double x, double y)
{
    return (unit_point){x, y, x <= y ? (a + b) * x - a : b - (a + b) * y};
}

/* x^a y^b / B(a,b), around its peak (Loader 2000): with d = n x - a it is
 *     sqrt(a b / (2 pi n)) exp(a log(1 + d/a) + b log(1 - d/b) + stirling(n) - stirling(a) - stirling(b)),
 * which keeps its precision where a log x and log B are large and cancel. */
static double power_exponent(double a, double b, unit_point at)
{
    double n = a + b, d = at.excess;
    double exponent = a * log_near(d / a, n * at.x / a) + b * log_near(-d / b, n * at.y / b);
    return exponent + (spar__stirling(n) - spar__stirling(a) - spar__stirling(b)) - HALF_LOG_2PI;
}

static double power(double a, double b, unit_point at)
{
    return sqrt(a / (a + b) * b) * spar__exp(power_exponent(a, b, at));
}

/* I_x(a,b) / (x^a y^b / B(a,b)) as the continued fraction 1 / (q_0 + p_1 / (q_1 + p_2 / ...)) of Didonato and Morris
 * (1992), by Lentz's method; for x below about the mean it converges in some sqrt(max(a,b)) terms. */
static double fraction(double a, double b, unit_point at)
{
    const double tiny = 1e-300;
    double limit = 1000 + 10 * sqrt(fmax(a, b)), slack = 1 - at.excess;
    double value = a / (a + 1) * slack, c = value, d = 0;
    for (double m = 1; m < limit; m++) {
        double s = a + 2 * m - 1, w = m * (b - m) * at.x / s;
        double p = (a + m - 1) / s * (a + b + m - 1) * at.x * w;
        double q = m + w + (a + m) / (s + 2) * (slack + m * (1 + at.y));
        d = q + p * d;
        c = q + p / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return 1 / value;
}

/* The lower tail itself where that is the small one, else one minus the upper; top is the power. */
static double tail_under(double a, double b, unit_point at, double top)
{
    unit_point mirror = {at.y, at.x, -at.excess};
    if (at.x <= (a + 1) / (a + b + 2))
        return fmin(1, top * fraction(a, b, at));
    return fmax(0, 1 - top * fraction(b, a, mirror));
}

double spar__beta_sf(double a, double b, double x)
{
    if (!(x > 0) || !(x < 1))
        return x <= 0 ? 1 : x >= 1 ? 0 : (double)NAN;
    unit_point at = make_point(b, a, 1 - x, x);
    return tail_under(b, a, at, power(b, a, at));
}

double spar__beta_sf_power(double a, double b, double x, double *log_power)
{
    unit_point at = make_point(b, a, 1 - x, x);
    double exponent = power_exponent(b, a, at), root = sqrt(a / (a + b) * b), top = root * spar__exp(exponent);
    *log_power = exponent + spar__log(root);
    if (top > 0)
        return tail_under(b, a, at, top);
    return at.excess > 0; /* too far out for the fraction to matter: excess > 0 where 1 - x is above b / (a + b) */
}

void spar__log_beta_mills(double a, double b, double x, double *below, double *above)
{
    unit_point at = make_point(a, b, x, 1 - x), mirror = {at.y, at.x, -at.excess};
    double log_power = power_exponent(a, b, at) + 0.5 * spar__log(a / (a + b) * b);
    bool left = at.x <= (a + 1) / (a + b + 2); /* the small tail is the lower one */
    double small = left ? fraction(a, b, at) : fraction(b, a, mirror);
    double large = spar__log1p(-fmin(1, spar__exp(log_power) * small)) - log_power;
    small = spar__log(small);
    *below = left ? small : large;
    *above = left ? large : small;
}

/* (x + 4) (1 - Phi(x)) / phi(x) for x >= 0, as a Chebyshev series in (x - 4) / (x + 4). */
static double mills(double x)
{
    static const double c[] = {
        2.4325604285150405662,      -1.8842545745794834571,     0.55695664909638164919,     -0.121615972144204572,
        0.017360708143727771424,    -0.00080362120072996560518, -0.00025203493480543532543, 0.000047383719270581173533,
        2.5325891365988258147e-6,   -1.5404069839912999192e-6,  -8.4749606300616958916e-9,  5.1853386010946722596e-8,
        -2.8281293276602497733e-10, -1.948656637889107601e-9,   -2.4919454968275671215e-11, 7.9572487194488463885e-11,
        4.6184141791552192723e-12,  -3.290856124224384926e-12,  -4.3653840438097299451e-13, 1.2300711839232774249e-13,
        3.2414173582086781336e-14,  -3.0532395587325665275e-15, -2.0183740275707353201e-15, -7.1701955014225876438e-17,
        1.0169552398038542051e-16,  1.7562442280533558988e-17};
    double t = (x - 4) / (x + 4), p = 0, q = 0;
    for (int k = (int)(sizeof c / sizeof *c) - 1; k > 0; k--) { /* Clenshaw */
        double next = 2 * t * p - q + c[k];
        q = p;
        p = next;
    }
    return (t * p - q + c[0]) / (x + 4);
}

double spar__normal_cdf(double x)
{
    if (isnan(x) || fabs(x) > 40)
        return isnan(x) ? x : x > 0;
    /* exp(-x^2/2) / sqrt(2 pi): the square is taken in two parts, the first exact. */
    double head = rint(x * 0x1p20) * 0x1p-20;
    double density = spar__exp(-0.5 * head * head) * spar__exp(-0.5 * (x - head) * (x + head)) * 0x1.9884533d43651p-2;
    double tail = density * mills(fabs(x));
    return x > 0 ? 1 - tail : tail;
}

/* For small a + b from the incomplete Beta function, else from its uniform expansion around the normal law: with
 * A = a - 1/2 <= B = b - 1/2, N = A + B, delta = (B - A) / N and
 *
 *     s = (1 - delta) log(1 - delta) + (1 + delta) log(1 + delta)
 *
 * it is Phi(-sqrt(N s)) - sqrt(s / (2 pi N)) exp(-N s / 2) e(s, 1/N), e smooth: substitute theta = sin^2 phi,
 * which makes the density sin^2A phi cos^2B phi, and set its logarithm to -N t^2 / 2. */

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

enum { CHUNK = 64 };

void spar__squash_moments(double mean, double sd, double *squashed_mean, double *squashed_variance)
{
    const double reach = 8; /* standard deviations: beyond lie 1e-15 of the law */
    double h = fmin(0.4, 0.6 / sd), first = 0, second = 0, total = 0;
    double nodes = 2 * floor(reach / h) + 1, from = -floor(reach / h) * h;
    double weight[CHUNK], value[CHUNK];
    for (double start = 0; start < nodes; start += CHUNK) {
        size_t count = (size_t)fmin(CHUNK, nodes - start);
        for (size_t i = 0; i < count; i++) {
            double z = from + (start + (double)i) * h;
            weight[i] = -0.5 * z * z;
            value[i] = mean + sd * z;
        }
        spar__vexp(weight, weight, count);
        spar__vlogistic(value, value, count);
        for (size_t i = 0; i < count; i++) {
            total += weight[i];
            first += weight[i] * value[i];
            second += weight[i] * value[i] * value[i];
        }
    }
    first /= total;
    *squashed_mean = first;
    *squashed_variance = fmax(0, second / total - first * first);
}
