/* texts.c - what people wrote (postgres.h).
 *
 * A text that is dropped is gone from the table at once. Its bytes stay in the files of the database until PostgreSQL
 * writes them anew, and in its write-ahead log and its backups for as long as those are kept. */
#include "store/postgres/postgres.h"

#include "store/digest.h"

#include <string.h>

spar_status spar__pg_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (!status)
        status = spar__pg_enter(self, experiment, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_text_put, "iiiibb", (int64_t)experiment, (int64_t)text->kind, (int64_t)text->owner,
                   (int64_t)text->version, (const void *)text->salt, sizeof text->salt, (const void *)text->bytes,
                   text->length);
    status = spar__pg_flush(self, "keep a text", err);
    if (!status && spar__pg_changes(self, 0) == 0)
        status = spar__fail(err, SPAR_CONFLICT, "%s: there is such a text already", store->name);
    return spar__pg_end(self, status, "keep a text", err);
}

spar_status spar__pg_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                              uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                              size_t *length, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_text_get, "iiii", (int64_t)experiment, (int64_t)kind, (int64_t)owner,
                   (int64_t)version);
    status = spar__pg_flush(self, "read", err);
    if (status)
        return status;
    const PGresult *row = spar__pg_result(self, 0);
    if (PQntuples(row) == 0)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no such text", store->name);
    size_t size;
    const unsigned char *kept = spar__pg_bytes(row, 0, 0, &size);
    if (size != SPAR__SALT_SIZE)
        return spar__fail(err, SPAR_CORRUPT, "%s: a text has no salt", store->name);
    memcpy(salt, kept, SPAR__SALT_SIZE);
    return spar__pg_copy(row, 0, 1, bytes, length, err);
}

/* Texts of one kind whose owners, as PostgreSQL sees them, are from .. last; version: the last that was given. */
typedef struct spar__pg_texts {
    spar__postgres *self;
    uint64_t experiment;
    spar__text_kind kind;
    int64_t from, last, version;
    spar__store_text_fn fn;
    void *context;
} spar__pg_texts;

static spar_status give_text(spar__pg_texts *t, const PGresult *rows, int r, spar_error *err)
{
    size_t size;
    spar__store_text text = {
        .kind = t->kind, .owner = spar__pg_number(rows, r, 0), .version = (uint32_t)spar__pg_number(rows, r, 1)};
    const unsigned char *salt = spar__pg_bytes(rows, r, 2, &size);
    text.bytes = spar__pg_bytes(rows, r, 3, &text.length);
    if (size != SPAR__SALT_SIZE)
        return spar__fail(err, SPAR_CORRUPT, "%s: a text has no salt", t->self->base.name);
    memcpy(text.salt, salt, SPAR__SALT_SIZE);
    t->from = (int64_t)text.owner;
    t->version = (int64_t)spar__pg_number(rows, r, 1);
    return t->fn(t->context, &text, err);
}

static spar_status give_texts(spar__pg_texts *t, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (int n = 1; n > 0 && !status;) {
        status = spar__pg_ready(t->self, err);
        if (status)
            break;
        spar__pg_queue(t->self, SPAR__PG_text_each, "iiiiii", (int64_t)t->experiment, (int64_t)t->kind, t->from,
                       t->version, t->last, (int64_t)SPAR__PG_PIECE);
        status = spar__pg_flush(t->self, "read", err);
        PGresult *rows = status ? NULL : spar__pg_keep(t->self, 0);
        n = rows ? PQntuples(rows) : 0;
        for (int r = 0; r < n && !status; r++)
            status = give_text(t, rows, r, err);
        PQclear(rows);
    }
    return status;
}

/* Owners are unsigned: those that PostgreSQL takes for negative come last. */
spar_status spar__pg_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                               void *context, spar_error *err)
{
    spar__pg_texts t = {.self = (spar__postgres *)store, .experiment = experiment, .fn = fn, .context = context};
    int first = kind ? (int)kind : SPAR__TEXT_QUESTION, last = kind ? (int)kind : SPAR__TEXT_SOURCE;
    uint64_t head;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__pg_head(store, experiment, &head, hash, err);
    for (int k = first; k <= last && !status; k++) {
        t.kind = (spar__text_kind)k;
        t.from = 0, t.last = INT64_MAX, t.version = -1;
        status = give_texts(&t, err);
        t.from = INT64_MIN, t.last = -1, t.version = -1;
        if (!status)
            status = give_texts(&t, err);
    }
    return status;
}

static spar_status delete_texts(spar__postgres *self, uint64_t experiment, size_t n, const spar__text_key *key,
                                size_t *deleted, spar_error *err)
{
    spar__pg_array k[3] = {0};
    for (size_t i = 0; i < n; i++) {
        spar__pg_add_number(&k[0], key[i].kind);
        spar__pg_add_number(&k[1], key[i].owner);
        spar__pg_add_number(&k[2], key[i].version);
    }
    spar__pg_queue(self, SPAR__PG_text_drop, "iaaa", (int64_t)experiment, &k[0], &k[1], &k[2]);
    for (size_t i = 0; i < 3; i++)
        spar__pg_array_free(&k[i]);
    spar_status status = spar__pg_flush(self, "drop a text", err);
    *deleted = status ? 0 : spar__pg_changes(self, 0);
    return status;
}

spar_status spar__pg_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                               spar__text_dropped *dropped, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    size_t deleted = 0;
    spar_status status = spar__pg_ready(self, err);
    if (!status)
        status = spar__pg_enter(self, experiment, err);
    if (status)
        return status;
    if (n)
        status = delete_texts(self, experiment, n, key, &deleted, err);
    if (!status && !deleted) {
        spar__pg_leave(self);
        return SPAR_OK;
    }
    if (!status)
        spar__pg_queue(self, SPAR__PG_note_drop, "i", (int64_t)experiment);
    status = spar__pg_end(self, status, "drop a text", err);
    dropped->n = status ? 0 : deleted;
    return status;
}

spar_status spar__pg_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_text_drops, "i", (int64_t)experiment);
    status = spar__pg_flush(self, "read", err);
    if (!status && spar__pg_rows(self, 0) == 0)
        return spar__pg_fail_unknown(self, experiment, err);
    if (!status)
        *number = spar__pg_number(spar__pg_result(self, 0), 0, 0);
    return status;
}

spar_status spar__pg_voter(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                           spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    unsigned char digest[SPAR_HASH_SIZE];
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__sha256(name, length, digest);
    spar__pg_queue(self, SPAR__PG_text_drops, "i", (int64_t)experiment);
    spar__pg_queue(self, SPAR__PG_voter, "ib", (int64_t)experiment, (const void *)digest, sizeof digest);
    status = spar__pg_flush(self, "read", err);
    if (!status && spar__pg_rows(self, 0) == 0)
        return spar__pg_fail_unknown(self, experiment, err);
    if (!status && spar__pg_rows(self, 1) > 0)
        *voter = spar__pg_number(spar__pg_result(self, 1), 0, 0);
    return status;
}
