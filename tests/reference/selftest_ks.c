/* selftest_ks.c - ks.h on hand-made samples, known quantiles, and its size and power on normal samples. */
#include "tap.h"

#include "reference/ks.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

/* Share of repeats with p < 0.05 when b is shifted by shift (and both rounded to a grid, if any). */
static double rejected(double shift, double grid, unsigned long seed)
{
    enum { N = 300, REPEATS = 400 };
    static double a[N], b[N];
    size_t hits = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int i = 0; i < N; i++) {
            a[i] = gsl_ran_gaussian(rng, 1);
            b[i] = gsl_ran_gaussian(rng, 1) + shift;
            if (grid > 0) {
                a[i] = grid * rint(a[i] / grid);
                b[i] = grid * rint(b[i] / grid);
            }
        }
        hits += ks_p_value(ks_statistic(a, N, b, N), N, N) < 0.05;
    }
    gsl_rng_free(rng);
    return (double)hits / REPEATS;
}

int main(void)
{
    static const double a[] = {1, 2, 2, 3}, b[] = {2, 2, 3, 3}, c[] = {5, 6}, bad[] = {1, NAN};
    ok(ks_statistic(a, 4, a, 4) == 0, "ks: a sample and itself");
    near(ks_statistic(a, 4, b, 4), 0.25, 1e-15, "ks: ties");
    ok(ks_statistic(a, 4, c, 2) == 1 && ks_statistic(c, 2, a, 4) == 1, "ks: apart");
    ok(ks_statistic(bad, 2, a, 4) == 1 && ks_statistic(a, 4, bad, 2) == 1, "ks: NaN never passes");
    near(ks_p_value(1.3580986, 2, 2), 0.05, 1e-6, "ks: 5 %% point of Kolmogorov's distribution");
    near(ks_p_value(1.6276236, 2, 2), 0.01, 1e-6, "ks: 1 %% point");
    near(ks_p_value(0.2, 2, 2), 1, 1e-9, "ks: p near 1");
    near(rejected(0, 0, 70), 0.04, 0.03, "ks: 5 %% of equal samples rejected");
    ok(rejected(0, 1, 71) < 0.05, "ks: conservative with ties");
    ok(rejected(0.4, 0, 72) > 0.95 && rejected(0.4, 0.5, 73) > 0.9, "ks: a shift of 0.4 sd is seen");
    near(ks_mean_z(a, 4, b, 4), -0.5 / sqrt(2.0 / 3 / 4 + 1.0 / 3 / 4), 1e-12, "z of the difference of means");
    static const double one[] = {1, 1}, two[] = {2, 2};
    ok(ks_mean_z(c, 2, c, 2) == 0 && ks_mean_z(one, 2, one, 2) == 0, "z: equal samples");
    ok(ks_mean_z(one, 2, two, 2) == -INFINITY, "z: different constants");
    return done();
}
