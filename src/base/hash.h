/* hash.h - bytes and words: a checksum, whole numbers in files, and words that look random. */
#ifndef SPAR_BASE_HASH_H
#define SPAR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of files: a fast 64-bit hash of bytes, the same value on every machine. It finds damage, not
 * forgery: where somebody may want to deceive, use a cryptographic hash.
 *
 * Every change within one 8-byte word changes the value. Numbers to be hashed by spar__hash_add are hashed as they are
 * in memory; those that go into a file must be little-endian, as below. */
typedef struct spar__hash {
    uint64_t lane[4];
    uint64_t length;
    unsigned char rest[32]; /* the last length % 32 bytes, not yet in the lanes */
} spar__hash;

/* In pieces: start, add any number of times, end. The sizes of the pieces do not matter; end changes nothing. */
spar__hash spar__hash_start(void);
void spar__hash_add(spar__hash *hash, const void *bytes, size_t length);
uint64_t spar__hash_end(const spar__hash *hash);

/* All at once. */
uint64_t spar__hash_of(const void *bytes, size_t length);

/* Whole numbers in files: little-endian on every machine. Compilers make one instruction of each. */

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

/* Words that look random, from words that count. */

/* SplitMix64: adds the golden ratio to the state and mixes it. */
uint64_t spar__splitmix(uint64_t *state);

/* The key of a stream: for fixed others a bijection of each of the four words. The salt tells apart what is derived
 * from the same (seed, run, purpose). */
uint64_t spar__stream_key(uint64_t salt, uint64_t seed, uint64_t run, uint64_t purpose);

#endif
