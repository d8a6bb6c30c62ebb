/* rng.h - the inside of the generators.
 *
 * Inside the library a spar_rng is a value: it may be copied and live on the stack. A spar__luck is the counter-based
 * form: the word at (round, channel, index) is a pure function of its place, so that it can be read in any order and by
 * several readers, who then see the same luck. It is Philox4x32-10. */
#ifndef SPAR_SAMPLER_RNG_H
#define SPAR_SAMPLER_RNG_H

#include "base/hash.h"

#include <spar/rng.h>

struct spar_rng {
    uint64_t s[4][8];   /* state word, lane */
    uint64_t buffer[8]; /* the last step's words; those from `used` on were not drawn yet */
    uint64_t used;
};

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

typedef struct spar__luck {
    uint64_t key;
} spar__luck;

spar__luck spar__luck_make(uint64_t seed, uint64_t run, uint64_t purpose);

/* The word at (round, channel, index), and the same as a number in [0,1). */
uint64_t spar__luck_bits(spar__luck luck, uint64_t round, uint32_t channel, uint32_t index);
double spar__luck_uniform(spar__luck luck, uint64_t round, uint32_t channel, uint32_t index);

/* out[i] = spar__luck_bits(luck, round, channel, i) for i < n. */
void spar__luck_fill(spar__luck luck, uint64_t round, uint32_t channel, size_t n, uint64_t *out);

#endif
