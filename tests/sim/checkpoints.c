#include "sim/sim.h"

#include "tap.h"

static uint64_t t[1000];

static bool holds(size_t n, uint64_t wanted)
{
    for (size_t i = 0; i < n; i++)
        if (t[i] == wanted)
            return true;
    return false;
}

/* Strictly increasing from 1 to rounds, with every quoted round that is not beyond. */
static bool sound(uint64_t rounds)
{
    static const uint64_t quoted[] = {100, 1000, 5000, 10000, 20000};
    size_t n = spar__checkpoints(rounds, t);
    bool good = n == spar__checkpoints(rounds, NULL) && n >= 1 && t[0] == 1 && t[n - 1] == rounds;
    for (size_t i = 1; i < n; i++)
        good = good && t[i] > t[i - 1];
    for (size_t i = 0; i < 5; i++)
        good = good && holds(n, quoted[i]) == (quoted[i] <= rounds);
    return good;
}

int main(void)
{
    bool good = true;
    for (uint64_t rounds = 1; rounds <= 30000; rounds++)
        good = good && sound(rounds);
    ok(good, "sound for any number of rounds up to 30000");
    static const uint64_t large[] = {99999, 1000000, 123456789, 1000000000, 1000000000000000000, UINT64_MAX};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        ok(sound(large[i]), "sound for %llu rounds", (unsigned long long)large[i]);

    ok(spar__checkpoints(1, t) == 1 && t[0] == 1, "one round, one checkpoint");
    size_t n = spar__checkpoints(1000000000, t);
    ok(n >= 9 * 12 && n <= 9 * 16 + 3, "1e9 rounds have %zu checkpoints", n);
    bool spaced = true;
    for (size_t i = 1; i < n; i++)
        spaced = spaced && (t[i] < 100 || (double)t[i] / (double)t[i - 1] < 1.17);
    ok(spaced, "from 100 on neighbours are less than 17 %% apart");
    return done();
}
