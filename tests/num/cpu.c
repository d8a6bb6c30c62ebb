#include "num/elementary.h"

#include "tap.h"

#include <pthread.h>
#include <stdlib.h>

static void *ask(void *out)
{
    *(spar__cpu *)out = spar__cpu_level();
    return NULL;
}

int main(void)
{
    /* The first use of the level, by several threads at once. */
    pthread_t thread[4];
    spar__cpu seen[4];
    (void)setenv("SPAR_CPU", "baseline", 1);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, ask, &seen[i]) != 0)
            return 1;
    bool alike = true;
    for (int i = 0; i < 4; i++) {
        (void)pthread_join(thread[i], NULL);
        alike = alike && seen[i] == SPAR__CPU_BASELINE;
    }
    ok(alike, "threads agree, on what SPAR_CPU says");
    same_text(spar__cpu_name(), "baseline", "and the name is known");

    spar__cpu best = spar__cpu_choose(NULL);
    ok(spar__cpu_choose("baseline") == SPAR__CPU_BASELINE, "baseline is always there");
    ok(spar__cpu_choose("nonsense") == best && spar__cpu_choose("") == best, "unknown names are ignored");
    ok(spar__cpu_known("avx2") && !spar__cpu_known("nonsense") && !spar__cpu_known(""), "but known as such");
    ok(spar__cpu_choose("avx512") == best, "the best is the most there is");
    ok(spar__cpu_choose("avx2") == (spar__cpu_supported(SPAR__CPU_AVX2) ? SPAR__CPU_AVX2 : SPAR__CPU_BASELINE),
       "avx2, or what is below");
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    for (int level = 0; level <= SPAR__CPU_AVX512; level++) {
        bool has = spar__cpu_supported((spar__cpu)level);
        const char *before = spar__cpu_name();
        ok(spar__cpu_force((spar__cpu)level) == has, "%s can be forced where it is", names[level]);
        same_text(spar__cpu_name(), has ? names[level] : before, "and is then in use");
    }
    return done();
}
