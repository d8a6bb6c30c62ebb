/* Token buckets: rates, bursts, jumps of the clock, memory that stays bounded. */
#include "service/http/http.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdint.h>

static void key_of(uint64_t n, unsigned char key[SPAR__LIMIT_KEY])
{
    memset(key, 0, SPAR__LIMIT_KEY);
    memcpy(key, &n, sizeof n);
}

static size_t taken(spar__limit *limit, uint64_t n, double now, size_t tries)
{
    unsigned char key[SPAR__LIMIT_KEY];
    size_t good = 0;
    key_of(n, key);
    for (size_t i = 0; i < tries; i++)
        good += spar__limit_take(limit, key, now, NULL);
    return good;
}

static void test_rates(void)
{
    spar__limit limit;
    double wait = 0;
    unsigned char key[SPAR__LIMIT_KEY];
    spar__limit_init(&limit, 30, 10, 1000);
    ok(taken(&limit, 1, 0, 20) == 10, "a burst of 10");
    ok(taken(&limit, 2, 0, 20) == 10, "another key has its own");
    key_of(1, key);
    ok(!spar__limit_take(&limit, key, 0, &wait), "then no more");
    near(wait, 2, 1e-9, "for two seconds at 30 a minute");
    ok(taken(&limit, 1, 1.99, 1) == 0 && taken(&limit, 1, 2.01, 5) == 1, "one after two seconds");
    ok(taken(&limit, 1, 1000, 20) == 10, "never more than the burst");
    ok(taken(&limit, 1, 5, 20) == 0, "a clock that jumps back gives nothing");
    size_t good = 0;
    for (double now = 2000; now < 2600; now += 0.1)
        good += taken(&limit, 3, now, 1);
    ok(good >= 309 && good <= 311, "ten minutes: %zu of 6000, wanted 310", good);
    spar__limit_fini(&limit);
    spar__limit_init(&limit, 0, 0, 10);
    ok(taken(&limit, 1, 0, 100000) == 100000 && limit.room == 0, "rate 0 is no limit");
    spar__limit_fini(&limit);
}

static void test_crowd(void)
{
    spar__limit limit;
    spar__limit_init(&limit, 60, 1, 1000);
    size_t good = 0;
    for (uint64_t n = 0; n < 100000; n++)
        good += taken(&limit, n, 0, 1);
    ok(good == 1001 && limit.n == 1000 && limit.room <= 4096, "100,000 keys: %zu let in, %zu kept, room %zu", good,
       limit.n, limit.room);
    ok(taken(&limit, 5, 0, 1) == 0, "those that are kept stay limited");
    good = 0;
    for (uint64_t n = 200000; n < 200500; n++)
        good += taken(&limit, n, 10, 1);
    ok(good == 500, "when they are full again they make room");
    spar__limit_fini(&limit);
}

static void test_memory(void)
{
    spar__limit limit;
    spar__limit_init(&limit, 60, 1, 1000);
    spar__alloc_fail_at(1);
    ok(taken(&limit, 1, 0, 1) == 1 && limit.room == 0, "without memory all share one bucket");
    spar__alloc_fail_at(1);
    ok(taken(&limit, 2, 0, 1) == 0, "which is empty then");
    spar__alloc_fail_at(0);
    ok(taken(&limit, 1, 0, 3) == 1, "and have their own when there is some");
    spar__limit_fini(&limit);
}

int main(void)
{
    test_rates();
    test_crowd();
    test_memory();
    return done();
}
