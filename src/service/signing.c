/* signing.c - see signing.h. */
#include "service/signing.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "store/digest.h"

#include <string.h>

static void add_part(spar__buf *buf, const void *bytes, size_t length)
{
    unsigned char size[8];
    spar__put_u64(size, length);
    spar__buf_add(buf, (const char *)size, sizeof size);
    if (length)
        spar__buf_add(buf, bytes, length);
}

static spar_status sign_with(const unsigned char *key, const char *purpose, size_t n, const spar__part *part,
                             unsigned char *out)
{
    spar__buf buf = {0};
    add_part(&buf, purpose, strlen(purpose));
    for (size_t i = 0; i < n; i++)
        add_part(&buf, part[i].bytes, part[i].length);
    spar_status status = buf.failed ? SPAR_NOMEM : SPAR_OK;
    if (!status)
        spar__hmac(key, buf.text, buf.length, out);
    spar__buf_free(&buf);
    return status;
}

spar_status spar__sign(const spar__keyring *keys, const char *purpose, size_t n, const spar__part *part,
                       unsigned char out[SPAR_HASH_SIZE])
{
    return sign_with(keys->now, purpose, n, part, out);
}

bool spar__signed(const spar__keyring *keys, const char *purpose, size_t n, const spar__part *part, int64_t now,
                  const unsigned char signature[SPAR_HASH_SIZE])
{
    unsigned char right[SPAR_HASH_SIZE];
    if (sign_with(keys->now, purpose, n, part, right))
        return false;
    if (spar__same_bytes(right, signature, SPAR_HASH_SIZE))
        return true;
    if (now >= keys->before_until || sign_with(keys->before, purpose, n, part, right))
        return false;
    return spar__same_bytes(right, signature, SPAR_HASH_SIZE);
}

spar_status spar__keyring_new(spar__keyring *keys, spar_error *err)
{
    *keys = (spar__keyring){.before_until = 0};
    return spar__random_bytes(keys->now, sizeof keys->now, err);
}

spar_status spar__keyring_rotate(spar__keyring *keys, int64_t keep_until, spar_error *err)
{
    spar__keyring next = {.before_until = keep_until};
    if (keep_until)
        memcpy(next.before, keys->now, sizeof next.before);
    spar_status status = spar__random_bytes(next.now, sizeof next.now, err);
    if (!status)
        *keys = next;
    return status;
}

void spar__keyring_write(const spar__keyring *keys, unsigned char out[SPAR__KEYRING_SIZE])
{
    memcpy(out, keys->now, SPAR_HASH_SIZE);
    memcpy(out + SPAR_HASH_SIZE, keys->before, SPAR_HASH_SIZE);
    spar__put_u64(out + 2 * SPAR_HASH_SIZE, (uint64_t)keys->before_until);
}

bool spar__keyring_read(spar__keyring *keys, const unsigned char *bytes, size_t length)
{
    if (length != SPAR__KEYRING_SIZE)
        return false;
    memcpy(keys->now, bytes, SPAR_HASH_SIZE);
    memcpy(keys->before, bytes + SPAR_HASH_SIZE, SPAR_HASH_SIZE);
    keys->before_until = (int64_t)spar__get_u64(bytes + 2 * SPAR_HASH_SIZE);
    return true;
}

spar_status spar__keyring_store(spar__store *store, const spar__keyring *keys, spar_error *err)
{
    unsigned char bytes[SPAR__KEYRING_SIZE];
    spar__keyring_write(keys, bytes);
    return spar__store_secret_put(store, "signing", bytes, sizeof bytes, err);
}

static spar_status read_secret(spar__store *store, const char *name, unsigned char *bytes, size_t length,
                               spar_error *err)
{
    unsigned char *found = NULL;
    size_t n = 0;
    spar_status status = spar__store_secret_get(store, name, &found, &n, err);
    if (!status && n != length)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the key '%s' is damaged", spar__store_name(store), name);
    if (!status)
        memcpy(bytes, found, length);
    spar__free(found);
    return status;
}

spar_status spar__secret_settle(spar__store *store, const char *name, unsigned char *bytes, size_t length,
                                spar_error *err)
{
    const spar__store_secret secret = {name, bytes, length};
    spar_status status = spar__store_secret_add(store, 1, &secret, err);
    return status == SPAR_CONFLICT ? read_secret(store, name, bytes, length, err) : status;
}

spar_status spar__keyring_load(spar__store *store, spar__keyring *keys, spar_error *err)
{
    unsigned char bytes[SPAR__KEYRING_SIZE];
    spar_status status = read_secret(store, "signing", bytes, sizeof bytes, err);
    if (status == SPAR_UNKNOWN) {
        status = spar__keyring_new(keys, err);
        spar__keyring_write(keys, bytes);
        if (!status)
            status = spar__secret_settle(store, "signing", bytes, sizeof bytes, err);
    }
    if (!status && !spar__keyring_read(keys, bytes, sizeof bytes))
        status = spar__fail(err, SPAR_CORRUPT, "%s: the signing key is damaged", spar__store_name(store));
    return status;
}

void spar__hex_write(const unsigned char *bytes, size_t length, char *text)
{
    static const char digit[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digit[bytes[i] >> 4];
        text[2 * i + 1] = digit[bytes[i] & 15];
    }
    text[2 * length] = '\0';
}
