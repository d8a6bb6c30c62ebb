#include "sampler/sampler.h"

#include "stats.h"
#include "tap.h"

enum { N = 200000 };

int main(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    double w[] = {0, 1, 0, 2.5, 0.001, 3, 0}, count[7] = {0}, p[7];
    for (int i = 0; i < 7; i++)
        p[i] = w[i] / 6.501;
    for (size_t i = 0; i < N; i++)
        count[spar__choose_weighted(&rng, 7, w)]++;
    double c = chi_square(N, 7, count, p);
    ok(c < 5, "chosen in proportion (%.1f)", c);
    ok(count[0] + count[2] + count[6] == 0, "zero weights are never chosen");
    double swap = p[1];
    p[1] = p[3];
    p[3] = swap;
    ok(chi_square(N, 7, count, p) > 5, "and chi-square sees two weights swapped");

    double small[] = {0, 1e-300, 0, 3e-300}, none[] = {0, 0};
    double last = 0;
    for (size_t i = 0; i < N; i++)
        last += (double)(spar__choose_weighted(&rng, 4, small) == 3);
    ok(fabs(deviation(N, last, 0.75)) < 5, "tiny weights are as good");
    ok(spar__choose_weighted(&rng, 2, none) == 2 && spar__choose_weighted(&rng, 0, NULL) == 0, "nothing to choose");

    /* The sum of ten times 0.1 is below 1: a target at its very end must not run past the last weight. */
    double tenth[11] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0};
    spar_rng edge = rng;
    edge.used = 0;
    edge.buffer[0] = UINT64_MAX;
    edge.buffer[1] = 0;
    size_t top = spar__choose_weighted(&edge, 11, tenth), bottom = spar__choose_weighted(&edge, 11, tenth);
    ok(top == 9 && bottom == 0, "the largest and smallest uniform give the last and the first");
    edge.buffer[2] = 0;
    ok(spar__choose_weighted(&edge, 7, w) == 1, "a uniform of 0 passes over a leading zero weight");
    return done();
}
