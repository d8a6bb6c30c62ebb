/* compare_kernel_long.c - the library's policies with Gaussian processes against the references: the camel on all its
 * domains, long enough to be learned, and bopper. */
#include "reference/fields.h"

enum { RUNS = 200 };

static void compare_in(const arena *a, size_t m, size_t rounds)
{
    match k = kernel_match(a, m, rounds, RUNS), g = gp_sparring_match(a, m, rounds, RUNS);
    expect_same(&k);
    expect_same(&g);
}

static ref_result narrow_bopper(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_bopper(world, rounds, 0.7, seed);
}

int main(void)
{
    for (size_t i = 0; i < 3; i++) {
        compare_in(&camel[i], 2, 500);
        compare_in(&camel[i], 4, 100);
        expect_kernel_better(&camel[i], RUNS);
    }
    match b = bopper_match(&forrester, 100, RUNS), wrong = b;
    expect_same(&b);
    wrong.direct = narrow_bopper;
    expect_different(&b, &wrong, "bopper with length 0.7 instead of 1");
    return verdict_done();
}
