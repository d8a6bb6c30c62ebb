/* append.c - appending to a log in memory: all or nothing (memory.h). */
#include "store/memory/memory.h"

#include "base/alloc.h"
#include "store/digest.h"

#include <string.h>

void spar__memory_log_free(spar__memory_log *log)
{
    for (size_t i = 0; i < log->n; i++)
        spar_bytes_free(log->event[i].bytes);
    for (size_t i = 0; i < log->n_texts; i++)
        spar__free(log->text[i]);
    for (size_t i = 0; i < SPAR__ONCE_KINDS; i++)
        spar__key_table_fini(&log->once[i]);
    spar__memory_blobs_free(log->snapshot, log->n_snapshots);
    spar__free(log->event);
    spar__free(log->text);
    spar__free(log->name);
    spar__free(log);
}

static spar_status reserve(spar__memory_log *log, size_t n)
{
    for (size_t i = 0; i < SPAR__ONCE_KINDS; i++)
        if (spar__key_table_reserve(&log->once[i], n))
            return SPAR_NOMEM;
    spar__memory_event *event = spar__grow(log->event, &log->room, log->n + n, 0, sizeof *event);
    if (!event)
        return SPAR_NOMEM;
    log->event = event;
    return SPAR_OK;
}

static void take_texts_back(spar__memory_log *log, const spar__store_entry *entry, size_t n, uint64_t sequence)
{
    for (size_t i = 0; i < n; i++)
        spar__memory_text_take_back(log, &entry->text[i], spar__text_owner(&entry->text[i], sequence));
}

/* All texts of an entry, or none. */
static spar_status add_texts(spar__memory_log *log, const spar__store_entry *entry, uint64_t sequence)
{
    for (size_t i = 0; i < entry->n_texts; i++) {
        spar_status status = spar__memory_text_add(log, &entry->text[i], spar__text_owner(&entry->text[i], sequence));
        if (status) {
            take_texts_back(log, entry, i, sequence);
            return status;
        }
    }
    return SPAR_OK;
}

/* The number of the event that has this; 0: none. */
static uint64_t *once_sequence(spar__memory_log *log, const spar__once *once)
{
    spar__key_table *table = &log->once[once->kind];
    return &table->entry[spar__key_get(table, once->high, once->low)].count;
}

static spar_status add_entry(spar__memory_log *log, spar__store_entry *entry)
{
    static const unsigned char zeros[SPAR_HASH_SIZE];
    spar__once once = spar__once_of(entry->event);
    if (once.kind && *once_sequence(log, &once))
        return SPAR_CONFLICT;
    spar__memory_event *event = &log->event[log->n];
    spar_status status = spar__entry_encode(entry, log->n + 1, &event->bytes, &event->length);
    if (!status && (status = add_texts(log, entry, log->n + 1)))
        spar_bytes_free(event->bytes);
    if (status)
        return status;
    spar__chain_next(log->n ? event[-1].hash : zeros, event->bytes, event->length, event->hash);
    memcpy(entry->hash, event->hash, sizeof entry->hash);
    log->n++;
    if (once.kind)
        *once_sequence(log, &once) = log->n;
    if (once.kind == SPAR__ONCE_SCREEN && once.high > log->last_screen)
        log->last_screen = once.high;
    return SPAR_OK;
}

/* Removes entries [0, n) that were added, the newest first. */
static void take_back(spar__memory_log *log, spar__store_entry *entry, size_t n)
{
    while (n-- > 0) {
        if (entry[n].status)
            continue;
        spar__once once = spar__once_of(entry[n].event);
        if (once.kind)
            *once_sequence(log, &once) = 0;
        take_texts_back(log, &entry[n], entry[n].n_texts, log->n);
        spar_bytes_free(log->event[--log->n].bytes);
    }
}

static spar_status add_all(spar__memory_log *log, size_t n, spar__store_entry *entry)
{
    if (reserve(log, n))
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        spar_status status = add_entry(log, &entry[i]);
        if (status == SPAR_NOMEM) {
            take_back(log, entry, i);
            return status;
        }
        if (status)
            spar__entry_refuse(&entry[i], status);
    }
    return SPAR_OK;
}

spar_status spar__memory_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                                spar_error *err)
{
    spar__memory_place *place = ((spar__memory *)store)->place;
    spar__memory_log *log;
    spar_status status = spar__memory_enter(store, experiment, &log, err);
    if (status)
        return status;
    status = add_all(log, n, entry);
    log->owner = NULL;
    (void)pthread_cond_broadcast(&place->changed);
    (void)pthread_mutex_unlock(&place->mutex);
    return status ? spar__fail_memory(err) : SPAR_OK;
}
