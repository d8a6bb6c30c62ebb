/* append.c - events, in one transaction (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "base/bytes.h"
#include "store/digest.h"

typedef struct spar__sqlite_tail {
    spar__sqlite *self;
    uint64_t experiment, sequence; /* of the last event */
    unsigned char hash[SPAR_HASH_SIZE];
} spar__sqlite_tail;

static sqlite3_stmt *bind_once(spar__sqlite *self, uint64_t experiment, const spar__once *once, uint64_t sequence,
                               unsigned char key[16], spar_error *err)
{
    int64_t e = (int64_t)experiment, high = (int64_t)once->high, low = (int64_t)once->low, at = (int64_t)sequence;
    switch (once->kind) {
    case SPAR__ONCE_SCREEN:
        return spar__sqlite_bind(self, SPAR__SQL_screen, err, "iii", e, high, at);
    case SPAR__ONCE_ANSWER:
        return spar__sqlite_bind(self, SPAR__SQL_answer, err, "iiii", e, high, low, at);
    case SPAR__ONCE_UNDO:
        return spar__sqlite_bind(self, SPAR__SQL_undo, err, "iiii", e, high, low, at);
    default:
        spar__put_u64(key, once->high);
        spar__put_u64(key + 8, once->low);
        return spar__sqlite_bind(self, SPAR__SQL_imported, err, "ibi", e, (const void *)key, (size_t)16, at);
    }
}

/* SPAR_CONFLICT, without a sentence, if it is there. */
static spar_status add_once(spar__sqlite *self, uint64_t experiment, const spar__once *once, uint64_t sequence,
                            spar_error *err)
{
    unsigned char key[16];
    if (once->kind == SPAR__ONCE_NONE)
        return SPAR_OK;
    spar_status status = spar__sqlite_run(self, bind_once(self, experiment, once, sequence, key, err), err);
    return !status && sqlite3_changes(self->db) == 0 ? SPAR_CONFLICT : status;
}

static spar_status add_parts(spar__sqlite_tail *tail, const spar__store_entry *entry, spar_error *err)
{
    spar__once once = spar__once_of(entry->event);
    uint64_t sequence = tail->sequence + 1;
    spar_status status = add_once(tail->self, tail->experiment, &once, sequence, err);
    for (size_t i = 0; i < entry->n_texts && !status; i++) {
        const spar__store_text *text = &entry->text[i];
        status = spar__sqlite_text_add(tail->self, tail->experiment, text, spar__text_owner(text, sequence), err);
    }
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

spar_status spar__sqlite_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                                spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar__sqlite_tail tail = {.self = self, .experiment = experiment};
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_begin(self, err);
    if (status)
        return status;
    status = spar__sqlite_head(store, experiment, &tail.sequence, tail.hash, err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_entry(&tail, &entry[i], err);
    return spar__sqlite_end(self, status, err);
}
