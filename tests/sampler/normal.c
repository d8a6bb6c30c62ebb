#include "sampler/sampler.h"

#include "sampler/laws.h"
#include "stats.h"
#include "tap.h"

#include <gsl/gsl_cdf.h>

enum { N = 300000 };

static double x[N];

static double normal_cdf(double v, const void *law)
{
    (void)law;
    return gsl_cdf_ugaussian_P(v);
}

static double exponential_cdf(double v, const void *law)
{
    (void)law;
    return gsl_cdf_exponential_P(v, 1);
}

static double uniform_cdf(double v, const void *law)
{
    (void)law;
    return v;
}

/* Every layer has the area of the lowest one with its tail, and the last closes at the top. */
static void check_layers(void)
{
    const double *edge = spar__normal_edge;
    double r = edge[1], area = edge[0] * exp(-r * r / 2), worst = 0;
    near(area, r * exp(-r * r / 2) + sqrt(2 * acos(-1)) * gsl_cdf_ugaussian_Q(r), 1e-16, "the lowest layer");
    for (int i = 1; i < 256; i++) {
        double high = exp(-edge[i + 1] * edge[i + 1] / 2), low = exp(-edge[i] * edge[i] / 2);
        worst = fmax(worst, fabs(edge[i] * (high - low) - area));
    }
    ok(worst < 2e-15 && edge[256] == 0, "256 layers of equal area (%.1e)", worst);
}

static void check_tails(const char *name)
{
    static const double cuts[] = {1, 2, 3, 3.6, 3.7, 4};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        double above = 0, below = 0, p = gsl_cdf_ugaussian_Q(cuts[k]);
        for (size_t i = 0; i < N; i++) {
            above += x[i] > cuts[k];
            below += x[i] < -cuts[k];
        }
        ok(fabs(deviation(N, above, p)) < 5 && fabs(deviation(N, below, p)) < 5, "%s beyond %g", name, cuts[k]);
    }
}

int main(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    check_layers();

    bool inside = true;
    for (size_t i = 0; i < N; i++) {
        x[i] = spar__uniform_open(&rng);
        inside = inside && x[i] > 0 && x[i] < 1;
    }
    double d = ks(N, x, uniform_cdf, NULL);
    ok(inside && d < KS_LIMIT, "open uniform: KS %.2f", d);

    for (size_t i = 0; i < N; i++)
        x[i] = spar__exponential(&rng);
    d = ks(N, x, exponential_cdf, NULL);
    ok(d < KS_LIMIT && x[0] > 0 && x[N - 1] < 40, "exponential: KS %.2f", d);

    for (size_t i = 0; i < N; i++)
        x[i] = spar__normal(&rng);
    double lag = fabs(serial(N, x, 1)), lag8 = fabs(serial(N, x, 8));
    ok(lag < 5 && lag8 < 5, "normals are uncorrelated (%.1f, %.1f sigma)", lag, lag8);
    check_tails("normal");
    d = ks(N, x, normal_cdf, NULL);
    ok(d < KS_LIMIT, "normal: KS %.2f", d);
    for (size_t i = 0; i < N; i++)
        x[i] *= 1.03;
    ok(ks(N, x, normal_cdf, NULL) > KS_LIMIT, "and KS sees a scale of 1.03");
    return done();
}
