/* hash.c - four lanes take one little-endian 64-bit word each in turn: lane <- rotate(lane ^ word, 29) * ODD. For a
 * fixed word this is a bijection of the lane, and the reverse, so one changed word always changes the result of its
 * lane. The four multiplications run in parallel (about 10 bytes a cycle). The last block is filled up with zeros; the
 * length and the lanes are folded by the mixer of SplitMix64. */
#include "base/hash.h"

#include <string.h>

enum { BLOCK = 32 };

#define ODD UINT64_C(0x9fb21c651e98df25)

/* One step of SplitMix64. */
static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

spar__hash spar__hash_start(void)
{
    return (spar__hash){.lane = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
                                 UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89)}};
}

static void take_blocks(uint64_t lane[4], const unsigned char *bytes, size_t blocks)
{
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
    for (; blocks; blocks--, bytes += BLOCK) {
        a ^= spar__get_u64(bytes);
        b ^= spar__get_u64(bytes + 8);
        c ^= spar__get_u64(bytes + 16);
        d ^= spar__get_u64(bytes + 24);
        a = (a << 29 | a >> 35) * ODD;
        b = (b << 29 | b >> 35) * ODD;
        c = (c << 29 | c >> 35) * ODD;
        d = (d << 29 | d >> 35) * ODD;
    }
    lane[0] = a;
    lane[1] = b;
    lane[2] = c;
    lane[3] = d;
}

void spar__hash_add(spar__hash *hash, const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    size_t waiting = hash->length % BLOCK;
    if (!length) /* bytes may be NULL */
        return;
    hash->length += length;
    if (waiting) {
        size_t piece = length < BLOCK - waiting ? length : BLOCK - waiting;
        memcpy(hash->rest + waiting, from, piece);
        from += piece;
        length -= piece;
        if (waiting + piece < BLOCK)
            return;
        take_blocks(hash->lane, hash->rest, 1);
    }
    take_blocks(hash->lane, from, length / BLOCK);
    if (length % BLOCK)
        memcpy(hash->rest, from + length / BLOCK * BLOCK, length % BLOCK);
}

uint64_t spar__hash_end(const spar__hash *hash)
{
    spar__hash last = *hash;
    size_t waiting = hash->length % BLOCK;
    if (waiting) {
        memset(last.rest + waiting, 0, BLOCK - waiting);
        take_blocks(last.lane, last.rest, 1);
    }
    uint64_t key = last.length;
    for (int i = 0; i < 4; i++)
        key = mix(key) ^ last.lane[i];
    return mix(key);
}

uint64_t spar__hash_of(const void *bytes, size_t length)
{
    spar__hash hash = spar__hash_start();
    spar__hash_add(&hash, bytes, length);
    return spar__hash_end(&hash);
}

uint64_t spar__splitmix(uint64_t *state)
{
    uint64_t before = *state;
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(before);
}

uint64_t spar__stream_key(uint64_t salt, uint64_t seed, uint64_t run, uint64_t purpose)
{
    uint64_t key = salt ^ seed;
    key = spar__splitmix(&key) ^ run;
    key = spar__splitmix(&key) ^ purpose;
    return spar__splitmix(&key);
}
