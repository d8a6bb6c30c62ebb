#include "num/elementary.h"

#include "num/cpu.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t as_bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline double as_num(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

#define SPAR__SCALAR
#include "num/elementary.inc"

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
