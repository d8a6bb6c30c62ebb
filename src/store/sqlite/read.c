/* read.c - events out of the file (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "base/clock.h"

#include <string.h>

enum { PAUSE = 20 /* milliseconds between looks for news */ };

static spar_status fail_event(spar__sqlite *self, uint64_t sequence, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_CORRUPT, "%s: event %llu %s; the events before it can be read", self->base.name,
                      (unsigned long long)sequence, what);
}

static spar_status take_head(spar__sqlite *self, uint64_t experiment, sqlite3_stmt *head, uint64_t *sequence,
                             unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    const void *bytes = sqlite3_column_blob(head, 1);
    *sequence = (uint64_t)(sqlite3_column_int64(head, 0) - (int64_t)experiment * SPAR__SQLITE_SPAN);
    if (!bytes || sqlite3_column_bytes(head, 1) != SPAR_HASH_SIZE)
        return fail_event(self, *sequence, "has no hash", err);
    memcpy(hash, bytes, SPAR_HASH_SIZE);
    return SPAR_OK;
}

spar_status spar__sqlite_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                              unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    int64_t first = (int64_t)experiment * SPAR__SQLITE_SPAN;
    bool row;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    if (status)
        return status;
    sqlite3_stmt *head = spar__sqlite_bind(self, SPAR__SQL_head, err, "ii", first + 1, first + SPAR__SQLITE_SPAN - 1);
    status = spar__sqlite_step(self, head, &row, "read", err);
    if (status || !row)
        return status;
    status = take_head(self, experiment, head, sequence, hash, err);
    (void)sqlite3_reset(head);
    return status;
}

typedef struct spar__sqlite_reading {
    spar__sqlite *self;
    sqlite3_stmt *statement;
    int64_t first; /* row of event 0 */
    uint64_t next;
    spar__store_event_fn fn;
    void *context;
} spar__sqlite_reading;

static spar_status give_event(spar__sqlite_reading *r, spar_error *err)
{
    uint64_t sequence = (uint64_t)(sqlite3_column_int64(r->statement, 0) - r->first);
    const unsigned char *body = sqlite3_column_blob(r->statement, 1), *hash = sqlite3_column_blob(r->statement, 2);
    if (sequence != r->next)
        return fail_event(r->self, r->next, "is missing", err);
    if (!body || !hash || sqlite3_column_bytes(r->statement, 2) != SPAR_HASH_SIZE)
        return fail_event(r->self, r->next, "is damaged", err);
    r->next++;
    return r->fn(r->context, sequence, body, (size_t)sqlite3_column_bytes(r->statement, 1), hash, err);
}

static spar_status give_all(spar__sqlite_reading *r, spar_error *err)
{
    bool row = true;
    for (;;) {
        spar_status status = spar__sqlite_step(r->self, r->statement, &row, "read", err);
        if (status == SPAR_CORRUPT)
            return fail_event(r->self, r->next, "cannot be read: the file is damaged there", err);
        if (status || !row)
            return status;
        status = give_event(r, err);
        if (status)
            return status;
    }
}

/* A statement of its own for each reading, so that the one who is told may read other things, too. */
spar_status spar__sqlite_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                              spar__store_event_fn fn, void *context, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    uint64_t most = (uint64_t)SPAR__SQLITE_SPAN - 1;
    spar__sqlite_reading r = {self, NULL, (int64_t)experiment * SPAR__SQLITE_SPAN, from, fn, context};
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    if (status || from > most)
        return status;
    status = spar__sqlite_prepare(self, "SELECT id, body, hash FROM event WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
                                  &r.statement, err);
    if (status)
        return status;
    (void)sqlite3_bind_int64(r.statement, 1, r.first + (int64_t)from);
    (void)sqlite3_bind_int64(r.statement, 2, r.first + (int64_t)(to && to < most ? to : most));
    status = give_all(&r, err);
    (void)sqlite3_finalize(r.statement);
    return status;
}

static sqlite3_stmt *bind_find(spar__sqlite *self, uint64_t experiment, const spar__once *once, spar_error *err)
{
    int64_t e = (int64_t)experiment, high = (int64_t)once->high, low = (int64_t)once->low;
    if (once->kind == SPAR__ONCE_SCREEN)
        return spar__sqlite_bind(self, SPAR__SQL_find_screen, err, "ii", e, high);
    return spar__sqlite_bind(self, once->kind == SPAR__ONCE_ANSWER ? SPAR__SQL_find_answer : SPAR__SQL_find_undo, err,
                             "iii", e, high, low);
}

spar_status spar__sqlite_locate(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence,
                                spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row = false;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    if (status)
        return status;
    sqlite3_stmt *find = bind_find(self, experiment, &once, err);
    status = spar__sqlite_step(self, find, &row, "read", err);
    if (status || !row)
        return status;
    *sequence = (uint64_t)sqlite3_column_int64(find, 0);
    (void)sqlite3_reset(find);
    return SPAR_OK;
}

spar_status spar__sqlite_wait(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds,
                              bool *news, spar_error *err)
{
    double until = spar__clock(CLOCK_MONOTONIC) + 1e6 * milliseconds;
    for (;;) {
        uint64_t last = 0;
        unsigned char hash[SPAR_HASH_SIZE];
        spar_status status = spar__sqlite_head(store, experiment, &last, hash, err);
        *news = last > sequence;
        double left = until - spar__clock(CLOCK_MONOTONIC);
        if (status || *news || left <= 0)
            return status;
        long pause = left < PAUSE * 1e6 ? (long)left : PAUSE * 1000000L;
        (void)nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
}
