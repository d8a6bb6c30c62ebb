#include "posterior/posterior.h"

#include "posterior/stat.h"
#include "tap.h"

static double sigma_of(size_t n, const double *value, const double *p)
{
    enum { DRAWS = 60000 };
    double count[8] = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 5, 1, 1);
    for (int t = 0; t < DRAWS; t++)
        count[spar__argmax(&rng, n, value)]++;
    return fit_sigma(n, count, p);
}

static double sigma_within(double tie, const double *p)
{
    enum { DRAWS = 60000 };
    static const double value[] = {9, 4, 5, 4.9, 5, 4.99};
    static const bool open[] = {false, true, true, true, true, true};
    double count[6] = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 6, 1, 1);
    for (int t = 0; t < DRAWS; t++)
        count[spar__argmax_within(&rng, 6, value, open, tie)]++;
    return fit_sigma(6, count, p);
}

int main(void)
{
    double third = 1.0 / 3;
    ok(sigma_of(1, (double[]){3}, (double[]){1}) < 5, "one value");
    ok(sigma_of(4, (double[]){1, 4, 3, 4}, (double[]){0, 0.5, 0, 0.5}) < 5, "two share the first place");
    ok(sigma_of(5, (double[]){2, 2, 1, 0, 2}, (double[]){third, third, 0, 0, third}) < 5, "three share it");
    ok(sigma_of(3, (double[]){-INFINITY, -2, -INFINITY}, (double[]){0, 1, 0}) < 5, "minus infinity is never chosen");
    ok(sigma_of(4, (double[]){INFINITY, 0, INFINITY, 1}, (double[]){0.5, 0, 0.5, 0}) < 5, "infinity may tie");
    ok(sigma_of(4, (double[]){5, 5, 6, 6}, (double[]){0, 0, 0.5, 0.5}) < 5, "an earlier tie is forgotten");
    ok(sigma_of(2, (double[]){0.0, -0.0}, (double[]){0.5, 0.5}) < 5, "zeros of both signs tie");
    ok(sigma_within(0, (double[]){0, 0, 0.5, 0, 0.5, 0}) < 5, "what is not open does not count");
    ok(sigma_within(0.05, (double[]){0, 0, third, 0, third, third}) < 5, "values that nearly tie do");
    spar_rng a, b;
    spar_rng_seed(&a, 5, 1, 1);
    b = a;
    (void)spar__argmax(&a, 3, (double[]){1, 3, 2});
    ok(spar_rng_next(&a) == spar_rng_next(&b), "no luck is used where there is no tie");
    return done();
}
