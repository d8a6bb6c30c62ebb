/* texts.c - texts in memory, sorted by kind, owner and version (memory.h). */
#include "store/memory/memory.h"

#include "base/alloc.h"
#include "store/digest.h"

#include <string.h>

static int compare(const spar__store_text *a, spar__text_kind kind, uint64_t owner, uint32_t version)
{
    if (a->kind != kind)
        return a->kind < kind ? -1 : 1;
    if (a->owner != owner)
        return a->owner < owner ? -1 : 1;
    return a->version < version ? -1 : a->version > version;
}

/* The first that is not before this one. */
static size_t lower_bound(const spar__memory_log *log, spar__text_kind kind, uint64_t owner, uint32_t version)
{
    size_t low = 0, high = log->n_texts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(log->text[middle], kind, owner, version) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_there(const spar__memory_log *log, size_t at, spar__text_kind kind, uint64_t owner, uint32_t version)
{
    return at < log->n_texts && compare(log->text[at], kind, owner, version) == 0;
}

static spar_status reserve(spar__memory_log *log)
{
    spar__store_text **text = spar__grow(log->text, &log->text_room, log->n_texts + 1, 16, sizeof(*text));
    if (!text)
        return SPAR_NOMEM;
    log->text = text;
    return SPAR_OK;
}

/* A copy of the text in one piece of memory, its bytes behind it. */
static spar__store_text *copy_text(const spar__store_text *text, uint64_t owner)
{
    spar__store_text *copy = spar__alloc(sizeof *copy + text->length + 1, 1);
    if (!copy)
        return NULL;
    unsigned char *bytes = (unsigned char *)(copy + 1);
    if (text->length)
        memcpy(bytes, text->bytes, text->length);
    *copy = *text;
    copy->bytes = bytes;
    copy->owner = owner;
    return copy;
}

static uint64_t find_voter(const spar__memory_log *log, const void *name, size_t length)
{
    for (size_t i = lower_bound(log, SPAR__TEXT_VOTER, 0, 0); i < log->n_texts; i++) {
        const spar__store_text *text = log->text[i];
        if (text->kind != SPAR__TEXT_VOTER)
            break;
        if (text->length == length && memcmp(text->bytes, name, length) == 0)
            return text->owner;
    }
    return 0;
}

spar_status spar__memory_text_add(spar__memory_log *log, const spar__store_text *text, uint64_t owner)
{
    size_t at = lower_bound(log, text->kind, owner, text->version);
    if (is_there(log, at, text->kind, owner, text->version))
        return SPAR_CONFLICT;
    if (text->kind == SPAR__TEXT_VOTER && find_voter(log, text->bytes, text->length))
        return SPAR_CONFLICT;
    spar__store_text *copy = reserve(log) ? NULL : copy_text(text, owner);
    if (!copy)
        return SPAR_NOMEM;
    memmove(log->text + at + 1, log->text + at, (log->n_texts - at) * sizeof *log->text);
    log->text[at] = copy;
    log->n_texts++;
    return SPAR_OK;
}

/* Overwritten before it is freed: who reads the memory of the process later does not find it. */
static void wipe(spar__store_text *text)
{
    spar__wipe(text, sizeof *text + text->length);
    spar__free(text);
}

static void remove_texts(spar__memory_log *log, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        wipe(log->text[i]);
    memmove(log->text + from, log->text + to, (log->n_texts - to) * sizeof *log->text);
    log->n_texts -= to - from;
}

void spar__memory_text_take_back(spar__memory_log *log, const spar__store_text *text, uint64_t owner)
{
    size_t at = lower_bound(log, text->kind, owner, text->version);
    remove_texts(log, at, at + 1);
}

spar_status spar__memory_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text,
                                  spar_error *err)
{
    spar__memory_log *log;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    status = spar__memory_text_add(log, text, text->owner);
    (void)pthread_mutex_unlock(&((spar__memory *)store)->place->mutex);
    if (status == SPAR_CONFLICT)
        return spar__fail(err, SPAR_CONFLICT, "%s: there is such a text already", store->name);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* The texts that the key names; how many? */
static size_t drop_texts(spar__memory_log *log, const spar__text_key *key)
{
    size_t from = lower_bound(log, key->kind, key->owner, key->version), to = from;
    while (to < log->n_texts && log->text[to]->kind == key->kind && log->text[to]->owner == key->owner &&
           (!key->version || log->text[to]->version == key->version))
        to++;
    if (to > from)
        remove_texts(log, from, to);
    return to - from;
}

spar_status spar__memory_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                   spar__text_dropped *dropped, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    spar__memory_log *log;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        dropped->n += drop_texts(log, &key[i]);
    log->drops += dropped->n > 0;
    log->owner = NULL;
    (void)pthread_cond_broadcast(&place->changed);
    (void)pthread_mutex_unlock(&place->mutex);
    return SPAR_OK;
}

spar_status spar__memory_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    *number = log ? log->drops : 0;
    (void)pthread_mutex_unlock(&place->mutex);
    return log ? SPAR_OK : SPAR_UNKNOWN;
}

/* Copies of the texts of a kind; the mutex is held. *n of them, in new memory. */
static spar_status copy_texts(const spar__memory_log *log, spar__text_kind kind, spar__store_text ***out, size_t *n)
{
    *n = 0;
    *out = spar__alloc(log->n_texts, sizeof **out);
    for (size_t i = 0; *out && i < log->n_texts; i++) {
        if (kind && log->text[i]->kind != kind)
            continue;
        spar__store_text *copy = copy_text(log->text[i], log->text[i]->owner);
        if (!copy)
            return SPAR_NOMEM;
        (*out)[(*n)++] = copy;
    }
    return *out ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__memory_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind,
                                   spar__store_text_fn fn, void *context, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    spar__store_text **copy = NULL;
    size_t n = 0;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    spar_status status = log ? copy_texts(log, kind, &copy, &n) : SPAR_UNKNOWN;
    (void)pthread_mutex_unlock(&place->mutex);
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    for (size_t i = 0; i < n && !status; i++)
        status = fn(context, copy[i], err);
    for (size_t i = 0; i < n; i++)
        wipe(copy[i]);
    spar__free(copy);
    return status;
}

static spar_status get(const spar__memory_log *log, size_t at, unsigned char salt[SPAR__SALT_SIZE],
                       unsigned char **bytes, size_t *length)
{
    const spar__store_text *text = log->text[at];
    *bytes = spar__bytes_copy(text->bytes, text->length);
    if (!*bytes)
        return SPAR_NOMEM;
    *length = text->length;
    memcpy(salt, text->salt, SPAR__SALT_SIZE);
    return SPAR_OK;
}

spar_status spar__memory_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                  uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                                  size_t *length, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    size_t at = log ? lower_bound(log, kind, owner, version) : 0;
    spar_status status = SPAR_UNKNOWN;
    if (log && is_there(log, at, kind, owner, version))
        status = get(log, at, salt, bytes, length);
    else if (log)
        (void)spar__fail(err, SPAR_UNKNOWN, "%s: there is no such text", store->name);
    (void)pthread_mutex_unlock(&place->mutex);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

spar_status spar__memory_voter(spar__store *store, uint64_t experiment, const char *name, size_t length,
                               uint64_t *voter, spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    (void)pthread_mutex_lock(&place->mutex);
    const spar__memory_log *log = spar__memory_find(store, experiment, err);
    *voter = log ? find_voter(log, name, length) : 0;
    (void)pthread_mutex_unlock(&place->mutex);
    return log ? SPAR_OK : SPAR_UNKNOWN;
}
