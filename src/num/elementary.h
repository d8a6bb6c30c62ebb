/* elementary.h - log, exp and similar functions with the same bits on every CPU.
 *
 * The algorithms are written once, in vec.h, without fused or reordered arithmetic, for a double and for a
 * vector of doubles; so the scalar and array forms agree to the bit. Bounds on the error, in units of the last place
 * of the correctly rounded value, over the whole range (subnormal results: of the smallest subnormal):
 *
 *     log     1      log(0) = -inf, log(x < 0) = NaN
 *     log1p   1      log1p(-1) = -inf, log1p(x < -1) = NaN
 *     exp     1
 *     expm1   1.25
 *     sin     1      |x| <= 2^20, NaN beyond
 *     cos     1      |x| <= 2^20, NaN beyond
 *     atan    1
 *     logistic 3     1 / (1 + exp(-x))
 */
#ifndef SPAR_NUM_ELEMENTARY_H
#define SPAR_NUM_ELEMENTARY_H

#include <stdbool.h>
#include <stddef.h>

/* Which instruction set the vector code uses.
 *
 * Vector code is one source compiled once per instruction set; each copy fills a const table of function pointers and
 * the caller takes the one at spar__cpu_level(). The arithmetic is the same in every copy, so are the bits. The level
 * is the best the CPU has, or the one named by SPAR_CPU=baseline|avx2|avx512 (the best below it where the CPU lacks
 * it; an unknown name, which the command refuses, is ignored). It is settled at the first use and may be asked for by
 * any thread. */
typedef enum spar__cpu { SPAR__CPU_BASELINE, SPAR__CPU_AVX2, SPAR__CPU_AVX512 } spar__cpu;

enum {
#if defined(__x86_64__)
    SPAR__CPU_COUNT = 3
#else
    SPAR__CPU_COUNT = 1
#endif
};

/* The tables of one function set, by level: spar__num_ops *const tables[] = SPAR__CPU_TABLES(spar__num_ops). */
#if defined(__x86_64__)
#define SPAR__CPU_TABLES(name)                                                                                         \
    {                                                                                                                  \
        &name##_baseline, &name##_avx2, &name##_avx512                                                                 \
    }
#else
#define SPAR__CPU_TABLES(name)                                                                                         \
    {                                                                                                                  \
        &name##_baseline                                                                                               \
    }
#endif

/* The name of this copy's table, in a source compiled with -DSPAR_ISA=<level>. */
#define SPAR__ISA_PASTE(name, isa) name##_##isa
#define SPAR__ISA_NAME(name, isa) SPAR__ISA_PASTE(name, isa)

spar__cpu spar__cpu_level(void);
const char *spar__cpu_name(void); /* of the level in use: "baseline", "avx2", "avx512" */
bool spar__cpu_supported(spar__cpu level);

/* The level for a value of SPAR_CPU, which may be NULL; and whether it is the name of one. */
spar__cpu spar__cpu_choose(const char *wanted);
bool spar__cpu_known(const char *name);

/* For tests: use this level from now on; false when the CPU lacks it. Not while other threads draw. */
bool spar__cpu_force(spar__cpu level);

#define SPAR__UNARY_MAP(X) X(log) X(log1p) X(exp) X(expm1) X(sin) X(cos) X(atan) X(logistic)

/* double spar__log(double x), and void spar__vlog(double *out, const double *x, size_t n): out[i] = log(x[i]). out may
 * be x. */
#define SPAR__DECLARE(name)                                                                                            \
    double spar__##name(double x);                                                                                     \
    void spar__v##name(double *out, const double *x, size_t n);
SPAR__UNARY_MAP(SPAR__DECLARE)
#undef SPAR__DECLARE

/* x^y for x >= 0, as exp(y log x): relative error about (1 + |y log x|) 2^-52. 0^0 = 1. */
double spar__pow(double x, double y);

/* The array forms of one instruction set. */
typedef struct spar__num_ops {
#define SPAR__MEMBER(name) void (*name)(double *out, const double *x, size_t n);
    SPAR__UNARY_MAP(SPAR__MEMBER)
#undef SPAR__MEMBER
} spar__num_ops;

extern const spar__num_ops spar__num_ops_baseline, spar__num_ops_avx2, spar__num_ops_avx512;

#endif
