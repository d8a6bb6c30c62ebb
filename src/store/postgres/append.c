/* append.c - events, in one transaction and two round trips (postgres.h). */
#include "store/postgres/postgres.h"

#include "store/digest.h"

#include <stdio.h>
#include <string.h>

/* Rows on their way: they are sent a few hundred at a time. */
typedef struct spar__pg_tail {
    spar__postgres *self;
    uint64_t experiment, sequence, screen; /* of the last event; the highest screen */
    unsigned char hash[SPAR_HASH_SIZE];
    spar__pg_array event[6]; /* sequence, once, high, low, body, hash */
    spar__pg_array text[5];  /* kind, owner, version, salt, bytes */
} spar__pg_tail;

static void free_rows(spar__pg_array *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__pg_array_free(&array[i]);
}

/* The queue is flushed before it is full. */
static spar_status make_room(spar__postgres *self, spar_error *err)
{
    return self->flushed || self->n_queued + 8 <= SPAR__PG_QUEUE ? SPAR_OK : spar__pg_flush(self, "append", err);
}

static spar_status send_events(spar__pg_tail *tail, spar_error *err)
{
    spar__pg_array *e = tail->event;
    spar_status status = e->n ? make_room(tail->self, err) : SPAR_OK;
    if (!status && e->n) {
        spar__pg_queue(tail->self, SPAR__PG_events, "iaaaaaa", (int64_t)tail->experiment, &e[0], &e[1], &e[2], &e[3],
                       &e[4], &e[5]);
        spar__pg_expect(tail->self, e->n);
    }
    free_rows(e, 6);
    return status;
}

static spar_status send_texts(spar__pg_tail *tail, spar_error *err)
{
    spar__pg_array *t = tail->text;
    spar_status status = t->n ? make_room(tail->self, err) : SPAR_OK;
    if (!status && t->n) {
        spar__pg_queue(tail->self, SPAR__PG_texts, "iaaaaa", (int64_t)tail->experiment, &t[0], &t[1], &t[2], &t[3],
                       &t[4]);
        spar__pg_expect(tail->self, t->n);
    }
    free_rows(t, 5);
    return status;
}

static spar_status add_event(spar__pg_tail *tail, const spar_event *event, const unsigned char *bytes, size_t length,
                             spar_error *err)
{
    spar__once once = spar__once_of(event);
    spar__pg_array *e = tail->event;
    spar__chain_next(tail->hash, bytes, length, tail->hash);
    spar__pg_add_number(&e[0], ++tail->sequence);
    spar__pg_add_number(&e[1], once.kind);
    spar__pg_add_number(&e[2], once.high);
    spar__pg_add_number(&e[3], once.low);
    spar__pg_add_bytes(&e[4], bytes, length);
    spar__pg_add_bytes(&e[5], tail->hash, sizeof tail->hash);
    if (once.kind == SPAR__ONCE_SCREEN && once.high > tail->screen)
        tail->screen = once.high;
    return e->n < SPAR__PG_CHUNK && e[4].bytes.length < SPAR__PG_PIECE ? SPAR_OK : send_events(tail, err);
}

static spar_status add_text(spar__pg_tail *tail, const spar__store_text *text, spar_error *err)
{
    spar__pg_array *t = tail->text;
    spar__pg_add_number(&t[0], text->kind);
    spar__pg_add_number(&t[1], spar__text_owner(text, tail->sequence));
    spar__pg_add_number(&t[2], text->version);
    spar__pg_add_bytes(&t[3], text->salt, sizeof text->salt);
    spar__pg_add_bytes(&t[4], text->bytes, text->length);
    return t->n < SPAR__PG_CHUNK && t[4].bytes.length < SPAR__PG_PIECE ? SPAR_OK : send_texts(tail, err);
}

static spar_status add_entry(spar__pg_tail *tail, spar__pg_claims *claims, size_t i, spar__store_entry *entry,
                             spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length;
    spar_status status = spar__entry_encode(entry, tail->sequence + 1, &bytes, &length);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (!status)
        status = spar__pg_claim(claims, i, entry, tail->sequence + 1);
    if (status) {
        spar__entry_refuse(entry, status);
        spar_bytes_free(bytes);
        return SPAR_OK;
    }
    status = add_event(tail, entry->event, bytes, length, err);
    memcpy(entry->hash, tail->hash, sizeof entry->hash);
    spar_bytes_free(bytes);
    for (size_t j = 0; j < entry->n_texts && !status; j++)
        status = add_text(tail, &entry->text[j], err);
    return status;
}

/* The rest of the rows, and the new end of the log. */
static spar_status finish(spar__pg_tail *tail, spar_error *err)
{
    spar_status status = send_events(tail, err);
    if (!status)
        status = send_texts(tail, err);
    if (status)
        return status;
    spar__pg_queue(tail->self, SPAR__PG_grow, "iibi", (int64_t)tail->experiment, (int64_t)tail->sequence,
                   (const void *)tail->hash, sizeof tail->hash,
                   tail->screen > INT64_MAX ? (int64_t)0 : (int64_t)tail->screen);
    spar__pg_expect(tail->self, 1);
    return SPAR_OK;
}

static spar_status add_all(spar__pg_tail *tail, spar__pg_claims *claims, size_t n, spar__store_entry *entry,
                           spar_error *err)
{
    char news[48];
    spar__postgres *self = tail->self;
    spar_status status = SPAR_OK;
    tail->sequence = self->end.sequence;
    memcpy(tail->hash, self->end.hash, sizeof tail->hash);
    for (size_t i = 0; i < n && !status; i++)
        status = add_entry(tail, claims, i, &entry[i], err);
    if (!status && tail->sequence == self->end.sequence) { /* all are refused */
        spar__pg_leave(self);
        return SPAR_OK;
    }
    if (!status)
        status = finish(tail, err);
    (void)snprintf(news, sizeof news, "%llu %llu", (unsigned long long)tail->experiment,
                   (unsigned long long)tail->sequence);
    self->news = news;
    return spar__pg_end(self, status, "append", err);
}

/* Takes the lock, where it is not held, and looks up what is taken. */
static spar_status prepare(spar__postgres *self, uint64_t experiment, spar__pg_claims *claims, spar_error *err)
{
    bool locked = self->base.locked != 0;
    size_t first = locked ? 0 : SPAR__PG_AFTER_LOCK;
    if (!locked)
        spar__pg_begin_locked(self, experiment);
    if (!spar__pg_claims_ask(self, experiment, claims) && locked)
        return SPAR_OK;
    spar_status status = spar__pg_flush(self, "append", err);
    if (!status && !locked)
        status = spar__pg_take_lock(self, experiment, err);
    return status ? status : spar__pg_claims_take(self, first, claims, err);
}

spar_status spar__pg_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                            spar_error *err)
{
    spar__pg_tail tail = {.self = (spar__postgres *)store, .experiment = experiment};
    spar__pg_claims *claims = NULL;
    spar_status status = spar__pg_ready(tail.self, err);
    if (status)
        return status;
    if (spar__pg_claims_new(n, entry, &claims))
        status = spar__fail_memory(err);
    if (!status)
        status = prepare(tail.self, experiment, claims, err);
    if (status)
        spar__pg_leave(tail.self);
    else
        status = add_all(&tail, claims, n, entry, err);
    spar__pg_claims_free(claims);
    free_rows(tail.event, 6);
    free_rows(tail.text, 5);
    return status;
}
