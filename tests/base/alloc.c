#include "base/alloc.h"

#include "tap.h"

#include <stdint.h>

/* An array of which room is taken one by one, and more at once. */
static void test_grow(void)
{
    size_t room = 0, before, *x = NULL;
    for (size_t n = 0; n < 100; n++) {
        before = room;
        x = spar__grow(x, &room, n + 1, 16, sizeof *x);
        if (!x || (before && room != before && room != 2 * before))
            break;
        x[n] = n;
    }
    ok(x && room == 128 && x[0] == 0 && x[99] == 99 && x[127] == 0, "room doubles, from the least on");
    size_t *same = spar__grow(x, &room, 128, 16, sizeof *x);
    ok(same == x && room == 128, "what is enough stays");
    x = spar__grow(x, &room, 1000, 16, sizeof *x);
    ok(x && room == 1000 && x[99] == 99, "more than twice at once");
    spar__alloc_fail_at(1);
    ok(!spar__grow(x, &room, 1001, 16, sizeof *x) && room == 1000 && x[99] == 99, "a failure changes nothing");
    spar__alloc_fail_at(0);
    spar__free(x);
    room = 0;
    x = spar__grow(NULL, &room, 0, 0, sizeof *x);
    ok(x && room == 0, "room for nothing is no failure");
    spar__free(x);
}

static void through_pointers(void)
{
    int *array = NULL;
    size_t room = 0;
    ok(spar__reserve(&array, &room, 1, 4, sizeof *array) && room == 4 && array[3] == 0, "room for an array");
    array[3] = 7;
    int *before = array;
    ok(spar__reserve(&array, &room, 4, 4, sizeof *array) && array == before, "which is enough as long as it is");
    ok(spar__reserve(&array, &room, 5, 4, sizeof *array) && room == 8 && array[3] == 7 && array[7] == 0, "and doubles");
    before = array;
    spar__alloc_fail_at(1);
    ok(!spar__reserve(&array, &room, 9, 4, sizeof *array) && array == before && room == 8, "or stays as it was");
    spar__alloc_fail_at(1);
    ok(!spar__resize(&array, 8, 9, sizeof *array) && array == before && array[3] == 7, "the same for another size");
    spar__alloc_fail_at(0);
    ok(spar__resize(&array, 8, 4, sizeof *array) && array[3] == 7, "also a smaller one");
    spar__free(array);
}

int main(void)
{
    test_grow();
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
    through_pointers();
    return done();
}
