/* Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011). The counter is (round low, round high, index / 2, channel): a
 * block holds the words of an even index and the odd one after it. */
#include "sampler/rng.h"

enum { ROUNDS = 10 };

#define STEP_0 UINT32_C(0x9e3779b9)
#define STEP_1 UINT32_C(0xbb67ae85)

static inline void turn(uint32_t *c0, uint32_t *c1, uint32_t *c2, uint32_t *c3, uint32_t k0, uint32_t k1)
{
    uint64_t p = UINT64_C(0xd2511f53) * *c0, q = UINT64_C(0xcd9e8d57) * *c2;
    *c0 = (uint32_t)(q >> 32) ^ *c1 ^ k0;
    *c1 = (uint32_t)q;
    *c2 = (uint32_t)(p >> 32) ^ *c3 ^ k1;
    *c3 = (uint32_t)p;
}

void spar__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int i = 0; i < ROUNDS; i++) {
        turn(&c0, &c1, &c2, &c3, k0, k1);
        k0 += STEP_0;
        k1 += STEP_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

static void block(spar__luck luck, uint64_t round, uint32_t channel, uint32_t pair, uint64_t out[2])
{
    uint32_t counter[4] = {(uint32_t)round, (uint32_t)(round >> 32), pair, channel};
    uint32_t key[2] = {(uint32_t)luck.key, (uint32_t)(luck.key >> 32)}, word[4];
    spar__philox(counter, key, word);
    out[0] = (uint64_t)word[1] << 32 | word[0];
    out[1] = (uint64_t)word[3] << 32 | word[2];
}

spar__luck spar__luck_make(uint64_t seed, uint64_t run, uint64_t purpose)
{
    return (spar__luck){spar__stream_key(UINT64_C(0xa4093822299f31d0), seed, run, purpose)};
}

uint64_t spar__luck_bits(spar__luck luck, uint64_t round, uint32_t channel, uint32_t index)
{
    uint64_t word[2];
    block(luck, round, channel, index / 2, word);
    return word[index % 2];
}

double spar__luck_uniform(spar__luck luck, uint64_t round, uint32_t channel, uint32_t index)
{
    return (double)(spar__luck_bits(luck, round, channel, index) >> 11) * 0x1p-53;
}

/* Three blocks at once, as many as four slots have: a block is a chain of ten products, which leaves a CPU idle. */
static void three_blocks(spar__luck luck, uint64_t round, uint32_t channel, uint32_t pair, uint64_t out[6])
{
    uint32_t c0[3], c1[3], c2[3], c3[3], k0 = (uint32_t)luck.key, k1 = (uint32_t)(luck.key >> 32);
    for (uint32_t b = 0; b < 3; b++) {
        c0[b] = (uint32_t)round;
        c1[b] = (uint32_t)(round >> 32);
        c2[b] = pair + b;
        c3[b] = channel;
    }
    for (int i = 0; i < ROUNDS; i++) {
        for (int b = 0; b < 3; b++)
            turn(&c0[b], &c1[b], &c2[b], &c3[b], k0, k1);
        k0 += STEP_0;
        k1 += STEP_1;
    }
    for (int b = 0; b < 3; b++) {
        out[2 * b] = (uint64_t)c1[b] << 32 | c0[b];
        out[2 * b + 1] = (uint64_t)c3[b] << 32 | c2[b];
    }
}

void spar__luck_fill(spar__luck luck, uint64_t round, uint32_t channel, size_t n, uint64_t *out)
{
    size_t i = 0;
    for (; i + 6 <= n; i += 6)
        three_blocks(luck, round, channel, (uint32_t)(i / 2), out + i);
    for (; i + 2 <= n; i += 2)
        block(luck, round, channel, (uint32_t)(i / 2), out + i);
    if (i < n)
        out[i] = spar__luck_bits(luck, round, channel, (uint32_t)i);
}
