/* compare_kernel_long.c - the library's policies with Gaussian processes against the references: the camel on all its
 * domains, long enough to be learned. */
#include "reference/fields.h"

enum { RUNS = 200 };

static void compare_in(const arena *a, size_t m, size_t rounds)
{
    match k = kernel_match(a, m, rounds, RUNS), g = gp_sparring_match(a, m, rounds, RUNS);
    expect_same(&k);
    expect_same(&g);
}

int main(void)
{
    for (size_t i = 0; i < 3; i++) {
        compare_in(&camel[i], 2, 500);
        compare_in(&camel[i], 4, 100);
        expect_kernel_better(&camel[i], RUNS);
    }
    return verdict_done();
}
