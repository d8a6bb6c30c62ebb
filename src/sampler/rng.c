/* xoshiro256++ (Blackman and Vigna, 2021) in eight lanes, seeded by SplitMix64. */
#include "sampler/rng.h"

#include "base/alloc.h"
#include "base/error.h"

/* Two keys, for half of the state words each, so that two streams coincide only if 128 bits do. */
void spar_rng_seed(spar_rng *rng, uint64_t seed, uint64_t run, uint64_t purpose)
{
    if (!rng)
        return;
    uint64_t key[2] = {spar__stream_key(UINT64_C(0x243f6a8885a308d3), seed, run, purpose),
                       spar__stream_key(UINT64_C(0x13198a2e03707344), seed, run, purpose)};
    for (int word = 0; word < 4; word++)
        for (int lane = 0; lane < 8; lane++)
            rng->s[word][lane] = spar__splitmix(&key[word / 2]);
    for (int lane = 0; lane < 8; lane++)
        rng->buffer[lane] = 0;
    rng->used = 8;
}

spar_status spar_rng_new(uint64_t seed, uint64_t run, uint64_t purpose, spar_rng **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    if (!*out)
        return SPAR_NOMEM;
    spar_rng_seed(*out, seed, run, purpose);
    return SPAR_OK;
}

spar_status spar_rng_dup(const spar_rng *rng, spar_rng **out)
{
    if (!SPAR__CLEAR(out) || !rng)
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    if (!*out)
        return SPAR_NOMEM;
    **out = *rng;
    return SPAR_OK;
}

void spar_rng_copy(const spar_rng *from, spar_rng *to)
{
    if (!from || !to)
        return;
    *to = *from;
}

void spar_rng_free(spar_rng *rng)
{
    spar__free(rng);
}

static inline uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void spar__rng_step(spar_rng *rng)
{
    for (int i = 0; i < 8; i++) {
        uint64_t a = rng->s[0][i], b = rng->s[1][i], c = rng->s[2][i], d = rng->s[3][i];
        rng->buffer[i] = rotate(a + d, 23) + a;
        c ^= a;
        d ^= b;
        rng->s[0][i] = a ^ d;
        rng->s[1][i] = b ^ c;
        rng->s[2][i] = c ^ (b << 17);
        rng->s[3][i] = rotate(d, 45);
    }
    rng->used = 0;
}

uint64_t spar_rng_next(spar_rng *rng)
{
    return rng ? spar__rng_next(rng) : 0;
}

double spar_rng_uniform(spar_rng *rng)
{
    return rng ? (double)(spar__rng_next(rng) >> 11) * 0x1p-53 : 0;
}

/* The high and low words of a product. */
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

/* Lemire (2019): the high word of word * n, redrawn while the low word is among the 2^64 mod n that would bias it. */
uint64_t spar_rng_below(spar_rng *rng, uint64_t n)
{
    if (!rng)
        return 0;
    uint64_t low, high = multiply(spar__rng_next(rng), n, &low);
    if (low < n) {
        uint64_t excess = n ? (0 - n) % n : 0;
        while (low < excess)
            high = multiply(spar__rng_next(rng), n, &low);
    }
    return high;
}

void spar_rng_shuffle(spar_rng *rng, size_t *x, size_t n)
{
    if (!rng || (n && !x))
        return;
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)spar_rng_below(rng, i), swap = x[i - 1];
        x[i - 1] = x[j];
        x[j] = swap;
    }
}
