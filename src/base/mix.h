/* mix.h - words that look random, from words that count. */
#ifndef SPAR_BASE_MIX_H
#define SPAR_BASE_MIX_H

#include <stdint.h>

/* SplitMix64: adds the golden ratio to the state and mixes it. */
uint64_t spar__splitmix(uint64_t *state);

/* The key of a stream: for fixed others a bijection of each of the four words. The salt tells apart what is derived
 * from the same (seed, run, purpose). */
uint64_t spar__stream_key(uint64_t salt, uint64_t seed, uint64_t run, uint64_t purpose);

#endif
