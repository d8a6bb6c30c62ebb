/* rng.h - random numbers.
 *
 * A generator is always passed in, never global. It is eight xoshiro256++ generators side by side; one step gives eight
 * words, handed out in lane order. Vector code inside the library takes whole steps past the words left in the buffer,
 * which later scalar draws then use: every word is used once, and the order is the same on every CPU.
 *
 * Streams are derived from (seed, run, purpose); any change in one of the three gives an unrelated stream.
 *
 * Threads: one thread at a time for each generator. NULL is refused unless said otherwise: see status.h. */
#ifndef SPAR_RNG_H
#define SPAR_RNG_H

#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_rng spar_rng;

/* new: at the beginning of a stream. dup and copy: at the same place of the same stream. */
SPAR_API spar_status spar_rng_new(uint64_t seed, uint64_t run, uint64_t purpose, spar_rng **out);
SPAR_API spar_status spar_rng_dup(const spar_rng *rng, spar_rng **out);
SPAR_API void spar_rng_copy(const spar_rng *from, spar_rng *to);
SPAR_API void spar_rng_free(spar_rng *rng); /* NULL is fine */

/* The beginning of another stream. */
SPAR_API void spar_rng_seed(spar_rng *rng, uint64_t seed, uint64_t run, uint64_t purpose);

/* 64 random bits. */
SPAR_API uint64_t spar_rng_next(spar_rng *rng);

/* Uniform in [0,1), a multiple of 2^-53. */
SPAR_API double spar_rng_uniform(spar_rng *rng);

/* Uniform in {0, ..., n-1}, without bias; 0 when n is 0. One word, rarely more. */
SPAR_API uint64_t spar_rng_below(spar_rng *rng, uint64_t n);

/* A uniformly random order of x[0..n-1]. */
SPAR_API void spar_rng_shuffle(spar_rng *rng, size_t *x, size_t n);

/* The state as bytes (free with spar_bytes_free), and back: the loaded generator goes on as the saved one would. */
SPAR_API spar_status spar_rng_save(const spar_rng *rng, unsigned char **bytes, size_t *length);
SPAR_API spar_status spar_rng_load(const unsigned char *bytes, size_t length, spar_rng **out, spar_error *err);

#ifdef __cplusplus
}
#endif

#endif
