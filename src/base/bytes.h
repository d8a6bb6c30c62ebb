/* bytes.h - whole numbers in files: little-endian on every machine. Compilers make one instruction of each. */
#ifndef SPAR_BASE_BYTES_H
#define SPAR_BASE_BYTES_H

#include <stdint.h>

static inline uint32_t spar__get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t spar__get_u64(const unsigned char *p)
{
    return spar__get_u32(p) | (uint64_t)spar__get_u32(p + 4) << 32;
}

static inline void spar__put_u32(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> 8 * i);
}

static inline void spar__put_u64(unsigned char *p, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        p[i] = (unsigned char)(value >> 8 * i);
}

#endif
