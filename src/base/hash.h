/* hash.h - the checksum of files: a fast 64-bit hash of bytes, the same value on every machine. It finds damage, not
 * forgery: where somebody may want to deceive, use a cryptographic hash.
 *
 * Every change within one 8-byte word changes the value. Numbers to be hashed by spar__hash_add are hashed as they are
 * in memory; those that go into a file must be little-endian (base/bytes.h). */
#ifndef SPAR_BASE_HASH_H
#define SPAR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct spar__hash {
    uint64_t lane[4];
    uint64_t length;
    unsigned char rest[32]; /* the last length % 32 bytes, not yet in the lanes */
} spar__hash;

/* In pieces: start, add any number of times, end. The sizes of the pieces do not matter; end changes nothing. */
spar__hash spar__hash_start(void);
void spar__hash_add(spar__hash *hash, const void *bytes, size_t length);
uint64_t spar__hash_end(const spar__hash *hash);

/* All at once. */
uint64_t spar__hash_of(const void *bytes, size_t length);

#endif
