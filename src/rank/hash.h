/* hash.h - a fast 64-bit hash of bytes that stream by: tells accidents, not attacks, apart. A changed word always
 * changes its lane. Not the same on machines of another byte order: for files that stay where they were made. */
#ifndef SPAR_RANK_HASH_H
#define SPAR_RANK_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct spar__hash {
    uint64_t lane[4];
    uint64_t length;
    unsigned char rest[32]; /* the last length % 32 bytes, not yet in the lanes */
} spar__hash;

spar__hash spar__hash_start(void);
void spar__hash_add(spar__hash *hash, const void *bytes, size_t length);
uint64_t spar__hash_end(const spar__hash *hash);

uint64_t spar__hash_of(const void *bytes, size_t length);

#endif
