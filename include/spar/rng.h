/* rng.h - random numbers.
 *
 * A spar_rng is a value: passed in, copied, never global. It is eight xoshiro256++ generators side by side; one step
 * gives eight words, handed out in lane order. Vector code inside the library takes whole steps past the words that
 * wait in the buffer, which later scalar draws then use: every word is used once, and the order is the same on
 * every CPU.
 *
 * A spar_luck is the counter-based form: the word at (round, channel, index) is a pure function of its place, so that
 * it can be read in any order and by several readers who then see the same luck. It is Philox4x32-10.
 *
 * Streams of either kind are derived from (seed, run, purpose); any change in one of the three gives an unrelated
 * stream. */
#ifndef SPAR_RNG_H
#define SPAR_RNG_H

#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_rng {
    uint64_t s[4][8];   /* state word, lane */
    uint64_t buffer[8]; /* the last step's words; those from `used` on wait to be drawn */
    uint64_t used;
} spar_rng;

SPAR_API void spar_rng_seed(spar_rng *rng, uint64_t seed, uint64_t run, uint64_t purpose);

/* 64 random bits. */
SPAR_API uint64_t spar_rng_next(spar_rng *rng);

/* Uniform in [0,1), a multiple of 2^-53. */
SPAR_API double spar_rng_uniform(spar_rng *rng);

/* Uniform in {0, ..., n-1}, without bias; 0 when n is 0. One word, rarely more. */
SPAR_API uint64_t spar_rng_below(spar_rng *rng, uint64_t n);

/* A uniformly random order of x[0..n-1]. */
SPAR_API void spar_rng_shuffle(spar_rng *rng, size_t *x, size_t n);

typedef struct spar_luck {
    uint64_t key;
} spar_luck;

SPAR_API spar_luck spar_luck_make(uint64_t seed, uint64_t run, uint64_t purpose);

/* The word at (round, channel, index), and the same as a number in [0,1). */
SPAR_API uint64_t spar_luck_bits(spar_luck luck, uint64_t round, uint32_t channel, uint32_t index);
SPAR_API double spar_luck_uniform(spar_luck luck, uint64_t round, uint32_t channel, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
