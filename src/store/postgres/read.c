/* read.c - events out of the database, and news of them (postgres.h). */
#include "store/postgres/postgres.h"

#include "base/clock.h"

#include <poll.h>
#include <string.h>

enum { PAUSE = 200, POOLED_PAUSE = 25 /* milliseconds between looks for news, with and without LISTEN */ };

/* Under the lock it is what the lock has found: nobody else can have changed it. */
spar_status spar__pg_look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    if (store->locked == experiment) {
        *mark = self->end;
        return SPAR_OK;
    }
    spar__pg_queue(self, SPAR__PG_head, "i", (int64_t)experiment);
    status = spar__pg_flush(self, "read", err);
    return status ? status : spar__pg_take_head(self, 0, experiment, mark, err);
}

spar_status spar__pg_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                          unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__store_mark mark;
    spar_status status = spar__pg_look(store, experiment, &mark, err);
    if (status)
        return status;
    *sequence = mark.sequence;
    memcpy(hash, mark.hash, SPAR_HASH_SIZE);
    return SPAR_OK;
}

typedef struct spar__pg_reading {
    spar__postgres *self;
    uint64_t experiment, next, last;
    spar__store_event_fn fn;
    void *context;
} spar__pg_reading;

static spar_status fail_event(const spar__pg_reading *r, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_CORRUPT, "%s: event %llu %s; the events before it can be read", r->self->base.name,
                      (unsigned long long)r->next, what);
}

static spar_status give_events(spar__pg_reading *r, const PGresult *events, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (int row = 0; row < PQntuples(events) && !status && r->next <= r->last; row++) {
        size_t length, size;
        const unsigned char *body = spar__pg_bytes(events, row, 1, &length);
        const unsigned char *hash = spar__pg_bytes(events, row, 2, &size);
        if (spar__pg_number(events, row, 0) != r->next)
            return fail_event(r, "is missing", err);
        if (size != SPAR_HASH_SIZE)
            return fail_event(r, "is damaged", err);
        r->next++;
        status = r->fn(r->context, r->next - 1, body, length, hash, err);
    }
    return status;
}

static void ask_piece(spar__pg_reading *r)
{
    uint64_t last = r->last - r->next < SPAR__PG_CHUNK ? r->last : r->next + SPAR__PG_CHUNK - 1;
    spar__pg_queue(r->self, SPAR__PG_read, "iii", (int64_t)r->experiment, (int64_t)r->next, (int64_t)last);
}

/* A piece of the log, which is result i; who is told of it may use the store meanwhile. */
static spar_status take_piece(spar__pg_reading *r, size_t i, spar_error *err)
{
    uint64_t last = r->last - r->next < SPAR__PG_CHUNK ? r->last : r->next + SPAR__PG_CHUNK - 1;
    PGresult *events = spar__pg_keep(r->self, i);
    spar_status status = give_events(r, events, err);
    PQclear(events);
    return !status && r->next <= last ? fail_event(r, "is missing", err) : status;
}

static spar_status read_piece(spar__pg_reading *r, spar_error *err)
{
    spar_status status = spar__pg_ready(r->self, err);
    if (status)
        return status;
    ask_piece(r);
    status = spar__pg_flush(r->self, "read", err);
    return status ? status : take_piece(r, 0, err);
}

/* Where the log ends, and with that the first piece: of all that there may be, what there is. */
static spar_status read_first(spar__pg_reading *r, spar_error *err)
{
    spar_status status = spar__pg_ready(r->self, err);
    if (status)
        return status;
    spar__pg_queue(r->self, SPAR__PG_head, "i", (int64_t)r->experiment);
    ask_piece(r);
    spar__store_mark mark;
    status = spar__pg_flush(r->self, "read", err);
    if (!status)
        status = spar__pg_take_head(r->self, 0, r->experiment, &mark, err);
    if (status)
        return status;
    r->last = r->last < mark.sequence ? r->last : mark.sequence;
    return r->next <= r->last ? take_piece(r, 1, err) : SPAR_OK;
}

spar_status spar__pg_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to, spar__store_event_fn fn,
                          void *context, spar_error *err)
{
    spar__pg_reading r = {(spar__postgres *)store, experiment, from, to ? to : INT64_MAX, fn, context};
    if (from > r.last || from > INT64_MAX) /* nothing, of an experiment that is there */
        r.last = r.next = INT64_MAX;
    spar_status status = read_first(&r, err);
    while (!status && r.next <= r.last)
        status = read_piece(&r, err);
    return status;
}

spar_status spar__pg_locate(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence,
                            spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_head, "i", (int64_t)experiment);
    spar__pg_queue(self, SPAR__PG_locate, "iiii", (int64_t)experiment, (int64_t)once.kind, (int64_t)once.high,
                   (int64_t)once.low);
    status = spar__pg_flush(self, "read", err);
    if (!status && spar__pg_rows(self, 0) == 0)
        return spar__pg_fail_unknown(self, experiment, err);
    if (!status && spar__pg_rows(self, 1) > 0)
        *sequence = spar__pg_number(spar__pg_result(self, 1), 0, 0);
    return status;
}

/* --- news --- */

/* A standby refuses LISTEN: then news are found by looking for them, as with a pooler. */
static void listen_for_news(spar__postgres *self)
{
    if (self->listening || self->pooled || self->base.locked)
        return;
    self->listening = true;
    spar__pg_queue(self, SPAR__PG_listen, "");
    (void)spar__pg_flush(self, "listen", NULL);
}

/* Until somebody says something, at most that many milliseconds. */
static void doze(spar__postgres *self, int milliseconds)
{
    struct pollfd one = {.fd = PQsocket(self->conn), .events = POLLIN};
    if (spar__pg_take_notices(self))
        return;
    if (poll(&one, 1, milliseconds) > 0 && !PQconsumeInput(self->conn))
        self->broken = true;
    (void)spar__pg_take_notices(self);
}

spar_status spar__pg_wait(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds, bool *news,
                          spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    double until = spar__clock_wall() + 1e6 * milliseconds;
    spar_status status = spar__pg_ready(self, err);
    while (!status) {
        uint64_t last = 0;
        unsigned char hash[SPAR_HASH_SIZE];
        listen_for_news(self);
        status = spar__pg_head(store, experiment, &last, hash, err);
        *news = last > sequence;
        double left = (until - spar__clock_wall()) / 1e6, pause = self->pooled ? POOLED_PAUSE : PAUSE;
        if (status || *news || left <= 0)
            break;
        doze(self, 1 + (int)(left < pause ? left : pause));
    }
    return status;
}
