/* vec.h - the elementary functions, written once: for a vector of doubles (v_log, v_exp ...), or with SPAR__SCALAR
 * defined for a double (s_log, s_exp ...).
 *
 * Vectors are only for sources compiled once per instruction set. VW is the width of this instruction set's registers;
 * nothing may depend on it but speed, so lanes never mix: what is drawn or stored together comes in blocks of 8, the
 * fixed logical width, worked through 8 / VW vectors at a time.
 *
 * NUM, BITS and MASK are a value, its bits and a truth value, in each lane; K is a constant in every lane, LOW_BIT the
 * mask of the lowest bit. There is no branch: every lane computes every case and SELECT takes the right one. Error
 * analysis is in the comments; the polynomials are minimax, found with the Remez algorithm, and their own error is
 * below 2^-57 of the result. Adding and subtracting ROUNDER rounds to an integer, which is then in the lowest bits. */
#ifndef SPAR_NUM_VEC_H
#define SPAR_NUM_VEC_H

#include <stdint.h>
#include <string.h>

#if defined(SPAR__SCALAR)
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
#define LOW_BIT(b) ((int)((b)&1))
#define SELECT(m, a, b) ((m) ? (a) : (b))
#define K(c) (c)
#define KERNEL_INLINE static inline __attribute__((always_inline, unused))
#else
#if defined(__AVX512F__)
#define VW 8
#elif defined(__AVX__)
#define VW 4
#else
#define VW 2
#endif

typedef double vnum __attribute__((vector_size(8 * VW)));
typedef uint64_t vbits __attribute__((vector_size(8 * VW)));
typedef int64_t vmask __attribute__((vector_size(8 * VW))); /* lanes all ones or all zeros */

#define V_INLINE static inline __attribute__((always_inline, unused))

V_INLINE vnum v_load(const double *p)
{
    vnum v;
    memcpy(&v, p, sizeof v);
    return v;
}

V_INLINE void v_store(double *p, vnum v)
{
    memcpy(p, &v, sizeof v);
}

V_INLINE vbits v_load_bits(const uint64_t *p)
{
    vbits v;
    memcpy(&v, p, sizeof v);
    return v;
}

V_INLINE void v_store_bits(uint64_t *p, vbits v)
{
    memcpy(p, &v, sizeof v);
}

V_INLINE vnum v_splat(double c)
{
    return (vnum){0} + c;
}

V_INLINE vnum v_select(vmask m, vnum a, vnum b)
{
    return (vnum)((m & (vmask)a) | (~m & (vmask)b));
}

#define FN(name) v_##name
#define NUM vnum
#define BITS vbits
#define MASK vmask
#define AS_BITS(x) ((vbits)(x))
#define AS_NUM(b) ((vnum)(b))
#define CMP(a, op, b) ((vmask)((a)op(b)))
#define NOT(m) (~(m))
#define LOW_BIT(b) ((vmask)(0 - ((b)&1))) /* mask of the lowest bit */
#define SELECT(m, a, b) v_select(m, a, b)
#define K(c) v_splat(c)
#define KERNEL_INLINE V_INLINE
#endif

#define LN2_HI 0x1.62e42feep-1 /* 32 bits, so that k LN2_HI is exact */
#define LN2_LO 0x1.a39ef35793c76p-33
#define SIN_3 -0x1.5555555555549p-3
#define ROUNDER 0x1.8p52
#define ROUNDER_BITS UINT64_C(0x4338000000000000)

/* R(z) in log((1 + s) / (1 - s)) = s (2 + R(s^2)), for |s| <= 0.172. */
KERNEL_INLINE NUM FN(log_series)(NUM z)
{
    NUM w = z * z;
    NUM even =
        z * (0x1.5555555555593p-1 + w * (0x1.249249420465dp-2 + w * (0x1.7466428899de2p-3 + w * 0x1.2f09765cb7273p-3)));
    NUM odd = w * (0x1.999999997fc73p-2 + w * (0x1.c71c51f8af258p-3 + w * 0x1.39a1581acd7cbp-3));
    return even + odd;
}

/* log(2^k (1 + f)) + c for 1 + f in [sqrt 1/2, sqrt 2] and a tiny c. With s = f / (2 + f), log(1 + f) = 2 s + s R(s^2)
 * = f - (f^2/2 - s (f^2/2 + R)): f is exact and what is rounded is at most a tenth of the sum. */
KERNEL_INLINE NUM FN(log_core)(NUM k, NUM f, NUM c)
{
    NUM s = f / (2.0 + f), h = 0.5 * f * f;
    return k * LN2_HI - ((h - (s * (h + FN(log_series)(s * s)) + (k * LN2_LO + c))) - f);
}

/* x = 2^k m with m in [sqrt 1/2, sqrt 2), for normal positive x. */
KERNEL_INLINE NUM FN(split)(NUM x, NUM *k)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(0x3ff0000000000000);
    BITS b = AS_BITS(x) + (one - root);
    *k = AS_NUM((b >> 52) | UINT64_C(0x4330000000000000)) - (0x1p52 + 1023);
    return AS_NUM((b & UINT64_C(0x000fffffffffffff)) + root);
}

/* log for normal positive finite x only. */
KERNEL_INLINE NUM FN(log_normal)(NUM x)
{
    NUM k, m = FN(split)(x, &k);
    return FN(log_core)(k, m - 1.0, K(0.0));
}

KERNEL_INLINE NUM FN(log)(NUM x)
{
    MASK tiny = CMP(x, <, 0x1p-1022);
    NUM k, m = FN(split)(SELECT(tiny, x * 0x1p54, x), &k);
    k = SELECT(tiny, k - 54.0, k);
    NUM y = FN(log_core)(k, m - 1.0, K(0.0));
    y = SELECT(CMP(x, ==, __builtin_inf()), x, y);
    y = SELECT(CMP(x, ==, 0.0), K(-__builtin_inf()), y);
    return SELECT(CMP(x, >=, 0.0), y, K(__builtin_nan("")));
}

/* log(1 + x) = log(u) + c, u = 1 + x rounded, c = (what was lost) / u; where u needs no scaling f = x is exact. */
KERNEL_INLINE NUM FN(log1p)(NUM x)
{
    NUM u = 1.0 + x;
    NUM lost = SELECT(CMP(x, <, 1.0), x - (u - 1.0), 1.0 - (u - x));
    NUM k, m = FN(split)(u, &k);
    MASK whole = CMP(k, ==, 0.0);
    NUM y = FN(log_core)(k, SELECT(whole, x, m - 1.0), SELECT(whole, K(0.0), lost / u));
    y = SELECT(CMP(x, ==, __builtin_inf()), x, y);
    y = SELECT(CMP(x, ==, 0.0), x, y); /* keeps -0 */
    y = SELECT(CMP(x, ==, -1.0), K(-__builtin_inf()), y);
    return SELECT(CMP(x, >=, -1.0), y, K(__builtin_nan("")));
}

/* exp(x) = 2^k (1 + (r + t)), |r| <= log(2)/2, for |x| < 2^20. t holds what r lost in rounding and the higher terms:
 * |t| < 0.08, so that 1 + (r + t) is off by half a unit for the last addition and less than another half before it. */
KERNEL_INLINE NUM FN(exp_parts)(NUM x, NUM *r, NUM *t)
{
    NUM k = (x * 0x1.71547652b82fep+0 + ROUNDER) - ROUNDER;
    NUM hi = x - k * LN2_HI, lo = k * LN2_LO;
    NUM y = hi - lo, z = y * y, w = z * z;
    NUM q0 = (0.5 + y * 0x1.555555555555cp-3) + z * (0x1.555555555555ep-5 + y * 0x1.111111110eb9ep-7);
    NUM q1 =
        (0x1.6c16c16c13566p-10 + y * 0x1.a01a01b3c337ap-13) + z * (0x1.a01a01b45e8a4p-16 + y * 0x1.71ddef7f47ba8p-19);
    NUM q2 = (0x1.27e4bf2020e26p-22 + y * 0x1.af6cf11ec0872p-26) + z * 0x1.1f9e059122e74p-29;
    *r = y;
    *t = ((hi - y) - lo) + z * (q0 + w * (q1 + w * q2));
    return k;
}

/* y 2^k for |k| < 2000, rounded once: the scale is split in two normal factors. */
KERNEL_INLINE NUM FN(scale)(NUM y, NUM k)
{
    BITS n = AS_BITS(k + ROUNDER) - (ROUNDER_BITS - 2048), half = n >> 1;
    return y * AS_NUM((half - 1) << 52) * AS_NUM((n - half - 1) << 52);
}

KERNEL_INLINE NUM FN(clamp)(NUM x, double bound) /* NaN stays */
{
    x = SELECT(CMP(x, >, bound), K(bound), x);
    return SELECT(CMP(x, <, -bound), K(-bound), x);
}

KERNEL_INLINE NUM FN(exp)(NUM x)
{
    NUM r, t, k = FN(exp_parts)(FN(clamp)(x, 800.0), &r, &t);
    return FN(scale)(1.0 + (r + t), k);
}

/* exp(x) - 1 = (s - 1) + s r + s t, s = 2^k, the first sum taken exactly. Beyond 40 the 1 does not matter, below -40
 * nothing else does. */
KERNEL_INLINE NUM FN(expm1)(NUM x)
{
    NUM r, t, k = FN(exp_parts)(FN(clamp)(x, 800.0), &r, &t);
    NUM big = FN(scale)(1.0 + (r + t), k);
    NUM s = FN(scale)(K(1.0), FN(clamp)(k, 60.0));
    NUM base = s - 1.0, base_lost = (s - base) - 1.0;
    NUM sum = base + s * r, lost = s * r - (sum - base);
    NUM y = sum + ((lost + base_lost) + s * t);
    y = SELECT(CMP(x, >, 40.0), big, y);
    return SELECT(CMP(x, ==, 0.0), x, y); /* keeps -0 */
}

/* sin x = x + x^3 (SIN_3 + z S(z)) and cos x = 1 - z/2 + z^2 C(z), z = x^2, for |x| <= pi/4. */
KERNEL_INLINE NUM FN(sin_series)(NUM z)
{
    NUM w = z * z;
    return (0x1.111111110f871p-7 + z * -0x1.a01a019c105ffp-13) +
           w * ((0x1.71de357699d81p-19 + z * -0x1.ae5e65523673fp-26) + w * 0x1.5d92bb19a14cfp-33);
}

KERNEL_INLINE NUM FN(cos_series)(NUM z)
{
    NUM w = z * z;
    return (0x1.555555555554cp-5 + z * -0x1.6c16c16c15174p-10) +
           w * ((0x1.a01a019cb0ba7p-16 + z * -0x1.27e4f8092bd27p-22) +
                w * (0x1.1ee9eb5d69499p-29 + z * -0x1.8fae5131f242bp-37));
}

/* sin and cos of x + y for |x| <= pi/4 and a tiny y. */
KERNEL_INLINE NUM FN(sin_core)(NUM x, NUM y)
{
    NUM z = x * x, v = z * x;
    return x - ((z * (0.5 * y - v * FN(sin_series)(z)) - y) - v * SIN_3);
}

KERNEL_INLINE NUM FN(cos_core)(NUM x, NUM y)
{
    NUM z = x * x, h = 0.5 * z, a = 1.0 - h;
    return a + (((1.0 - a) - h) + (z * z * FN(cos_series)(z) - x * y));
}

/* The same with y = 0, off by up to 1 ulp more and shorter. */
KERNEL_INLINE void FN(sincos_short)(NUM x, NUM *sine, NUM *cosine)
{
    NUM z = x * x;
    *sine = x + x * (z * (SIN_3 + z * FN(sin_series)(z)));
    *cosine = 1.0 - z * (0.5 - z * FN(cos_series)(z));
}

/* x = k pi/2 + (r + tail), |k| < 2^20: pi/2 is cut in three parts of 33 bits, each k times which is exact, and a rest;
 * every subtraction is exact or keeps its error. Returns the bits of k. */
KERNEL_INLINE BITS FN(quarter_turns)(NUM x, NUM *r, NUM *tail)
{
    NUM shifted = x * 0x1.45f306dc9c883p-1 + ROUNDER, k = shifted - ROUNDER;
    NUM a = x - k * 0x1.921fb544p+0, p = k * 0x1.0b4611a6p-34, q = k * 0x1.3198a2ep-69;
    NUM b = a - p, bb = b - a, lost = (a - (b - bb)) - (p + bb);
    NUM c = b - q, cc = c - b;
    lost = (lost + ((b - (c - cc)) - (q + cc))) - k * 0x1.b839a252049c1p-104;
    *r = c + lost;
    *tail = (c - *r) + lost;
    return AS_BITS(shifted);
}

KERNEL_INLINE void FN(sincos)(NUM x, NUM *sine, NUM *cosine)
{
    NUM r, tail;
    BITS n = FN(quarter_turns)(x, &r, &tail);
    NUM s = FN(sin_core)(r, tail), c = FN(cos_core)(r, tail);
    MASK swap = LOW_BIT(n), good = NOT(CMP(x, >, 0x1p20) | NOT(CMP(x, >=, -0x1p20)));
    NUM y = AS_NUM(AS_BITS(SELECT(swap, c, s)) ^ ((n & 2) << 62));
    NUM z = AS_NUM(AS_BITS(SELECT(swap, s, c)) ^ (((n + 1) & 2) << 62));
    y = SELECT(CMP(x, ==, 0.0), x, y); /* keeps -0 */
    *sine = SELECT(good, y, K(__builtin_nan("")));
    *cosine = SELECT(good, z, K(__builtin_nan("")));
}

KERNEL_INLINE NUM FN(sin)(NUM x)
{
    NUM s, c;
    FN(sincos)(x, &s, &c);
    return s;
}

KERNEL_INLINE NUM FN(cos)(NUM x)
{
    NUM s, c;
    FN(sincos)(x, &s, &c);
    return c;
}

/* atan |x| = atan c + atan t, t = (x - c) / (1 + c x), for c = 0, 1/2, 1, 3/2 or infinity (t = -1 / x), so that |t| is
 * at most tan pi/8, and smaller where the sum is not much larger. */
KERNEL_INLINE NUM FN(atan)(NUM x)
{
    NUM a = AS_NUM(AS_BITS(x) & UINT64_C(0x7fffffffffffffff));
    NUM c = K(0.0), hi = K(0.0), lo = K(0.0);
    MASK above = CMP(a, >, 0x1.a827999fcef32p-2);
    c = SELECT(above, K(0.5), c);
    hi = SELECT(above, K(0x1.dac670561bb4fp-2), hi);
    lo = SELECT(above, K(0x1.a2b7f222f65e2p-56), lo);
    above = CMP(a, >, 0.6875);
    c = SELECT(above, K(1.0), c);
    hi = SELECT(above, K(0x1.921fb54442d18p-1), hi);
    lo = SELECT(above, K(0x1.1a62633145c07p-55), lo);
    above = CMP(a, >, 1.1875);
    c = SELECT(above, K(1.5), c);
    hi = SELECT(above, K(0x1.f730bd281f69bp-1), hi);
    lo = SELECT(above, K(0x1.007887af0cbbdp-56), lo);
    above = CMP(a, >, 0x1.3504f333f9de6p+1);
    hi = SELECT(above, K(0x1.921fb54442d18p+0), hi);
    lo = SELECT(above, K(0x1.1a62633145c07p-54), lo);
    NUM t = SELECT(above, K(-1.0), a - c) / SELECT(above, a, 1.0 + c * a);
    NUM z = t * t, w = z * z;
    NUM even = -0x1.5555555555554p-2 +
               w * (-0x1.2492492475ba2p-3 +
                    w * (-0x1.745d14bdf086cp-4 +
                         w * (-0x1.110c77683bb59p-4 + w * (-0x1.ab7f73a713e4fp-5 + w * -0x1.1247f61ef38f2p-5))));
    NUM odd = 0x1.9999999999656p-3 +
              w * (0x1.c71c71b76b858p-4 +
                   w * (0x1.3b136e84905edp-4 +
                        w * (0x1.e1725365ab290p-5 + w * (0x1.70f4b248c6dd3p-5 + w * 0x1.f226d66434a92p-7))));
    NUM y = hi + (t + (lo + t * (z * (even + z * odd))));
    return AS_NUM(AS_BITS(y) | (AS_BITS(x) & UINT64_C(0x8000000000000000)));
}

/* With e = exp(-|x|): 1 / (1 + e) for x >= 0, e / (1 + e) below. */
KERNEL_INLINE NUM FN(logistic)(NUM x)
{
    NUM e = FN(exp)(AS_NUM(AS_BITS(x) | UINT64_C(0x8000000000000000)));
    return SELECT(CMP(x, >=, 0.0), K(1.0), e) / (1.0 + e);
}

#endif
