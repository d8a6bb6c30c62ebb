/* Moments of the logistic function of a normal variable, against Simpson's rule with many steps. */
#include "num/special.h"

#include "tap.h"

typedef long double real;

static void simpson(double mean, double sd, real *first, real *variance)
{
    enum { STEPS = 40000 };
    real total = 0, a = 0, b = 0;
    for (int i = 0; i <= STEPS; i++) {
        real z = -12 + 24 * (real)i / STEPS, s = 1 / (1 + expl(-(mean + sd * z)));
        real weight = expl(-z * z / 2) * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
        total += weight;
        a += weight * s;
        b += weight * s * s;
    }
    *first = a / total;
    *variance = b / total - *first * *first;
}

int main(void)
{
    static const double means[] = {0, 0.3, -1, 4, -20, 300}, sds[] = {0, 1e-6, 0.1, 1, 1.5, 2, 7, 40, 100};
    for (size_t j = 0; j < sizeof sds / sizeof *sds; j++) {
        real worst = 0, first, second;
        for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
            double mean, variance;
            spar__squash_moments(means[i], sds[j], &mean, &variance);
            simpson(means[i], sds[j], &first, &second);
            worst = fmaxl(worst, fmaxl(fabsl(mean - first), fabsl(variance - second)));
        }
        ok(worst < 1e-11L, "sd %g: within %.0Le", sds[j], worst);
    }
    return done();
}
