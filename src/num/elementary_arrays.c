/* The array forms, compiled once per instruction set. */
#include "num/cpu.h"
#include "num/elementary.h"
#include "num/vec.h"

#define DEFINE_ARRAY(name)                                                                                             \
    static void array_##name(double *out, const double *x, size_t n)                                                   \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (; i + VW <= n; i += VW)                                                                                   \
            v_store(out + i, v_##name(v_load(x + i)));                                                                 \
        if (i < n) {                                                                                                   \
            double rest[VW] = {0};                                                                                     \
            memcpy(rest, x + i, (n - i) * sizeof *x);                                                                  \
            v_store(rest, v_##name(v_load(rest)));                                                                     \
            memcpy(out + i, rest, (n - i) * sizeof *x);                                                                \
        }                                                                                                              \
    }
SPAR__UNARY_MAP(DEFINE_ARRAY)

#define ARRAY_MEMBER(name) .name = array_##name,
const spar__num_ops SPAR__ISA_NAME(spar__num_ops, SPAR_ISA) = {SPAR__UNARY_MAP(ARRAY_MEMBER)};
