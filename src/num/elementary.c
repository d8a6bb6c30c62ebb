/* elementary.c - the scalar functions, and the choice among the array forms: one copy for each instruction set. */
#include "num/elementary.h"

#define SPAR__SCALAR
#include "num/vec.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"baseline", "avx2", "avx512"};

/* -1 before the first use. Two threads that meet here find the same answer, so a plain store is enough. */
static _Atomic int current = -1;

bool spar__cpu_supported(spar__cpu level)
{
#if defined(__x86_64__)
    if (level == SPAR__CPU_AVX2)
        return __builtin_cpu_supports("avx2");
    if (level == SPAR__CPU_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return level == SPAR__CPU_BASELINE;
}

spar__cpu spar__cpu_choose(const char *wanted)
{
    int level = SPAR__CPU_AVX512;
    for (int i = 0; wanted && i <= SPAR__CPU_AVX512; i++)
        if (strcmp(wanted, names[i]) == 0)
            level = i;
    while (!spar__cpu_supported((spar__cpu)level))
        level--;
    return (spar__cpu)level;
}

bool spar__cpu_known(const char *name)
{
    for (int i = 0; i <= SPAR__CPU_AVX512; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

spar__cpu spar__cpu_level(void)
{
    int level = atomic_load_explicit(&current, memory_order_relaxed);
    if (level < 0) {
        level = (int)spar__cpu_choose(getenv("SPAR_CPU"));
        atomic_store_explicit(&current, level, memory_order_relaxed);
    }
    return (spar__cpu)level;
}

const char *spar__cpu_name(void)
{
    return names[spar__cpu_level()];
}

bool spar__cpu_force(spar__cpu level)
{
    if (!spar__cpu_supported(level))
        return false;
    atomic_store_explicit(&current, (int)level, memory_order_relaxed);
    return true;
}

static const spar__num_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__num_ops);

#define DEFINE_BOTH(name)                                                                                              \
    double spar__##name(double x)                                                                                      \
    {                                                                                                                  \
        return s_##name(x);                                                                                            \
    }                                                                                                                  \
    void spar__v##name(double *out, const double *x, size_t n)                                                         \
    {                                                                                                                  \
        tables[spar__cpu_level()]->name(out, x, n);                                                                    \
    }
SPAR__UNARY_MAP(DEFINE_BOTH)

double spar__pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    return s_exp(y * s_log(x));
}
