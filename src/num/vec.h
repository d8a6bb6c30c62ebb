/* vec.h - vectors of doubles, and the elementary functions on them (v_log, v_exp ...).
 *
 * Only for sources compiled once per instruction set. VW is the width of this instruction set's registers; nothing may
 * depend on it but speed, so lanes never mix: what is drawn or stored together comes in blocks of 8, the fixed logical
 * width, worked through 8 / VW vectors at a time. */
#ifndef SPAR_NUM_VEC_H
#define SPAR_NUM_VEC_H

#include <stdint.h>
#include <string.h>

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

#include "num/elementary.inc"

#endif
