/* digest.h - SHA-256, HMAC and random bytes, by libsodium: the only file that knows it. (base/hash is a checksum
 * against accidents; this is against people.) */
#ifndef SPAR_STORE_DIGEST_H
#define SPAR_STORE_DIGEST_H

#include <spar/event.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void spar__sha256(const void *bytes, size_t length, unsigned char out[SPAR_HASH_SIZE]);

/* The chain: out = SHA-256(before, bytes). out may be before. */
void spar__chain_next(const unsigned char before[SPAR_HASH_SIZE], const void *bytes, size_t length,
                      unsigned char out[SPAR_HASH_SIZE]);

/* HMAC-SHA-256 with a key of 32 bytes. */
void spar__hmac(const unsigned char key[SPAR_HASH_SIZE], const void *bytes, size_t length,
                unsigned char out[SPAR_HASH_SIZE]);

/* Bytes that cannot be guessed. */
spar_status spar__random_bytes(void *out, size_t length, spar_error *err);

/* Are they equal? Takes the same time wherever they differ. */
bool spar__same_bytes(const void *a, const void *b, size_t length);

/* Zeros, also where the compiler sees that nobody reads them any more. */
void spar__wipe(void *bytes, size_t length);

#endif
