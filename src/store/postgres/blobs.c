/* blobs.c - snapshots and secrets (postgres.h). */
#include "store/postgres/postgres.h"

#include <string.h>

/* Is the first result that of an experiment that is there? */
static spar_status check_known(const spar__postgres *self, spar_status status, uint64_t experiment, spar_error *err)
{
    if (!status && spar__pg_rows(self, 0) == 0)
        return spar__pg_fail_unknown(self, experiment, err);
    return status;
}

spar_status spar__pg_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                  const unsigned char *bytes, size_t length, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_head, "i", (int64_t)experiment);
    status = check_known(self, spar__pg_flush(self, "read", err), experiment, err);
    if (status)
        return status;
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_snapshot_put, "iiibb", (int64_t)experiment, (int64_t)snapshot->sequence,
                   (int64_t)snapshot->engine, (const void *)snapshot->hash, sizeof snapshot->hash, (const void *)bytes,
                   length);
    return spar__pg_end(self, SPAR_OK, "keep a snapshot", err);
}

static spar_status take_snapshot(const spar__postgres *self, const PGresult *row, spar__store_snapshot *snapshot,
                                 unsigned char **bytes, size_t *length, spar_error *err)
{
    size_t size;
    const unsigned char *hash = spar__pg_bytes(row, 0, 1, &size);
    snapshot->sequence = spar__pg_number(row, 0, 0);
    if (size != SPAR_HASH_SIZE)
        return spar__fail(err, SPAR_CORRUPT, "%s: snapshot %llu has no hash", self->base.name,
                          (unsigned long long)snapshot->sequence);
    memcpy(snapshot->hash, hash, SPAR_HASH_SIZE);
    return spar__pg_copy(row, 0, 2, bytes, length, err);
}

spar_status spar__pg_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                  spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                  spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_head, "i", (int64_t)experiment);
    spar__pg_queue(self, SPAR__PG_snapshot_get, "iii", (int64_t)experiment,
                   limit > INT64_MAX ? INT64_MAX : (int64_t)limit, (int64_t)engine);
    status = check_known(self, spar__pg_flush(self, "read", err), experiment, err);
    if (status)
        return status;
    if (spar__pg_rows(self, 1) == 0)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no such snapshot", store->name);
    snapshot->engine = engine;
    return take_snapshot(self, spar__pg_result(self, 1), snapshot, bytes, length, err);
}

spar_status spar__pg_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence, size_t *n,
                                   spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_head, "i", (int64_t)experiment);
    spar__pg_queue(self, SPAR__PG_snapshot_list, "ii", (int64_t)experiment,
                   most > INT64_MAX ? INT64_MAX : (int64_t)most);
    status = check_known(self, spar__pg_flush(self, "read", err), experiment, err);
    for (int r = 0; !status && r < spar__pg_rows(self, 1); r++)
        sequence[(*n)++] = spar__pg_number(spar__pg_result(self, 1), r, 0);
    return status;
}

spar_status spar__pg_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                   spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar__pg_array kept = {0};
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        spar__pg_add_number(&kept, sequence[i]);
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_snapshot_keep, "ia", (int64_t)experiment, &kept);
    spar__pg_array_free(&kept);
    return spar__pg_end(self, SPAR_OK, "drop snapshots", err);
}

/* --- secrets --- */

spar_status spar__pg_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_secret_put, "sb", name, (const void *)bytes, length);
    return spar__pg_end(self, SPAR_OK, "keep a secret", err);
}

static spar_status add_secret(spar__postgres *self, const spar__store_secret *secret, spar_error *err)
{
    spar__pg_queue(self, SPAR__PG_secret_add, "sb", secret->name, (const void *)secret->bytes, secret->length);
    spar_status status = spar__pg_flush(self, "keep a secret", err);
    if (!status && spar__pg_changes(self, 0) == 0)
        return spar__fail(err, SPAR_CONFLICT, "%s: there is a secret '%s' already", self->base.name, secret->name);
    return status;
}

spar_status spar__pg_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_begin(self);
    status = spar__pg_flush(self, "keep a secret", err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_secret(self, &secret[i], err);
    return spar__pg_end(self, status, "keep a secret", err);
}

spar_status spar__pg_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    const spar__store_secret *was = &was_now[0], *now = &was_now[1];
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_begin(self);
    status = spar__pg_flush(self, "keep a secret", err);
    if (!status) {
        spar__pg_queue(self, SPAR__PG_secret_swap, "sbb", was->name, (const void *)was->bytes, was->length,
                       (const void *)now->bytes, now->length);
        status = spar__pg_flush(self, "keep a secret", err);
    }
    if (!status && spar__pg_changes(self, 0) == 0)
        status = spar__secret_fail_other(store, was, err);
    return spar__pg_end(self, status, "keep a secret", err);
}

spar_status spar__pg_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_secret_get, "s", name);
    status = spar__pg_flush(self, "read a secret", err);
    if (status)
        return status;
    if (spar__pg_rows(self, 0) == 0)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no secret '%s'", store->name, name);
    return spar__pg_copy(spar__pg_result(self, 0), 0, 0, bytes, length, err);
}

spar_status spar__pg_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                 spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_secret_each, "s", prefix);
    status = spar__pg_flush(self, "read secrets", err);
    if (status)
        return status;
    PGresult *secrets = spar__pg_keep(self, 0);
    for (int r = 0; r < PQntuples(secrets) && !status; r++) {
        size_t length;
        const unsigned char *bytes = spar__pg_bytes(secrets, r, 1, &length);
        status = fn(context, PQgetvalue(secrets, r, 0), bytes, length); /* libpq puts a 0 behind each value */
    }
    PQclear(secrets);
    return status;
}

spar_status spar__pg_secret_drop(spar__store *store, const char *name, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_secret_drop, "s", name);
    return spar__pg_end(self, SPAR_OK, "drop a secret", err);
}
