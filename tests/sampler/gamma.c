#include "sampler/sampler.h"

#include "stats.h"
#include "tap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

enum { N = 100000 };

static double x[N];

/* At large shapes GSL's series fails; Temme's expansion, with its first term, is good to 1 / shape^1.5 there. */
static double gamma_cdf(double v, const void *law)
{
    double shape = *(const double *)law;
    if (shape < 1e5)
        return gsl_cdf_gamma_P(v, shape, 1);
    double mu = (v - shape) / shape, eta = sqrt(2 * fmax(0, mu - log1p(mu))) * (mu < 0 ? -1 : 1);
    double first = fabs(mu) < 1e-5 ? -1.0 / 3 : 1 / mu - 1 / eta;
    return gsl_cdf_ugaussian_P(eta * sqrt(shape)) -
           exp(-shape * eta * eta / 2) / sqrt(6.283185307179586 * shape) * first;
}

/* The log of a gamma of small shape is near -E / shape: P(log G <= v) = P(G <= e^v), and e^v may be 0 in doubles, where
 * the CDF is e^(shape v) / Gamma(shape + 1). */
static double log_cdf(double v, const void *law)
{
    double shape = *(const double *)law;
    return v < -30 ? exp(shape * v - lgamma(shape + 1)) : gsl_cdf_gamma_P(exp(v), shape, 1);
}

/* The quick acceptance u < 1 - 0.0331 x^4 lies below the true one for all shapes. */
static void check_squeeze(void)
{
    double worst = 1;
    for (double d = 2.0 / 3; d < 1e9; d *= 1.07)
        for (double z = -2.35; z < 2.35; z += 0.001) {
            double y = z / sqrt(9 * d), quick = 1 - 0.0331 * z * z * z * z;
            if (y > -1 && quick > 0)
                worst = fmin(worst, exp(z * z / 2 + d * (3 * (log1p(y) - y) - 3 * y * y - y * y * y)) - quick);
        }
    ok(worst > -1e-9, "the quick acceptance is below the true one (by %.1e at least)", worst);
}

int main(void)
{
    static const double shapes[] = {0.05, 0.3, 0.5, 0.99, 1, 1.5, 2, 5, 30, 1000, 1e6};
    static const double tiny[] = {1e-3, 0.01, 0.3, 0.999, 3};
    gsl_set_error_handler_off();
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    check_squeeze();
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        for (size_t i = 0; i < N; i++)
            x[i] = spar__gamma(&rng, shapes[k]);
        double d = ks(N, x, gamma_cdf, &shapes[k]);
        ok(d < KS_LIMIT, "gamma %g: KS %.2f", shapes[k], d);
    }
    for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++) {
        for (size_t i = 0; i < N; i++)
            x[i] = spar__gamma_log(&rng, tiny[k]);
        double d = ks(N, x, log_cdf, &tiny[k]);
        ok(d < KS_LIMIT, "log of gamma %g: KS %.2f", tiny[k], d);
    }
    double wrong = 2.05;
    for (size_t i = 0; i < N; i++)
        x[i] = spar__gamma(&rng, 2);
    ok(ks(N, x, gamma_cdf, &wrong) > KS_LIMIT, "and KS sees a shape of 2.05 instead of 2");

    /* Where the CDF is hard to have: the moments. At 1e15 a naive acceptance would be noise. */
    static const double large[] = {1e9, 1e12, 1e15};
    for (size_t k = 0; k < 3; k++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < N; i++) {
            double z = (spar__gamma(&rng, large[k]) - large[k]) / sqrt(large[k]);
            mean += z / N;
            square += z * z / N;
        }
        ok(fabs(mean) < 5 / sqrt(N) && fabs(square - 1) < 5 * sqrt(2.0 / N), "gamma %g: moments", large[k]);
    }
    ok(isnan(spar__gamma(&rng, 0)) && isnan(spar__gamma(&rng, -1)) && isnan(spar__gamma(&rng, NAN)), "no such gamma");
    return done();
}
