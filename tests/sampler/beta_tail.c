#include "beta_law.h"
#include "sampler/sampler.h"

#include "tap.h"

enum { DRAWS = 40000 };

typedef struct cut {
    double a, b, c;
} cut;

static double above_cdf(double x, const void *law)
{
    const cut *k = law;
    return x <= k->c ? 0 : 1 - gsl_cdf_beta_Q(x, k->a, k->b) / gsl_cdf_beta_Q(k->c, k->a, k->b);
}

static double below_cdf(double x, const void *law)
{
    const cut *k = law;
    return x >= k->c ? 1 : gsl_cdf_beta_P(x, k->a, k->b) / gsl_cdf_beta_P(k->c, k->a, k->b);
}

int main(void)
{
    static const cut cuts[] = {
        {1, 1, 0.5},      {1, 1, 0.999999}, {1, 1, 1e-6},    {2, 1, 0.9},        {1, 2, 0.9},       {3, 7, 0.1},
        {3, 7, 0.3},      {3, 7, 0.9},      {3, 7, 0.25},    {1.5, 1.5, 0.4999}, {1.5, 1.5, 0.7},   {900, 1, 0.9995},
        {900, 1, 0.99},   {1, 900, 0.01},   {1, 900, 1e-5},  {2, 900, 0.02},     {400, 300, 0.57},  {400, 300, 0.58},
        {400, 300, 0.65}, {400, 300, 0.45}, {1e6, 1e6, 0.5}, {1e6, 1e6, 0.502},  {1.0001, 30, 0.5}, {30, 1.0001, 0.99},
    };
    static double x[DRAWS];
    spar_rng rng;
    (void)gsl_set_error_handler_off();
    spar_rng_seed(&rng, 3, 1, 4);
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        const cut *law = &cuts[k];
        bool inside = true;
        for (size_t i = 0; i < DRAWS; i++) {
            x[i] = spar__beta_above(&rng, law->a, law->b, law->c);
            inside &= x[i] >= law->c && x[i] <= 1;
        }
        double lag = serial(DRAWS, x, 1), d = ks(DRAWS, x, above_cdf, law);
        ok(inside && d < KS_LIMIT && fabs(lag) < 5, "Beta(%g, %g) above %g (%.2f)", law->a, law->b, law->c, d);
        inside = true;
        for (size_t i = 0; i < DRAWS; i++) {
            x[i] = spar__beta_below(&rng, law->a, law->b, law->c);
            inside &= x[i] >= 0 && x[i] <= law->c;
        }
        lag = serial(DRAWS, x, 1);
        d = ks(DRAWS, x, below_cdf, law);
        ok(inside && d < KS_LIMIT && fabs(lag) < 5, "Beta(%g, %g) below %g (%.2f)", law->a, law->b, law->c, d);
    }
    ok(spar__beta_above(&rng, 2, 2, 0) > 0 && spar__beta_above(&rng, 2, 2, 1) == 1 &&
           spar__beta_below(&rng, 2, 2, 1) < 1,
       "at the ends");
    return done();
}
