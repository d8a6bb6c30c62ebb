/* What tests/num/weights.c and tests/num/kron.c do not use: the largest of some numbers. */
#include "num/linear.h"

#include "num/cpu.h"
#include "tap.h"

int main(void)
{
    enum { N = 150 };
    double value[N];
    for (int level = 0; level < SPAR__CPU_COUNT; level++) {
        if (!spar__cpu_force((spar__cpu)level))
            continue;
        bool good = true;
        for (size_t n = 1; n <= N; n++)
            for (size_t at = 0; at < n; at++) {
                for (size_t i = 0; i < N; i++)
                    value[i] = i < n ? -1 - (double)(i * 37 % 11) : 1; /* those beyond n do not count */
                value[at] = -0.5;
                good &= spar__largest(n, value) == -0.5;
            }
        for (size_t i = 0; i < N; i++)
            value[i] = -INFINITY;
        good &= spar__largest(N, value) == -INFINITY && spar__largest(3, value) == -INFINITY;
        ok(good, "the largest of 1 to %d numbers, wherever it is: %s", N, spar__cpu_name());
    }
    (void)spar__cpu_force(spar__cpu_choose(NULL));
    return done();
}
