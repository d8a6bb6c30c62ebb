/* blobs.c - snapshots and secrets in memory (memory.h). */
#include "store/memory/memory.h"

#include "base/alloc.h"
#include "store/digest.h"

#include <string.h>

static void wipe(spar__memory_blob *blob)
{
    if (blob->bytes)
        spar__wipe(blob->bytes, blob->length);
    spar__free(blob->bytes);
    spar__free(blob->name);
}

void spar__memory_blobs_free(spar__memory_blob *blob, size_t n)
{
    for (size_t i = 0; i < n; i++)
        wipe(&blob[i]);
    spar__free(blob);
}

/* Puts a blob at a place of an array that grows by one; or over the one that stands there. */
static spar_status put(spar__memory_blob **array, size_t *n, size_t at, bool replace, spar__memory_blob *blob)
{
    if (replace) {
        wipe(&(*array)[at]);
        (*array)[at] = *blob;
        return SPAR_OK;
    }
    spar__memory_blob *grown = spar__realloc(*array, *n, *n + 1, sizeof *grown);
    if (!grown) {
        wipe(blob);
        return SPAR_NOMEM;
    }
    *array = grown;
    memmove(grown + at + 1, grown + at, (*n - at) * sizeof *grown);
    grown[at] = *blob;
    ++*n;
    return SPAR_OK;
}

spar_status spar__memory_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                      const unsigned char *bytes, size_t length, spar_error *err)
{
    spar__memory_log *log;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    spar__memory_blob blob = {.about = *snapshot, .bytes = spar__bytes_copy(bytes, length), .length = length};
    size_t at = 0;
    while (at < log->n_snapshots && log->snapshot[at].about.sequence < snapshot->sequence)
        at++;
    bool replace = at < log->n_snapshots && log->snapshot[at].about.sequence == snapshot->sequence;
    status = blob.bytes ? put(&log->snapshot, &log->n_snapshots, at, replace, &blob) : SPAR_NOMEM;
    (void)pthread_mutex_unlock(&((spar__memory *)store)->place->mutex);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status copy_out(const spar__memory_blob *blob, unsigned char **bytes, size_t *length)
{
    *bytes = spar__bytes_copy(blob->bytes, blob->length);
    *length = *bytes ? blob->length : 0;
    return *bytes ? SPAR_OK : SPAR_NOMEM;
}

static const spar__memory_blob *newest(const spar__memory_log *log, uint64_t limit, uint32_t engine)
{
    for (size_t i = log->n_snapshots; i-- > 0;)
        if (log->snapshot[i].about.sequence <= limit && log->snapshot[i].about.engine == engine)
            return &log->snapshot[i];
    return NULL;
}

spar_status spar__memory_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                      spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                      spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    const spar__memory_blob *found = log ? newest(log, limit, engine) : NULL;
    spar_status status = found ? copy_out(found, bytes, length) : SPAR_UNKNOWN;
    if (!status)
        *snapshot = found->about;
    (void)pthread_mutex_unlock(&place->mutex);
    if (log && !found)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no such snapshot", store->name);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

spar_status spar__memory_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                       size_t *n, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    for (size_t i = log && log->n_snapshots > most ? log->n_snapshots - most : 0; log && i < log->n_snapshots; i++)
        sequence[(*n)++] = log->snapshot[i].about.sequence;
    (void)pthread_mutex_unlock(&place->mutex);
    return log ? SPAR_OK : SPAR_UNKNOWN;
}

spar_status spar__memory_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                       spar_error *err)
{
    spar__memory_log *log;
    size_t kept = 0;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    for (size_t i = 0; i < log->n_snapshots; i++)
        if (spar__snapshot_listed(log->snapshot[i].about.sequence, n, sequence))
            log->snapshot[kept++] = log->snapshot[i];
        else
            wipe(&log->snapshot[i]);
    log->n_snapshots = kept;
    (void)pthread_mutex_unlock(&((spar__memory *)store)->place->mutex);
    return SPAR_OK;
}

/* Where it is, or would be: they stand by name. */
static size_t find_secret(const spar__memory_place *place, const char *name, bool *there)
{
    size_t at = 0;
    while (at < place->n_secrets && strcmp(place->secret[at].name, name) < 0)
        at++;
    *there = at < place->n_secrets && strcmp(place->secret[at].name, name) == 0;
    return at;
}

/* The caller has the mutex. */
static spar_status put_secret(spar__memory_place *place, const spar__store_secret *secret)
{
    spar__memory_blob blob = {.name = spar__strdup(secret->name),
                              .bytes = spar__bytes_copy(secret->bytes, secret->length),
                              .length = secret->length};
    bool there;
    if (!blob.name || !blob.bytes) {
        wipe(&blob);
        return SPAR_NOMEM;
    }
    size_t at = find_secret(place, secret->name, &there);
    return put(&place->secret, &place->n_secrets, at, there, &blob);
}

static void drop_secret(spar__memory_place *place, const char *name)
{
    bool there;
    size_t at = find_secret(place, name, &there);
    if (!there)
        return;
    wipe(&place->secret[at]);
    --place->n_secrets;
    memmove(place->secret + at, place->secret + at + 1, (place->n_secrets - at) * sizeof *place->secret);
}

spar_status spar__memory_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                    spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    spar_status status = put_secret(place, &(spar__store_secret){name, bytes, length});
    (void)pthread_mutex_unlock(&place->mutex);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* *done: how many were added. */
static spar_status add_secrets(spar__memory_place *place, size_t n, const spar__store_secret *secret, size_t *done)
{
    for (*done = 0; *done < n; ++*done) {
        bool there;
        (void)find_secret(place, secret[*done].name, &there);
        spar_status status = there ? SPAR_CONFLICT : put_secret(place, &secret[*done]);
        if (status)
            return status;
    }
    return SPAR_OK;
}

spar_status spar__memory_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    size_t done;
    (void)pthread_mutex_lock(&place->mutex);
    spar_status status = add_secrets(place, n, secret, &done);
    for (size_t i = 0; status && i < done; i++)
        drop_secret(place, secret[i].name);
    (void)pthread_mutex_unlock(&place->mutex);
    if (status == SPAR_CONFLICT)
        return spar__fail(err, status, "%s: there is a secret '%s' already", store->name, secret[done].name);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__memory_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    const spar__store_secret *was = &was_now[0];
    bool there;
    (void)pthread_mutex_lock(&place->mutex);
    size_t at = find_secret(place, was->name, &there);
    const spar__memory_blob *blob = there ? &place->secret[at] : NULL;
    bool same = blob && blob->length == was->length && (!was->length || !memcmp(blob->bytes, was->bytes, was->length));
    spar_status status = same ? put_secret(place, &was_now[1]) : SPAR_CONFLICT;
    (void)pthread_mutex_unlock(&place->mutex);
    if (status == SPAR_CONFLICT)
        return spar__secret_fail_other(store, was, err);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__memory_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                    spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    bool there;
    size_t at = find_secret(place, name, &there);
    spar_status status = there ? copy_out(&place->secret[at], bytes, length) : SPAR_UNKNOWN;
    (void)pthread_mutex_unlock(&place->mutex);
    if (status == SPAR_UNKNOWN)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no secret '%s'", store->name, name);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* Copies of those with the prefix; the mutex is held. *n of them, in new memory. */
static spar_status copy_secrets(const spar__memory_place *place, const char *prefix, spar__memory_blob **out, size_t *n)
{
    bool there;
    *out = spar__alloc(place->n_secrets + 1, sizeof **out);
    for (size_t at = find_secret(place, prefix, &there); *out && at < place->n_secrets; at++) {
        const spar__memory_blob *secret = &place->secret[at];
        if (strncmp(secret->name, prefix, strlen(prefix)) != 0)
            break;
        spar__memory_blob *copy = &(*out)[(*n)++];
        copy->name = spar__strdup(secret->name);
        if (!copy->name || copy_out(secret, &copy->bytes, &copy->length))
            return SPAR_NOMEM;
    }
    return *out ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__memory_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                     spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    spar__memory_blob *copy = NULL;
    size_t n = 0;
    (void)pthread_mutex_lock(&place->mutex);
    spar_status status = copy_secrets(place, prefix, &copy, &n);
    (void)pthread_mutex_unlock(&place->mutex);
    if (status)
        (void)spar__fail_memory(err);
    for (size_t i = 0; i < n && !status; i++)
        status = fn(context, copy[i].name, copy[i].bytes, copy[i].length);
    spar__memory_blobs_free(copy, n);
    return status;
}

spar_status spar__memory_secret_drop(spar__store *store, const char *name, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)err;
    (void)pthread_mutex_lock(&place->mutex);
    drop_secret(place, name);
    (void)pthread_mutex_unlock(&place->mutex);
    return SPAR_OK;
}
