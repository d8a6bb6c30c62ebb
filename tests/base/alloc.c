#include "base/alloc.h"

#include "tap.h"

#include <stdint.h>

int main(void)
{
    double *x = spar__alloc(300, sizeof *x);
    ok(x && x[0] == 0 && x[2] == 0, "memory is zeroed");
    ok((uintptr_t)x % 64 == 0, "memory is aligned to a cache line");
    x[2] = 7;
    x = spar__realloc(x, 300, 400, sizeof *x);
    ok(x && x[2] == 7 && x[399] == 0, "growth keeps the old and zeroes the new");
    spar__free(x);
    ok(spar__alloc(SIZE_MAX / 2, 4) == NULL, "a size that overflows is refused");
    spar__alloc_fail_at(2);
    void *first = spar__alloc(1, 1), *second = spar__alloc(1, 1), *third = spar__alloc(1, 1);
    ok(first && !second && third, "the chosen call fails, and only that one");
    ok(spar__alloc_count() == 3, "calls are counted");
    spar__alloc_fail_at(0);
    spar__free(first);
    spar__free(third);
    char *copy = spar__strdup("spar");
    ok(copy && strcmp(copy, "spar") == 0, "strings are copied");
    spar__free(copy);
    return done();
}
