/* lanes.h - eight 16-bit numbers at a time.
 *
 * What is compared gives 16 ones or zeros in each lane, which are minus one or nothing as a number. */
#ifndef SPAR_POLICY_LANES_H
#define SPAR_POLICY_LANES_H

#include "sampler/rng.h"

#include <stdbool.h>
#include <string.h>

enum { SPAR__LANES = 8 };

typedef uint16_t spar__lanes __attribute__((vector_size(2 * SPAR__LANES)));
typedef uint64_t spar__lane_words __attribute__((vector_size(2 * SPAR__LANES)));

static inline spar__lanes spar__lanes_load(const uint16_t *p)
{
    spar__lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Random numbers: four of each word, the lowest first. */
static inline spar__lanes spar__lanes_draw(spar_rng *rng)
{
    spar__lane_words word = {0};
    word[0] = spar__rng_next(rng);
    word[1] = spar__rng_next(rng);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = word << 32 | word >> 32;
    word = (word & UINT64_C(0x0000ffff0000ffff)) << 16 | (word >> 16 & UINT64_C(0x0000ffff0000ffff));
#endif
    return (spar__lanes)word;
}

/* How many of the lanes hold: sums of two side by side, then the sum of these. */
static inline size_t spar__lanes_count(spar__lanes v)
{
    spar__lane_words part = (spar__lane_words)(v & 1);
    return (size_t)((part[0] + part[1]) * UINT64_C(0x0001000100010001) >> 48);
}

static inline bool spar__lanes_any(spar__lanes v)
{
    spar__lane_words part = (spar__lane_words)v;
    return (part[0] | part[1]) != 0;
}

#endif
