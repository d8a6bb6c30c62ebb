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

#define FN(name) s_##name
#define NUM double
#define BITS uint64_t
#define MASK int
#define AS_BITS(x) as_bits(x)
#define AS_NUM(b) as_num(b)
#define CMP(a, op, b) ((a)op(b))
#define NOT(m) (!(m))
#define ODD(b) ((int)((b)&1))
#define SELECT(m, a, b) ((m) ? (a) : (b))
#define K(c) (c)
#define INLINE static inline __attribute__((always_inline, unused))
#include "num/elementary.inc"

static const spar__num_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__num_ops);

#define DEFINE(name)                                                                                                   \
    double spar__##name(double x)                                                                                      \
    {                                                                                                                  \
        return s_##name(x);                                                                                            \
    }                                                                                                                  \
    void spar__v##name(double *out, const double *x, size_t n)                                                         \
    {                                                                                                                  \
        tables[spar__cpu_level()]->name(out, x, n);                                                                    \
    }
SPAR__UNARY_MAP(DEFINE)

double spar__pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    return s_exp(y * s_log(x));
}
