/* identity.c - what the server signs so that nobody else can make it: voters, sessions, form tokens, screens; and the
 * keys for that, which are in the store (auth.h). A signature is one HMAC over a few hundred bytes. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "service/auth/auth.h"
#include "store/digest.h"
#include "text/escape.h"

#include <stdio.h>
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
    return spar__keyring_rotate(keys, 0, err);
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

/* --- voters, sessions, forms --- */

/* Signs the first `length` bytes of record, which has room for the signature behind them, and writes all as text. */
static spar_status seal(const spar__keyring *keys, const char *purpose, unsigned char *record, size_t length,
                        char *text)
{
    const spar__part part = {record, length};
    spar_status status = spar__sign(keys, purpose, 1, &part, record + length);
    if (!status)
        spar__hex_write(record, length + SPAR_HASH_SIZE, text);
    return status;
}

static bool unseal(const spar__keyring *keys, const char *purpose, const char *text, int64_t now, unsigned char *record,
                   size_t length)
{
    const spar__part part = {record, length};
    return spar__hex_read(text, record, length + SPAR_HASH_SIZE) &&
           spar__signed(keys, purpose, 1, &part, now, record + length);
}

spar_status spar__voter_new(const spar__keyring *keys, uint64_t invitation, char text[SPAR__VOTER_LENGTH + 1],
                            spar_error *err)
{
    unsigned char record[SPAR__VOTER_BYTES];
    spar__put_u64(record, invitation);
    spar_status status = spar__random_bytes(record + 8, 16, err);
    return status ? status : seal(keys, "voter", record, 24, text);
}

spar_status spar__voter_derived(const spar__keyring *keys, const unsigned char voter_key[SPAR_HASH_SIZE],
                                uint64_t invitation, const char *start, char text[SPAR__VOTER_LENGTH + 1])
{
    unsigned char record[SPAR__VOTER_BYTES], hash[SPAR_HASH_SIZE];
    const spar__part part[] = {{record, 8}, {start, start ? strlen(start) : 0}};
    spar__put_u64(record, invitation);
    spar_status status = sign_with(voter_key, start ? "started" : "invited", start ? 2 : 1, part, hash);
    memcpy(record + 8, hash, 16);
    return status ? status : seal(keys, "voter", record, 24, text);
}

bool spar__voter_check(const spar__keyring *keys, const char *text, int64_t now, uint64_t *invitation)
{
    unsigned char record[SPAR__VOTER_BYTES];
    if (!unseal(keys, "voter", text, now, record, 24))
        return false;
    *invitation = spar__get_u64(record);
    return true;
}

spar_status spar__voter_name(const unsigned char voter_key[SPAR_HASH_SIZE], const char *experiment, const char *text,
                             char name[SPAR__VOTER_NAME_LENGTH + 1])
{
    /* Without the signature: the name stays when the keys change. */
    unsigned char hash[SPAR_HASH_SIZE], record[SPAR__VOTER_BYTES];
    const spar__part part[] = {{experiment, strlen(experiment)}, {record, 24}};
    if (!spar__hex_read(text, record, sizeof record))
        return SPAR_INVALID;
    spar_status status = sign_with(voter_key, "voter name", 2, part, hash);
    if (!status)
        (void)snprintf(name, SPAR__VOTER_NAME_LENGTH + 1, "v-%02x%02x%02x%02x%02x%02x%02x%02x", hash[0], hash[1],
                       hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]);
    return status;
}

spar_status spar__login_new(const spar__keyring *keys, uint64_t token, int64_t now, char text[SPAR__SESSION_LENGTH + 1],
                            spar_error *err)
{
    unsigned char record[SPAR__SESSION_BYTES];
    spar__put_u64(record, token);
    spar__put_u64(record + 8, (uint64_t)(now + SPAR__SESSION_SECONDS));
    spar_status status = spar__random_bytes(record + 16, 16, err);
    return status ? status : seal(keys, "session", record, 32, text);
}

bool spar__login_check(const spar__keyring *keys, const char *text, int64_t now, spar__login *out)
{
    unsigned char record[SPAR__SESSION_BYTES];
    if (!unseal(keys, "session", text, now, record, 32))
        return false;
    out->token = spar__get_u64(record);
    out->end = (int64_t)spar__get_u64(record + 8);
    memcpy(out->id, record + 16, SPAR__SESSION_ID);
    return now < out->end;
}

spar_status spar__form_token(const spar__keyring *keys, const char *session, char out[SPAR__FORM_LENGTH + 1])
{
    unsigned char hash[SPAR_HASH_SIZE];
    const spar__part part = {session, strlen(session)};
    spar_status status = spar__sign(keys, "form", 1, &part, hash);
    if (!status)
        spar__hex_write(hash, sizeof hash, out);
    return status;
}

bool spar__form_check(const spar__keyring *keys, const char *session, int64_t now, const char *text)
{
    unsigned char hash[SPAR_HASH_SIZE];
    const spar__part part = {session, strlen(session)};
    return spar__hex_read(text, hash, sizeof hash) && spar__signed(keys, "form", 1, &part, now, hash);
}

/* --- screens --- */

enum { FIXED = SPAR__SCREEN_TOKEN_BYTES - SPAR_HASH_SIZE };

/* What the signature covers. The options by position, four bytes each, are new memory: *shown. False: there is none. */
static bool cover(const spar__screen_token *token, const char *experiment, const spar_screen *screen, const char *voter,
                  unsigned char fixed[FIXED], unsigned char **shown, spar__part part[4])
{
    size_t m = spar_screen_slots(screen);
    *shown = spar__alloc(m, 4);
    for (size_t i = 0; *shown && i < m; i++)
        spar__put_u32(*shown + 4 * i, (uint32_t)spar_screen_arm(screen, i));
    spar__put_u64(fixed, token->screen);
    spar__put_u32(fixed + 8, token->revision);
    spar__put_u64(fixed + 12, (uint64_t)token->expires);
    part[0] = (spar__part){experiment, strlen(experiment)};
    part[1] = (spar__part){fixed, FIXED};
    part[2] = (spar__part){*shown, 4 * m};
    part[3] = (spar__part){voter, strlen(voter)};
    return *shown != NULL;
}

spar_status spar__screen_token_write(const spar__keyring *keys, const char *experiment, const spar_screen *screen,
                                     const char *voter, char text[SPAR__SCREEN_TOKEN_LENGTH + 1])
{
    spar__screen_token token = {spar_screen_number(screen),
                                spar_screen_revision(screen),
                                spar_screen_time(screen) / 1000000 + SPAR__SCREEN_SECONDS,
                                {0}};
    unsigned char record[SPAR__SCREEN_TOKEN_BYTES], *shown;
    spar__part part[4];
    spar_status status = SPAR_NOMEM;
    if (cover(&token, experiment, screen, voter, record, &shown, part))
        status = spar__sign(keys, "screen", 4, part, record + FIXED);
    if (!status)
        spar__hex_write(record, sizeof record, text);
    spar__free(shown);
    return status;
}

bool spar__screen_token_read(const char *text, spar__screen_token *token)
{
    unsigned char record[SPAR__SCREEN_TOKEN_BYTES];
    if (!spar__hex_read(text, record, sizeof record))
        return false;
    token->screen = spar__get_u64(record);
    token->revision = spar__get_u32(record + 8);
    token->expires = (int64_t)spar__get_u64(record + 12);
    memcpy(token->signature, record + FIXED, SPAR_HASH_SIZE);
    return true;
}

bool spar__screen_token_check(const spar__keyring *keys, const char *experiment, const spar_screen *screen,
                              const char *voter, int64_t now, const spar__screen_token *token)
{
    unsigned char fixed[FIXED], *shown;
    spar__part part[4];
    bool good = cover(token, experiment, screen, voter, fixed, &shown, part) &&
                spar__signed(keys, "screen", 4, part, now, token->signature);
    spar__free(shown);
    return good;
}
