#include "sampler/sampler.h"

#include "stats.h"
#include "tap.h"

#include <gsl/gsl_randist.h>

enum { N = 500000, CELLS = 20000 };

/* Chi-square over mean +- 8 sd, the rest in the end cells. */
static double distance(spar_rng *rng, double mean, double claimed)
{
    static double count[CELLS], p[CELLS];
    double first = fmax(0, floor(mean - 8 * sqrt(mean) - 8)), sum = 0;
    size_t cells = (size_t)fmin(CELLS, 16 * sqrt(mean) + 40);
    for (size_t i = 0; i < cells; i++) {
        count[i] = 0;
        sum += p[i] = gsl_ran_poisson_pdf((unsigned)(first + (double)i), claimed);
    }
    p[cells - 1] += fmax(0, 1 - sum);
    for (size_t i = 0; i < N; i++) {
        double k = spar__poisson(rng, mean);
        if (!(k >= 0 && k == floor(k)))
            return (double)INFINITY;
        k = fmin(fmax(0, k - first), (double)cells - 1);
        count[(size_t)k]++;
    }
    return chi_square(N, cells, count, p);
}

int main(void)
{
    static const double means[] = {0.01, 0.5, 1, 5, 9.999, 10, 10.5, 12, 20, 50, 300, 1e4, 1e5, 1e6};
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    for (size_t k = 0; k < sizeof means / sizeof *means; k++) {
        double c = distance(&rng, means[k], means[k]);
        ok(fabs(c) < 5, "poisson %g: chi-square %.1f sigma off", means[k], c);
    }
    ok(distance(&rng, 20, 20.15) > 5, "and chi-square sees a mean of 20.15 instead of 20");
    double mean = 0, square = 0;
    for (size_t i = 0; i < N; i++) {
        double z = (spar__poisson(&rng, 1e14) - 1e14) / 1e7;
        mean += z / N;
        square += z * z / N;
    }
    ok(fabs(mean) < 5 / sqrt(N) && fabs(square - 1) < 5 * sqrt(2.0 / N), "poisson 1e14: moments");
    bool none = true;
    for (int i = 0; i < 1000; i++)
        none = none && spar__poisson(&rng, 0) == 0;
    ok(none && isnan(spar__poisson(&rng, -1)) && isnan(spar__poisson(&rng, NAN)), "mean 0 gives 0, below nothing");
    return done();
}
