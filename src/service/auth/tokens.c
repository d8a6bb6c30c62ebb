/* tokens.c - who may manage: tokens in the store, sessions that were ended before their time, and the token of the
 * first login (auth.h). */
#include "base/alloc.h"
#include "base/hash.h"
#include "service/auth/auth.h"
#include "store/digest.h"
#include "text/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tokens_prefix[] = "token/";
enum { RECORD_FIXED = 8 + 8 + SPAR_HASH_SIZE };

spar_status spar__tokens_init(spar__tokens *tokens, spar_error *err)
{
    *tokens = (spar__tokens){.n = 0};
    int error = pthread_mutex_init(&tokens->lock, NULL);
    return error ? spar__fail(err, SPAR_NOMEM, "cannot make a lock: %s", strerror(error)) : SPAR_OK;
}

void spar__tokens_fini(spar__tokens *tokens)
{
    spar__free(tokens->token);
    (void)pthread_mutex_destroy(&tokens->lock);
}

/* --- records in the store: created, expires, hash, label; nothing if it was revoked --- */

static spar_status add_token(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    spar__tokens *tokens = context;
    spar__token token = {.number = strtoull(name + sizeof tokens_prefix - 1, NULL, 10)};
    if (length == 0)
        return SPAR_OK;
    if (length < RECORD_FIXED || length > RECORD_FIXED + SPAR__TOKEN_LABEL || !token.number)
        return SPAR_CORRUPT;
    token.created = (int64_t)spar__get_u64(bytes);
    token.expires = (int64_t)spar__get_u64(bytes + 8);
    memcpy(token.hash, bytes + 16, SPAR_HASH_SIZE);
    memcpy(token.label, bytes + RECORD_FIXED, length - RECORD_FIXED);
    spar__token *grown = spar__realloc(tokens->token, tokens->n, tokens->n + 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    tokens->token = grown;
    tokens->token[tokens->n++] = token;
    return SPAR_OK;
}

spar_status spar__tokens_load(spar__tokens *tokens, spar__store *store, spar_error *err)
{
    spar__tokens next = {.n = 0};
    spar_status status = spar__store_secret_each(store, tokens_prefix, add_token, &next, err);
    if (status) {
        spar__free(next.token);
        return status;
    }
    (void)pthread_mutex_lock(&tokens->lock);
    spar__token *old = tokens->token;
    tokens->token = next.token;
    tokens->n = next.n;
    (void)pthread_mutex_unlock(&tokens->lock);
    spar__free(old);
    return SPAR_OK;
}

/* --- checking --- */

static bool is_good(const spar__token *token, int64_t now)
{
    return token->expires == 0 || now < token->expires;
}

uint64_t spar__tokens_check(spar__tokens *tokens, const char *text, int64_t now)
{
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t number = 0;
    spar__sha256(text, strlen(text), hash);
    (void)pthread_mutex_lock(&tokens->lock);
    for (size_t i = 0; i < tokens->n; i++)
        if (spar__same_bytes(hash, tokens->token[i].hash, sizeof hash) && is_good(&tokens->token[i], now))
            number = tokens->token[i].number;
    (void)pthread_mutex_unlock(&tokens->lock);
    return number;
}

bool spar__tokens_alive(spar__tokens *tokens, uint64_t number, int64_t now)
{
    bool alive = false;
    (void)pthread_mutex_lock(&tokens->lock);
    for (size_t i = 0; i < tokens->n; i++)
        alive |= tokens->token[i].number == number && is_good(&tokens->token[i], now);
    (void)pthread_mutex_unlock(&tokens->lock);
    return alive;
}

/* --- making and ending them --- */

void spar__record_name(const char *of, uint64_t number, char out[SPAR__RECORD_NAME])
{
    (void)snprintf(out, SPAR__RECORD_NAME, "%s%" PRIu64, of, number);
}

static spar_status see_record(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    uint64_t *last = context, number = strtoull(strchr(name, '/') + 1, NULL, 10);
    (void)bytes;
    (void)length;
    *last = number > *last ? number : *last;
    return SPAR_OK;
}

spar_status spar__record_last(spar__store *store, const char *of, uint64_t *last, spar_error *err)
{
    *last = 0;
    return spar__store_secret_each(store, of, see_record, last, err);
}

/* A new text of a token, and its hash. */
static spar_status make_text(char text[SPAR__TOKEN_LENGTH + 1], unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    unsigned char secret[SPAR__TOKEN_BYTES];
    spar_status status = spar__random_bytes(secret, sizeof secret, err);
    memcpy(text, SPAR__TOKEN_PREFIX, sizeof SPAR__TOKEN_PREFIX);
    spar__hex_write(secret, sizeof secret, text + sizeof SPAR__TOKEN_PREFIX - 1);
    spar__sha256(text, SPAR__TOKEN_LENGTH, hash);
    spar__wipe(secret, sizeof secret);
    return status;
}

spar_status spar__token_new(spar__store *store, const char *label, int64_t now, int64_t expires, char *text,
                            uint64_t *number, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    if (strlen(label) > SPAR__TOKEN_LABEL)
        return spar__fail(err, SPAR_INVALID, "label '%.40s...': expected at most %d bytes", label, SPAR__TOKEN_LABEL);
    spar_status status = make_text(text, hash, err);
    unsigned char record[RECORD_FIXED + SPAR__TOKEN_LABEL];
    spar__put_u64(record, (uint64_t)now);
    spar__put_u64(record + 8, (uint64_t)expires);
    memcpy(record + 16, hash, SPAR_HASH_SIZE);
    memcpy(record + RECORD_FIXED, label, strlen(label));
    *number = 0;
    /* The next number that is free. Another program may take it meanwhile: then the one after it. */
    for (bool again = !status; again; again = status == SPAR_CONFLICT) {
        char name[SPAR__RECORD_NAME];
        status = spar__record_last(store, tokens_prefix, number, err);
        spar__record_name(tokens_prefix, ++*number, name);
        if (!status)
            status = spar__store_secret_add(store, 1, &(spar__store_secret){name, record, RECORD_FIXED + strlen(label)},
                                            err);
    }
    return status;
}

spar_status spar__token_revoke(spar__store *store, uint64_t number, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    char name[SPAR__RECORD_NAME];
    spar__record_name(tokens_prefix, number, name);
    spar_status status = spar__store_secret_get(store, name, &bytes, &length, err);
    spar__free(bytes);
    if (status == SPAR_UNKNOWN || (!status && length == 0))
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no token %" PRIu64, spar__store_name(store), number);
    return status ? status : spar__store_secret_put(store, name, (const unsigned char *)"", 0, err);
}

/* --- sessions that were logged out --- */

static const char logouts_prefix[] = "logout/";
enum { PREFIX = sizeof logouts_prefix - 1, NAME_SIZE = PREFIX + 2 * SPAR__SESSION_ID + 1, MAX_OVER = 64 };

void spar__logouts_init(spar__logouts *logouts)
{
    logouts->n = 0;
    (void)pthread_mutex_init(&logouts->lock, NULL);
}

void spar__logouts_fini(spar__logouts *logouts)
{
    (void)pthread_mutex_destroy(&logouts->lock);
}

static size_t count(const spar__logouts *logouts)
{
    return logouts->n < SPAR__MAX_LOGOUTS ? logouts->n : SPAR__MAX_LOGOUTS;
}

/* Its index, or how many there are. */
static size_t find(const spar__logouts *logouts, const unsigned char *id)
{
    size_t i = 0, n = count(logouts);
    while (i < n && memcmp(logouts->id[i], id, SPAR__SESSION_ID) != 0)
        i++;
    return i;
}

static void add(spar__logouts *logouts, const unsigned char *id, bool kept)
{
    (void)pthread_mutex_lock(&logouts->lock);
    size_t i = find(logouts, id);
    if (i == count(logouts)) {
        i = logouts->n++ % SPAR__MAX_LOGOUTS;
        memcpy(logouts->id[i], id, SPAR__SESSION_ID);
        logouts->kept[i] = false;
    }
    logouts->kept[i] |= kept;
    (void)pthread_mutex_unlock(&logouts->lock);
}

void spar__logouts_add(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID])
{
    add(logouts, id, false);
}

bool spar__logouts_has(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID])
{
    (void)pthread_mutex_lock(&logouts->lock);
    bool found = find(logouts, id) < count(logouts);
    (void)pthread_mutex_unlock(&logouts->lock);
    return found;
}

/* --- in the store: the end of the longest session as the bytes of a secret --- */

spar_status spar__logouts_keep(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err)
{
    unsigned char id[SPAR__SESSION_ID], end[8];
    char name[NAME_SIZE];
    spar__put_u64(end, (uint64_t)(now + SPAR__SESSION_SECONDS));
    memcpy(name, logouts_prefix, PREFIX);
    for (;;) {
        bool found = false; /* one that is not kept yet */
        (void)pthread_mutex_lock(&logouts->lock);
        for (size_t i = 0; i < count(logouts) && !found; i++) {
            found = !logouts->kept[i];
            memcpy(id, logouts->id[i], SPAR__SESSION_ID);
        }
        (void)pthread_mutex_unlock(&logouts->lock);
        if (!found)
            return SPAR_OK;
        spar__hex_write(id, sizeof id, name + PREFIX);
        spar_status status = spar__store_secret_add(store, 1, &(spar__store_secret){name, end, sizeof end}, err);
        if (status && status != SPAR_CONFLICT)
            return status;
        add(logouts, id, true);
    }
}

typedef struct logouts_loading {
    spar__logouts *logouts;
    int64_t now;
    char over[MAX_OVER][NAME_SIZE]; /* the rest another time */
    size_t n_over;
} logouts_loading;

static spar_status take(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    logouts_loading *loading = context;
    unsigned char id[SPAR__SESSION_ID];
    if (length != 8 || strlen(name) != NAME_SIZE - 1 || !spar__hex_read(name + PREFIX, id, sizeof id))
        return SPAR_OK; /* of no use */
    if ((int64_t)spar__get_u64(bytes) > loading->now)
        add(loading->logouts, id, true);
    else if (loading->n_over < MAX_OVER)
        memcpy(loading->over[loading->n_over++], name, NAME_SIZE);
    return SPAR_OK;
}

spar_status spar__logouts_load(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err)
{
    logouts_loading loading = {.logouts = logouts, .now = now};
    spar_status status = spar__store_secret_each(store, logouts_prefix, take, &loading, err);
    for (size_t i = 0; i < loading.n_over && !status; i++)
        status = spar__store_secret_drop(store, loading.over[i], err);
    return status;
}

/* --- the first login --- */

enum { HOURS = 36 }; /* a day to log in, and the longest session after it */

spar_status spar__first_login_make(spar__first_login *first, spar__store *store, int64_t now, spar_error *err)
{
    char unseen[SPAR__TOKEN_LENGTH + 1];
    spar_status status = spar__token_new(store, "first login", now, now + HOURS * 3600, unseen, &first->number, err);
    spar__wipe(unseen, sizeof unseen);
    if (!status)
        status = make_text(first->text, first->hash, err);
    first->open = !status;
    return status;
}

uint64_t spar__first_login_use(spar__first_login *first, const char *text)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(text, strlen(text), hash);
    if (!first->open || !spar__same_bytes(hash, first->hash, sizeof hash))
        return 0;
    first->open = false;
    spar__wipe(first->text, sizeof first->text);
    return first->number;
}
