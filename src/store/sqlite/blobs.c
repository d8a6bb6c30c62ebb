/* blobs.c - snapshots and secrets (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include <string.h>

enum { MOST_AT_ONCE = 512 };

/* For secrets, which belong to no experiment. */
static spar_status enter(spar__sqlite *self, spar_error *err)
{
    spar_status status = spar__sqlite_ready(self, err);
    return status ? status : spar__sqlite_begin(self, err);
}

spar_status spar__sqlite_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                      const unsigned char *bytes, size_t length, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = spar__sqlite_enter(self, experiment, err);
    if (status)
        return status;
    sqlite3_stmt *put = spar__sqlite_bind(
        self, SPAR__SQL_snapshot_put, err, "iiibb", (int64_t)experiment, (int64_t)snapshot->sequence,
        (int64_t)snapshot->engine, (const void *)snapshot->hash, sizeof snapshot->hash, (const void *)bytes, length);
    return spar__sqlite_end(self, spar__sqlite_run(self, put, err), err);
}

static spar_status take_snapshot(sqlite3_stmt *get, spar__store_snapshot *snapshot, unsigned char **bytes,
                                 size_t *length, spar_error *err)
{
    const void *hash = sqlite3_column_blob(get, 1);
    snapshot->sequence = (uint64_t)sqlite3_column_int64(get, 0);
    if (!hash || sqlite3_column_bytes(get, 1) != SPAR_HASH_SIZE)
        return spar__fail(err, SPAR_CORRUPT, "snapshot %llu has no hash", (unsigned long long)snapshot->sequence);
    memcpy(snapshot->hash, hash, SPAR_HASH_SIZE);
    return spar__sqlite_column(get, 2, bytes, length, err);
}

spar_status spar__sqlite_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                      spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                      spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    if (status)
        return status;
    sqlite3_stmt *get = spar__sqlite_bind(self, SPAR__SQL_snapshot_get, err, "iii", (int64_t)experiment,
                                          limit > INT64_MAX ? INT64_MAX : (int64_t)limit, (int64_t)engine);
    status = spar__sqlite_step(self, get, &row, "read", err);
    if (status)
        return status;
    if (!row)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no such snapshot", store->name);
    snapshot->engine = engine;
    status = take_snapshot(get, snapshot, bytes, length, err);
    (void)sqlite3_reset(get);
    return status;
}

spar_status spar__sqlite_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                       size_t *n, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row = true;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    if (status)
        return status;
    sqlite3_stmt *list = spar__sqlite_bind(self, SPAR__SQL_snapshot_list, err, "ii", (int64_t)experiment,
                                           most > INT64_MAX ? INT64_MAX : (int64_t)most);
    while (!(status = spar__sqlite_step(self, list, &row, "read", err)) && row)
        sequence[(*n)++] = (uint64_t)sqlite3_column_int64(list, 0);
    return status;
}

/* Drops those of the newest that are not listed; *more: there may be others. */
static spar_status drop_unlisted(spar__sqlite *self, uint64_t experiment, size_t n, const uint64_t *sequence,
                                 bool *more, spar_error *err)
{
    uint64_t have[MOST_AT_ONCE];
    size_t n_have = 0, dropped = 0;
    spar_status status = spar__sqlite_snapshot_list(&self->base, experiment, MOST_AT_ONCE, have, &n_have, err);
    for (size_t i = 0; i < n_have && !status; i++)
        if (!spar__snapshot_listed(have[i], n, sequence)) {
            sqlite3_stmt *drop =
                spar__sqlite_bind(self, SPAR__SQL_snapshot_drop, err, "ii", (int64_t)experiment, (int64_t)have[i]);
            status = spar__sqlite_run(self, drop, err);
            dropped++;
        }
    *more = n_have == MOST_AT_ONCE && dropped > 0;
    return status;
}

spar_status spar__sqlite_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                       spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool more = true;
    spar_status status = spar__sqlite_enter(self, experiment, err);
    if (status)
        return status;
    while (!status && more)
        status = drop_unlisted(self, experiment, n, sequence, &more, err);
    return spar__sqlite_end(self, status, err);
}

spar_status spar__sqlite_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                    spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = enter(self, err);
    if (status)
        return status;
    sqlite3_stmt *put = spar__sqlite_bind(self, SPAR__SQL_secret_put, err, "sb", name, (const void *)bytes, length);
    return spar__sqlite_end(self, spar__sqlite_run(self, put, err), err);
}

static spar_status add_secret(spar__sqlite *self, const spar__store_secret *secret, spar_error *err)
{
    sqlite3_stmt *add = spar__sqlite_bind(self, SPAR__SQL_secret_add, err, "sb", secret->name,
                                          (const void *)secret->bytes, secret->length);
    spar_status status = spar__sqlite_run(self, add, err);
    if (!status && sqlite3_changes(self->db) == 0)
        return spar__fail(err, SPAR_CONFLICT, "%s: there is a secret '%s' already", self->base.name, secret->name);
    return status;
}

spar_status spar__sqlite_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = enter(self, err);
    if (status)
        return status;
    for (size_t i = 0; i < n && !status; i++)
        status = add_secret(self, &secret[i], err);
    return spar__sqlite_end(self, status, err);
}

spar_status spar__sqlite_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    const spar__store_secret *was = &was_now[0], *now = &was_now[1];
    spar_status status = enter(self, err);
    if (status)
        return status;
    sqlite3_stmt *swap = spar__sqlite_bind(self, SPAR__SQL_secret_swap, err, "sbb", was->name, (const void *)was->bytes,
                                           was->length, (const void *)now->bytes, now->length);
    status = spar__sqlite_run(self, swap, err);
    if (!status && sqlite3_changes(self->db) == 0)
        status = spar__secret_fail_other(store, was, err);
    return spar__sqlite_end(self, status, err);
}

spar_status spar__sqlite_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                    spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row;
    spar_status status = spar__sqlite_ready(self, err);
    if (status)
        return status;
    sqlite3_stmt *get = spar__sqlite_bind(self, SPAR__SQL_secret_get, err, "s", name);
    status = spar__sqlite_step(self, get, &row, "read", err);
    if (status)
        return status;
    if (!row)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no secret '%s'", store->name, name);
    status = spar__sqlite_column(get, 0, bytes, length, err);
    (void)sqlite3_reset(get);
    return status;
}

/* Those from the prefix on, by name: the ones that begin with it come first. */
static spar_status give_secrets(spar__sqlite *self, sqlite3_stmt *each, const char *prefix, spar__store_secret_fn fn,
                                void *context, spar_error *err)
{
    bool row = true;
    spar_status status = SPAR_OK;
    while (!status) {
        status = spar__sqlite_step(self, each, &row, "read", err);
        if (status || !row)
            break;
        const char *name = (const char *)sqlite3_column_text(each, 0);
        const void *bytes = sqlite3_column_blob(each, 1);
        int length = sqlite3_column_bytes(each, 1);
        if (!name || (length && !bytes))
            return spar__fail_memory(err);
        if (strncmp(name, prefix, strlen(prefix)) != 0)
            break;
        status = fn(context, name, length ? bytes : (const unsigned char *)"", (size_t)length);
    }
    return status;
}

spar_status spar__sqlite_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                     spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    sqlite3_stmt *each;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_prepare(self,
                                      "SELECT name, bytes FROM secret WHERE name >= ?1 AND name <> 'spar:truncate' "
                                      "ORDER BY name",
                                      &each, err);
    if (status)
        return status;
    status = sqlite3_bind_text(each, 1, prefix, -1, SQLITE_STATIC) ? spar__sqlite_fail(self, "read", err)
                                                                   : give_secrets(self, each, prefix, fn, context, err);
    (void)sqlite3_finalize(each);
    return status;
}

spar_status spar__sqlite_secret_drop(spar__store *store, const char *name, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = enter(self, err);
    if (status)
        return status;
    sqlite3_stmt *drop = spar__sqlite_bind(self, SPAR__SQL_secret_drop, err, "s", name);
    return spar__sqlite_end(self, spar__sqlite_run(self, drop, err), err);
}
