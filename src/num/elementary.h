/* elementary.h - log, exp and similar functions with the same bits on every CPU.
 *
 * The algorithms are written once, in elementary.inc, without fused or reordered arithmetic, for a double and for a
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

#include <stddef.h>

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
