#include "sampler/sampler.h"

#include "beta_law.h"
#include "tap.h"

enum { N = 100000 };

static double x[N];

static void draw(spar_rng *rng, double a, double b)
{
    for (size_t i = 0; i < N; i++)
        x[i] = spar__beta(rng, a, b);
}

/* Small parameters pile up at 0 and 1, closer than doubles can tell: counts below cuts of all sizes, from either end.
 */
static void check_ends(spar_rng *rng, double a, double b)
{
    static const double cuts[] = {1e-300, 1e-200, 1e-100, 1e-50, 1e-20, 1e-15, 1e-10, 1e-5, 1e-2, 0.1, 0.3, 0.5};
    double worst = 0;
    bool inside = true;
    draw(rng, a, b);
    for (size_t i = 0; i < N; i++)
        inside = inside && x[i] >= 0 && x[i] <= 1;
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        double low = 0, high = 0;
        for (size_t i = 0; i < N; i++) {
            low += x[i] <= cuts[k];
            high += 1 - x[i] < cuts[k];
        }
        worst = fmax(worst, fabs(deviation(N, low, gsl_cdf_beta_P(cuts[k], a, b))));
        if (cuts[k] >= 1e-10)
            worst = fmax(worst, fabs(deviation(N, high, gsl_cdf_beta_P(cuts[k], b, a))));
    }
    ok(inside && worst < 5, "beta (%g, %g) near 0 and 1: %.1f sigma", a, b, worst);
}

int main(void)
{
    static const beta_law laws[] = {{0.5, 0.5}, {1, 1},    {1, 2},     {2, 5},   {0.3, 4}, {4, 0.3},
                                    {30, 70},   {1000, 1}, {1e4, 1e4}, {1e7, 3}, {3, 1e7}, {0.9, 1.1}};
    gsl_set_error_handler_off();
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        draw(&rng, laws[k].a, laws[k].b);
        double d = ks(N, x, beta_law_cdf, &laws[k]);
        ok(d < KS_LIMIT, "beta (%g, %g): KS %.2f", laws[k].a, laws[k].b, d);
    }
    check_ends(&rng, 0.01, 0.01);
    check_ends(&rng, 0.01, 1);
    check_ends(&rng, 2, 0.05);

    draw(&rng, 2, 5);
    ok(ks(N, x, beta_law_cdf, &(beta_law){5, 2}) > 100, "swapped parameters are seen");
    draw(&rng, 30, 70);
    ok(ks(N, x, beta_law_cdf, &(beta_law){30.2, 69.8}) > KS_LIMIT, "so are parameters off by 0.2");

    /* Parameters so small that the law is a coin, and even their gammas' logs overflow. */
    double heads = 0, between = 0;
    for (size_t i = 0; i < N; i++) {
        double v = spar__beta(&rng, 3e-310, 1e-310);
        heads += v == 1;
        between += !(v == 0 || v == 1);
    }
    ok(between == 0 && fabs(deviation(N, heads, 0.75)) < 5, "the smallest parameters make a coin");
    ok(isnan(spar__beta(&rng, 0, 1)) && isnan(spar__beta(&rng, 1, NAN)), "no such beta");
    return done();
}
