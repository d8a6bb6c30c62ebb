#include "rank/letor.h"

#include "base/alloc.h"

#include "tap.h"

int main(void)
{
    spar__ids ids = {0};
    bool fresh = false, good = true;
    for (uint64_t i = 0; i < 5000; i++)
        good = good && spar__ids_add(&ids, i * UINT64_C(0x100000001), &fresh) && fresh;
    ok(good, "5000 numbers, zero included, are new");
    good = true;
    for (uint64_t i = 0; i < 5000; i++)
        good = good && spar__ids_add(&ids, i * UINT64_C(0x100000001), &fresh) && !fresh;
    ok(good, "and known the second time");
    ok(spar__ids_add(&ids, UINT64_MAX, &fresh) && fresh, "the largest number is a number");
    spar__ids_free(&ids);
    spar__alloc_fail_at(1);
    ok(!spar__ids_add(&ids, 1, &fresh), "no memory");
    spar__alloc_fail_at(0);
    ok(spar__ids_add(&ids, 1, &fresh) && fresh, "and then some");
    spar__ids_free(&ids);
    return done();
}
