/* Distinct points in lexicographic order, and which arms stand on them. */
#include "types/arms.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdlib.h>

int main(void)
{
    static const double x[] = {2, 1, /* */ 0, 5, /* */ 2, 0, /* */ 0, 5, /* */ 2, 1, /* */ -1, 9, /* */ -0.0, 5};
    static const double sorted[] = {-1, 9, 0, 5, 2, 0, 2, 1};
    static const size_t of[] = {3, 1, 2, 1, 3, 0, 1}, first[] = {5, 1, 2, 0};
    spar_arms *arms = NULL;
    spar__points points;
    if (spar_arms_new(7, 2, x, NULL, &arms))
        abort();
    ok(spar__points_make(arms, &points) == SPAR_OK && points.n == 4 && points.arms == 7, "seven arms on four points");
    bool good = true;
    for (size_t i = 0; i < 8; i++)
        good &= points.x[i] == sorted[i];
    ok(good, "in lexicographic order");
    ok(memcmp(points.of, of, sizeof of) == 0, "each arm has its point");
    ok(memcmp(points.first, first, sizeof first) == 0, "and each point its first arm");
    ok(spar__arm_at(arms, 0, x) == 0 && spar__arm_at(arms, 1, x) == 4 && spar__arm_at(arms, 5, x) == 7,
       "the arms at a point, one after the other");
    ok(spar__arm_at(arms, 0, x + 12) == 6 && spar__arm_at(arms, 0, x + 1) == 7, "which is one to the bit");
    spar__points_free(&points);
    good = true;
    size_t k = 1;
    for (spar_status status = SPAR_NOMEM; status && k < 20; k++) {
        spar__alloc_fail_at(k);
        status = spar__points_make(arms, &points);
        spar__alloc_fail_at(0);
        good &= status == SPAR_OK || (status == SPAR_NOMEM && !points.x);
        spar__points_free(&points);
    }
    ok(good && k > 3 && k < 20, "each of %zu allocations fails once, cleanly", k - 2);
    spar_arms_free(arms);
    return done();
}
