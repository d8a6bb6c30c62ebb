/* digest.c - see digest.h. */
#include "store/digest.h"

#include "base/error.h"

#include <sodium.h>

void spar__sha256(const void *bytes, size_t length, unsigned char out[SPAR_HASH_SIZE])
{
    (void)crypto_hash_sha256(out, bytes, length);
}

void spar__chain_next(const unsigned char before[SPAR_HASH_SIZE], const void *bytes, size_t length,
                      unsigned char out[SPAR_HASH_SIZE])
{
    crypto_hash_sha256_state state;
    (void)crypto_hash_sha256_init(&state);
    (void)crypto_hash_sha256_update(&state, before, SPAR_HASH_SIZE);
    (void)crypto_hash_sha256_update(&state, bytes, length);
    (void)crypto_hash_sha256_final(&state, out);
}

void spar__hmac(const unsigned char key[SPAR_HASH_SIZE], const void *bytes, size_t length,
                unsigned char out[SPAR_HASH_SIZE])
{
    (void)crypto_auth_hmacsha256(out, bytes, length, key);
}

spar_status spar__random_bytes(void *out, size_t length, spar_error *err)
{
    if (sodium_init() < 0) /* safe to call again, from any thread */
        return spar__fail(err, SPAR_IO, "this machine gives no random numbers");
    randombytes_buf(out, length);
    return SPAR_OK;
}

bool spar__same_bytes(const void *a, const void *b, size_t length)
{
    return sodium_memcmp(a, b, length) == 0;
}

void spar__wipe(void *bytes, size_t length)
{
    sodium_memzero(bytes, length);
}
