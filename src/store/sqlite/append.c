/* append.c - events, in one transaction (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "store/digest.h"

#include <string.h>

typedef struct spar__sqlite_tail {
    spar__sqlite *self;
    uint64_t experiment, sequence; /* of the last event */
    unsigned char hash[SPAR_HASH_SIZE];
} spar__sqlite_tail;

static sqlite3_stmt *bind_once(spar__sqlite *self, uint64_t experiment, const spar__once *once, uint64_t sequence,
                               spar_error *err)
{
    int64_t e = (int64_t)experiment, high = (int64_t)once->high, low = (int64_t)once->low, at = (int64_t)sequence;
    if (once->kind == SPAR__ONCE_SCREEN)
        return spar__sqlite_bind(self, SPAR__SQL_screen, err, "iii", e, high, at);
    return spar__sqlite_bind(self, once->kind == SPAR__ONCE_ANSWER ? SPAR__SQL_answer : SPAR__SQL_undo, err, "iiii", e,
                             high, low, at);
}

/* SPAR_CONFLICT, without a sentence, if it is there. */
static spar_status add_once(spar__sqlite *self, uint64_t experiment, const spar__once *once, uint64_t sequence,
                            spar_error *err)
{
    if (once->kind == SPAR__ONCE_NONE)
        return SPAR_OK;
    if (once->kind == SPAR__ONCE_IMPORT)
        return spar__sqlite_imports_add(self, once, err);
    spar_status status = spar__sqlite_run(self, bind_once(self, experiment, once, sequence, err), err);
    return !status && sqlite3_changes(self->db) == 0 ? SPAR_CONFLICT : status;
}

static spar_status add_parts(spar__sqlite_tail *tail, const spar__store_entry *entry, spar_error *err)
{
    spar__once once = spar__once_of(entry->event);
    uint64_t sequence = tail->sequence + 1;
    spar_status status = add_once(tail->self, tail->experiment, &once, sequence, err);
    if (status)
        return status;
    for (size_t i = 0; i < entry->n_texts && !status; i++) {
        const spar__store_text *text = &entry->text[i];
        status = spar__sqlite_text_add(tail->self, tail->experiment, text, spar__text_owner(text, sequence), err);
    }
    if (status && once.kind == SPAR__ONCE_IMPORT)
        spar__sqlite_imports_take_back(tail->self, &once);
    return status;
}

static spar_status add_event(spar__sqlite_tail *tail, const unsigned char *bytes, size_t length, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    int64_t id = (int64_t)tail->experiment * SPAR__SQLITE_SPAN + (int64_t)tail->sequence + 1;
    spar__chain_next(tail->hash, bytes, length, hash);
    sqlite3_stmt *event = spar__sqlite_bind(tail->self, SPAR__SQL_event, err, "ibb", id, (const void *)bytes, length,
                                            (const void *)hash, sizeof hash);
    spar_status status = spar__sqlite_run(tail->self, event, err);
    if (!status) {
        tail->sequence++;
        for (size_t i = 0; i < sizeof hash; i++)
            tail->hash[i] = hash[i];
    }
    return status;
}

static spar_status add_whole(spar__sqlite_tail *tail, spar__store_entry *entry, spar_error *err)
{
    unsigned char *bytes;
    size_t length;
    spar_status status = spar__entry_encode(entry, tail->sequence + 1, &bytes, &length);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
    status = add_parts(tail, entry, err);
    if (!status)
        status = add_event(tail, bytes, length, err);
    if (!status)
        memcpy(entry->hash, tail->hash, sizeof entry->hash);
    spar_bytes_free(bytes);
    return status;
}

static spar_status savepoint(spar__sqlite *self, spar__sql id, spar_error *err)
{
    return spar__sqlite_run(self, spar__sqlite_bind(self, id, err, ""), err);
}

/* An entry that is refused leaves no trace: what may be refused after something was written needs a savepoint. */
static spar_status add_entry(spar__sqlite_tail *tail, spar__store_entry *entry, spar_error *err)
{
    bool saved = entry->n_texts > 0;
    spar_status status = saved ? savepoint(tail->self, SPAR__SQL_save, err) : SPAR_OK;
    if (status)
        return status;
    status = add_whole(tail, entry, err);
    bool refused = status == SPAR_CONFLICT || status == SPAR_INVALID;
    if (refused) {
        spar__entry_refuse(entry, status);
        status = saved ? savepoint(tail->self, SPAR__SQL_restore, err) : SPAR_OK;
    }
    return !status && saved ? savepoint(tail->self, SPAR__SQL_release, err) : status;
}

static bool has_imports(size_t n, const spar__store_entry *entry)
{
    for (size_t i = 0; i < n; i++)
        if (spar_event_kind_of(entry[i].event) == SPAR_EVENT_IMPORTED)
            return true;
    return false;
}

static spar_status add_all(spar__sqlite_tail *tail, size_t n, spar__store_entry *entry, spar_error *err)
{
    bool imports = has_imports(n, entry);
    spar_status status = spar__sqlite_head(&tail->self->base, tail->experiment, &tail->sequence, tail->hash, err);
    if (!status && imports)
        status = spar__sqlite_imports_begin(tail->self, tail->experiment, tail->sequence, err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_entry(tail, &entry[i], err);
    if (!status && imports)
        status = spar__sqlite_imports_end(tail->self, tail->sequence, err);
    return status;
}

spar_status spar__sqlite_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                                spar_error *err)
{
    spar__sqlite_tail tail = {.self = (spar__sqlite *)store, .experiment = experiment};
    spar_status status = spar__sqlite_ready(tail.self, err);
    if (!status)
        status = spar__sqlite_begin(tail.self, err);
    if (status)
        return status;
    status = spar__sqlite_end(tail.self, add_all(&tail, n, entry, err), err);
    if (status)
        spar__sqlite_imports_forget(tail.self);
    return status;
}
