/* rng.c - the generators: xoshiro256++ (Blackman and Vigna, 2021) in eight lanes, seeded by SplitMix64, and the
 * counter-based Philox. About a nanosecond a word, and thirty for a block of two. */
#include "sampler/rng.h"

#include "base/alloc.h"
#include "base/archive.h"
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
    if (from && to)
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

/* The state of a generator to bytes and back. */

static const spar__frame_kind kind = {.name = "saved generator", .tag = "rng ", .version = 1, .section = {{"stat", 0}}};

static void archive(spar_rng *rng, spar__archive *ar)
{
    for (int word = 0; word < 4; word++)
        for (int lane = 0; lane < 8; lane++)
            spar__archive_u64(ar, &rng->s[word][lane]);
    for (int lane = 0; lane < 8; lane++)
        spar__archive_u64(ar, &rng->buffer[lane]);
    spar__archive_u64(ar, &rng->used);
    if (ar->loading) {
        /* The words in use must be 0 to 8, and a state of nothing but zeros would stay so for ever. */
        spar__archive_check(ar, rng->used <= 8);
        for (int lane = 0; lane < 8; lane++)
            spar__archive_check(ar, rng->s[0][lane] | rng->s[1][lane] | rng->s[2][lane] | rng->s[3][lane]);
    }
}

spar_status spar_rng_save(const spar_rng *rng, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !rng || !length)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    archive((spar_rng *)(uintptr_t)rng, &ar); /* the archive only reads when it saves */
    return spar__saved_write(&kind, &ar, bytes, length);
}

spar_status spar_rng_load(const unsigned char *bytes, size_t length, spar_rng **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    spar_rng *rng = spar__alloc(1, sizeof *rng);
    if (!rng)
        return spar__fail_memory(err);
    archive(rng, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (status)
        spar__free(rng);
    else
        *out = rng;
    return status;
}

/* Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011). The counter is (round low, round high, index / 2, channel): a
 * block holds the words of an even index and the odd one after it. */

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
