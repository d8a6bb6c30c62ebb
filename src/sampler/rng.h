/* rng.h - the inside of the generators, for the laws and for tests. */
#ifndef SPAR_SAMPLER_RNG_H
#define SPAR_SAMPLER_RNG_H

#include <spar/rng.h>

/* SplitMix64: adds the golden ratio to the state and mixes it. */
uint64_t spar__splitmix(uint64_t *state);

/* The key of a stream: for fixed others a bijection of each of the four words. The salt tells apart what is derived
 * from the same (seed, run, purpose). */
uint64_t spar__stream_key(uint64_t salt, uint64_t seed, uint64_t run, uint64_t purpose);

/* One step of the eight lanes into the buffer. */
void spar__rng_step(spar_rng *rng);

/* spar_rng_next, inline. */
static inline uint64_t spar__rng_next(spar_rng *rng)
{
    if (rng->used >= 8)
        spar__rng_step(rng);
    return rng->buffer[rng->used++];
}

/* One Philox4x32-10 block. */
void spar__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* out[i] = spar_luck_bits(luck, round, channel, i) for i < n. */
void spar__luck_fill(spar_luck luck, uint64_t round, uint32_t channel, size_t n, uint64_t *out);

#endif
