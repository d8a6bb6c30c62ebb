/* identity.c - see identity.h. */
#include "service/identity.h"

#include "base/hash.h"
#include "store/digest.h"
#include "text/escape.h"

#include <stdio.h>
#include <string.h>

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

static spar_status hash_with(const unsigned char key[SPAR_HASH_SIZE], const char *purpose, size_t n,
                             const spar__part *part, unsigned char hash[SPAR_HASH_SIZE])
{
    spar__keyring keys = {.before_until = 0};
    memcpy(keys.now, key, SPAR_HASH_SIZE);
    return spar__sign(&keys, purpose, n, part, hash);
}

spar_status spar__voter_invited(const spar__keyring *keys, const unsigned char voter_key[SPAR_HASH_SIZE],
                                uint64_t invitation, char text[SPAR__VOTER_LENGTH + 1])
{
    unsigned char record[SPAR__VOTER_BYTES], hash[SPAR_HASH_SIZE];
    const spar__part part = {record, 8};
    spar__put_u64(record, invitation);
    spar_status status = hash_with(voter_key, "invited", 1, &part, hash);
    memcpy(record + 8, hash, 16);
    return status ? status : seal(keys, "voter", record, 24, text);
}

spar_status spar__voter_started(const spar__keyring *keys, const unsigned char voter_key[SPAR_HASH_SIZE],
                                uint64_t invitation, const char *start, char text[SPAR__VOTER_LENGTH + 1])
{
    unsigned char record[SPAR__VOTER_BYTES], hash[SPAR_HASH_SIZE];
    const spar__part part[] = {{record, 8}, {start, strlen(start)}};
    spar__put_u64(record, invitation);
    spar_status status = hash_with(voter_key, "started", 2, part, hash);
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
    spar_status status = hash_with(voter_key, "voter name", 2, part, hash);
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

bool spar__login_check(const spar__keyring *keys, const char *text, int64_t now, uint64_t *token)
{
    unsigned char record[SPAR__SESSION_BYTES];
    if (!unseal(keys, "session", text, now, record, 32) || (int64_t)spar__get_u64(record + 8) <= now)
        return false;
    *token = spar__get_u64(record);
    return true;
}

bool spar__login_id(const char *text, unsigned char id[SPAR__SESSION_ID])
{
    unsigned char record[SPAR__SESSION_BYTES];
    bool good = spar__hex_read(text, record, sizeof record);
    if (good)
        memcpy(id, record + 16, SPAR__SESSION_ID);
    return good;
}

int64_t spar__login_end(const char *text)
{
    unsigned char record[SPAR__SESSION_BYTES];
    return spar__hex_read(text, record, sizeof record) ? (int64_t)spar__get_u64(record + 8) : 0;
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
