#include "sampler/sampler.h"

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

/* Many draws in narrow cells: the corners of the layers and the place beyond them are a small part of the law. */
static void check_cells(spar_rng *rng)
{
    enum { CELLS = 500, DRAWS = 10000000 };
    static double count[CELLS + 2], p[CELLS + 2];
    for (int i = 0; i <= CELLS; i++)
        p[i] =
            i ? gsl_cdf_ugaussian_P(-5 + i * 0.02) - gsl_cdf_ugaussian_P(-5 + (i - 1) * 0.02) : gsl_cdf_ugaussian_P(-5);
    p[CELLS + 1] = p[0];
    for (int i = 0; i < DRAWS; i++) {
        double cell = floor((spar__normal(rng) + 5) / 0.02) + 1;
        count[(size_t)fmin(fmax(0, cell), CELLS + 1)]++;
    }
    double c = chi_square(DRAWS, CELLS + 2, count, p);
    ok(c < 5, "normal in 500 cells: chi-square %.1f sigma off", c);
}

static double tail_cdf(double v, const void *law)
{
    (void)law;
    return 1 - gsl_cdf_ugaussian_Q(v) / gsl_cdf_ugaussian_Q(spar__normal_edge[1]);
}

/* A word that falls beyond the lowest layer calls for the tail. */
static void check_tail(spar_rng *rng)
{
    for (size_t i = 0; i < N; i++) {
        rng->used = 7;
        rng->buffer[7] = ~UINT64_C(511);
        x[i] = spar__normal(rng);
    }
    double d = ks(N, x, tail_cdf, NULL);
    ok(d < KS_LIMIT, "normal beyond %.2f: KS %.2f", spar__normal_edge[1], d);
}

int main(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    check_layers();

    for (size_t i = 0; i < N; i++)
        x[i] = spar__normal(&rng);
    double lag = fabs(serial(N, x, 1)), lag8 = fabs(serial(N, x, 8));
    ok(lag < 5 && lag8 < 5, "normals are uncorrelated (%.1f, %.1f sigma)", lag, lag8);
    double d = ks(N, x, normal_cdf, NULL);
    ok(d < KS_LIMIT, "normal: KS %.2f", d);
    for (size_t i = 0; i < N; i++)
        x[i] *= 1.03;
    ok(ks(N, x, normal_cdf, NULL) > KS_LIMIT, "and KS sees a scale of 1.03");
    check_cells(&rng);
    check_tail(&rng);
    return done();
}
