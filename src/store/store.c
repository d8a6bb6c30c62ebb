/* store.c - the registry, places, and what is checked for every kind of store. */
#include "store/class.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#define SPAR_STORE(folder, name) extern const spar__store_class spar__store_##name;
#include "store/stores.def"
#undef SPAR_STORE

const spar__store_class *const spar__store_classes[] = {
#define SPAR_STORE(folder, name) &spar__store_##name,
#include "store/stores.def"
#undef SPAR_STORE
    NULL,
};

atomic_uint spar__store_patience = 10000;

enum { LONGEST_NAME = 200, LONGEST_BLOB = 1000000000 /* what SQLite takes */ };

spar_status spar__store_open(const char *place, spar__store_mode mode, spar__store **out, spar_error *err)
{
    size_t skip;
    const spar__store_class *cls = spar__store_class_of(place, &skip, err);
    *out = NULL;
    if (!cls)
        return SPAR_UNKNOWN;
    if (!place[skip])
        return spar__fail(err, SPAR_INVALID, "'%s' is no place for a log: a file was expected", place);
    bool url = cls->url;
    spar_status status = mode != SPAR__STORE_READ && cls->stand_in ? cls->stand_in(place + skip, &cls, err) : SPAR_OK;
    if (status)
        return status;
    spar__store *store = spar__alloc(1, cls->size);
    if (!store)
        return spar__fail_memory(err);
    store->cls = cls;
    store->mode = mode;
    status = cls->open(store, url ? place : place + skip, err);
    if (status) {
        spar__store_close(store);
        return status;
    }
    *out = store;
    return SPAR_OK;
}

void spar__store_close(spar__store *store)
{
    if (!store)
        return;
    store->cls->close(store);
    spar__free(store->name);
    spar__free(store);
}

const char *spar__store_name(const spar__store *store)
{
    return store->name;
}

const char *spar__store_class_name(const spar__store *store)
{
    return store->cls->name;
}

static spar_status need_writable(const spar__store *store, spar_error *err)
{
    if (store->mode == SPAR__STORE_READ)
        return spar__fail(err, SPAR_INVALID, "%s: was opened for reading only", store->name);
    return SPAR_OK;
}

/* Writable, and the lock is not held: what is written here commits by itself. */
static spar_status need_free(const spar__store *store, spar_error *err)
{
    if (store->locked)
        return spar__fail(err, SPAR_INVALID, "%s: the lock is held: only an append is expected", store->name);
    return need_writable(store, err);
}

static spar_status need_length(const spar__store *store, size_t length, spar_error *err)
{
    if (length > LONGEST_BLOB)
        return spar__fail(err, SPAR_INVALID, "%s: %zu bytes are too long, at most %d", store->name, length,
                          LONGEST_BLOB);
    return SPAR_OK;
}

spar_status spar__store_experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err)
{
    return store->cls->experiments(store, fn, context, err);
}

/* Names stand in places (FILE#NAME) and in messages. */
static bool good_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += spar__utf8_next(name + at, length - at, &code);
        if (code == SPAR__UTF8_BAD || spar__utf8_acts(code) || code == '#' || code == '/')
            return false;
    }
    return length <= LONGEST_NAME;
}

spar_status spar__store_create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    *experiment = 0;
    spar_status status = need_free(store, err);
    if (status)
        return status;
    if (!good_name(name))
        return spar__fail(err, SPAR_INVALID,
                          "'%s' cannot be the name of an experiment: at most %d bytes of text without '#', '/' and "
                          "control characters were expected",
                          name, LONGEST_NAME);
    return store->cls->create(store, name, experiment, err);
}

spar_status spar__store_lock(spar__store *store, uint64_t experiment, spar_error *err)
{
    if (store->locked == experiment)
        return SPAR_OK;
    spar_status status = need_free(store, err);
    store->lapsed = false;
    if (!status)
        status = store->cls->lock(store, experiment, err);
    if (!status)
        store->locked = experiment;
    return status;
}

void spar__store_unlock(spar__store *store)
{
    if (store->locked)
        store->cls->unlock(store, store->locked);
    store->locked = 0;
}

void spar__store_set_patience(spar__store *store, unsigned milliseconds)
{
    store->patience = milliseconds;
}

unsigned spar__store_hurry(unsigned milliseconds)
{
    return atomic_exchange(&spar__store_patience, milliseconds);
}

unsigned spar__patience_of(const spar__store *store)
{
    return store->patience ? store->patience : spar__store_patience;
}

bool spar__store_lapsed(const spar__store *store)
{
    return store->lapsed;
}

spar_status spar__store_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                               spar_error *err)
{
    spar_status status = store->locked == experiment ? SPAR_OK : need_free(store, err);
    for (size_t i = 0; i < n; i++) {
        entry[i].status = SPAR_OK;
        memset(entry[i].hash, 0, sizeof entry[i].hash);
        for (size_t j = 0; j < entry[i].n_texts && !status; j++)
            status = need_length(store, entry[i].text[j].length, err);
    }
    if (!status && n > 0)
        status = store->cls->append(store, experiment, n, entry, err);
    else
        spar__store_unlock(store);
    store->locked = 0;
    return status;
}

spar_status spar__store_next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    *number = 0;
    spar_status status = store->locked == experiment ? SPAR_OK : need_free(store, err);
    return status ? status : store->cls->next_screen(store, experiment, number, err);
}

spar_status spar__store_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                             unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    *sequence = 0;
    memset(hash, 0, SPAR_HASH_SIZE);
    return store->cls->head(store, experiment, sequence, hash, err);
}

spar_status spar__store_look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err)
{
    *mark = (spar__store_mark){0};
    if (store->cls->look)
        return store->cls->look(store, experiment, mark, err);
    spar_status status = store->cls->text_drops(store, experiment, &mark->drops, err);
    return status ? status : store->cls->head(store, experiment, &mark->sequence, mark->hash, err);
}

spar_status spar__store_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                             spar__store_event_fn fn, void *context, spar_error *err)
{
    return store->cls->read(store, experiment, from ? from : 1, to, fn, context, err);
}

spar_status spar__store_locate(spar__store *store, uint64_t experiment, spar_event_kind kind, uint64_t number,
                               uint32_t revision, uint64_t *sequence, spar_error *err)
{
    *sequence = 0;
    spar__once once = spar__once_about(kind, number, revision);
    return once.kind ? store->cls->locate(store, experiment, once, sequence, err) : SPAR_OK;
}

spar_status spar__store_wait(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds,
                             bool *news, spar_error *err)
{
    *news = false;
    return store->cls->wait(store, experiment, sequence, milliseconds, news, err);
}

spar_status spar__store_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                 uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                                 size_t *length, spar_error *err)
{
    *bytes = NULL;
    *length = 0;
    return store->cls->text_get(store, experiment, kind, owner, version, salt, bytes, length, err);
}

spar_status spar__store_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                                  void *context, spar_error *err)
{
    return store->cls->text_each(store, experiment, kind, fn, context, err);
}

spar_status spar__store_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text, spar_error *err)
{
    spar_status status = need_free(store, err);
    if (!status)
        status = need_length(store, text->length, err);
    return status ? status : store->cls->text_put(store, experiment, text, err);
}

spar_status spar__store_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                  spar__text_dropped *dropped, spar_error *err)
{
    spar__text_dropped ignored;
    dropped = dropped ? dropped : &ignored;
    *dropped = (spar__text_dropped){0};
    spar_status status = store->locked == experiment ? SPAR_OK : need_free(store, err);
    if (!status)
        status = store->cls->text_drop(store, experiment, n, key, dropped, err);
    else
        spar__store_unlock(store);
    store->locked = 0;
    return status;
}

spar_status spar__store_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    *number = 0;
    return store->cls->text_drops(store, experiment, number, err);
}

spar_status spar__store_voter(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                              spar_error *err)
{
    *voter = 0;
    return store->cls->voter(store, experiment, name, length, voter, err);
}

spar_status spar__store_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                     const unsigned char *bytes, size_t length, spar_error *err)
{
    spar_status status = need_free(store, err);
    if (!status)
        status = need_length(store, length, err);
    return status ? status : store->cls->snapshot_put(store, experiment, snapshot, bytes, length, err);
}

spar_status spar__store_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                     spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                     spar_error *err)
{
    *bytes = NULL;
    *length = 0;
    return store->cls->snapshot_get(store, experiment, limit, engine, snapshot, bytes, length, err);
}

spar_status spar__store_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                      size_t *n, spar_error *err)
{
    *n = 0;
    return store->cls->snapshot_list(store, experiment, most, sequence, n, err);
}

spar_status spar__store_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                      spar_error *err)
{
    spar_status status = need_free(store, err);
    return status ? status : store->cls->snapshot_keep(store, experiment, n, sequence, err);
}

/* Writable, not too long, and the name is not one of the store's own. */
static spar_status need_secret(const spar__store *store, const char *name, size_t length, spar_error *err)
{
    if (strncmp(name, "spar:", 5) == 0)
        return spar__fail(err, SPAR_INVALID, "%s: '%s' cannot be the name of a secret: 'spar:' is kept for the store",
                          store->name, name);
    spar_status status = need_free(store, err);
    return status ? status : need_length(store, length, err);
}

spar_status spar__store_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                   spar_error *err)
{
    spar_status status = need_secret(store, name, length, err);
    return status ? status : store->cls->secret_put(store, name, bytes, length, err);
}

spar_status spar__store_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err)
{
    spar_status status = need_free(store, err);
    for (size_t i = 0; i < n && !status; i++)
        status = need_secret(store, secret[i].name, secret[i].length, err);
    return status ? status : store->cls->secret_add(store, n, secret, err);
}

spar_status spar__store_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err)
{
    spar_status status = need_secret(store, was_now[0].name, was_now[1].length, err);
    if (!status && strcmp(was_now[0].name, was_now[1].name) != 0)
        status = spar__fail(err, SPAR_INVALID, "%s: secrets '%s' and '%s' cannot be swapped: one name was expected",
                            store->name, was_now[0].name, was_now[1].name);
    return status ? status : store->cls->secret_swap(store, was_now, err);
}

bool spar__snapshot_listed(uint64_t sequence, size_t n, const uint64_t *list)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == sequence)
            return true;
    return false;
}

spar_status spar__secret_fail_other(const spar__store *store, const spar__store_secret *was, spar_error *err)
{
    return spar__fail(err, SPAR_CONFLICT, "%s: secret '%s' is not what it was", store->name, was->name);
}

spar_status spar__store_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                   spar_error *err)
{
    *bytes = NULL;
    *length = 0;
    return store->cls->secret_get(store, name, bytes, length, err);
}

spar_status spar__store_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                    spar_error *err)
{
    return store->cls->secret_each(store, prefix, fn, context, err);
}

spar_status spar__store_secret_drop(spar__store *store, const char *name, spar_error *err)
{
    spar_status status = need_secret(store, name, 0, err);
    return status ? status : store->cls->secret_drop(store, name, err);
}

spar_status spar__store_backup(spar__store *store, const char *path, spar_error *err)
{
    if (store->locked)
        return spar__fail(err, SPAR_INVALID, "%s: the lock is held: only an append is expected", store->name);
    return store->cls->backup(store, path, err);
}

spar_status spar__store_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    return store->cls->check(store, fn, context, err);
}

spar_status spar__store_hold(spar__store *store, spar_error *err)
{
    spar_status status = need_writable(store, err);
    return status ? status : store->cls->hold(store, err);
}
