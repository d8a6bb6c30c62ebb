/* care.c - backups, and looking for damage in the rows (postgres.h). */
#include "store/postgres/postgres.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

spar_status spar__pg_backup(spar__store *store, const char *path, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "%s: %s is not made: a database is saved by PostgreSQL's own means, like pg_dump --schema=%s; "
                      "spar copy writes an experiment to a file",
                      store->name, path, ((spar__postgres *)store)->schema);
}

typedef struct spar__pg_audit {
    spar__postgres *self;
    spar__store_finding_fn fn;
    void *context;
    spar_error *err; /* the caller's */
    spar_event *event;
    uint64_t experiment, next, last;
    unsigned char hash[SPAR_HASH_SIZE]; /* of the last event */
} spar__pg_audit;

static void SPAR__PRINTF(2, 3) report(const spar__pg_audit *audit, const char *format, ...)
{
    char sentence[640];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    audit->fn(audit->context, sentence);
}

/* What stands with the event for the index is what its bytes say. */
static void audit_event(spar__pg_audit *audit, const PGresult *rows, int r)
{
    spar_error why = {0};
    size_t length, size;
    const unsigned char *body = spar__pg_bytes(rows, r, 4, &length), *hash = spar__pg_bytes(rows, r, 5, &size);
    unsigned long long number = audit->next;
    if (size == SPAR_HASH_SIZE)
        memcpy(audit->hash, hash, SPAR_HASH_SIZE);
    if (spar_event_decode(audit->event, body, length, &why)) {
        report(audit, "event %llu is damaged: %s", number, why.text);
        return;
    }
    spar__once once = spar__once_of(audit->event);
    if (spar__pg_number(rows, r, 1) != once.kind || spar__pg_number(rows, r, 2) != once.high ||
        spar__pg_number(rows, r, 3) != once.low)
        report(audit, "event %llu is not the one that its row names", number);
}

/* Some events, up to one that is missing. */
static spar_status audit_piece(spar__pg_audit *audit, spar_error *err)
{
    uint64_t last = audit->last - audit->next < SPAR__PG_CHUNK ? audit->last : audit->next + SPAR__PG_CHUNK - 1;
    spar__pg_queue(audit->self, SPAR__PG_audit, "iii", (int64_t)audit->experiment, (int64_t)audit->next, (int64_t)last);
    spar_status status = spar__pg_flush(audit->self, "check", err);
    if (status)
        return status;
    const PGresult *rows = spar__pg_result(audit->self, 0);
    for (int r = 0; r < PQntuples(rows); r++, audit->next++) {
        if (spar__pg_number(rows, r, 0) != audit->next)
            break;
        audit_event(audit, rows, r);
    }
    if (audit->next <= last)
        return spar__fail(err, SPAR_CORRUPT, "event %llu is missing; the log has %llu", (unsigned long long)audit->next,
                          (unsigned long long)audit->last);
    return SPAR_OK;
}

/* What the row of the experiment says about its log. */
static spar_status audit_ends(const spar__pg_audit *audit, const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__pg_queue(audit->self, SPAR__PG_ends, "ii", (int64_t)audit->experiment, (int64_t)audit->last);
    spar_status status = spar__pg_flush(audit->self, "check", err);
    if (status)
        return status;
    const PGresult *row = spar__pg_result(audit->self, 0);
    unsigned long long beyond = PQntuples(row) ? spar__pg_number(row, 0, 0) : 0;
    if (memcmp(hash, audit->hash, SPAR_HASH_SIZE) != 0)
        report(audit, "the hash of the head is not that of the last event, %llu", (unsigned long long)audit->last);
    if (beyond)
        report(audit, "events that are not between the first and the last, %llu: %llu", (unsigned long long)audit->last,
               beyond);
    if (PQntuples(row) && spar__pg_number(row, 0, 1))
        report(audit, "the numbers for screens are not beyond that of the last screen");
    return SPAR_OK;
}

static spar_status audit_whole(spar__pg_audit *audit, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__pg_head(&audit->self->base, audit->experiment, &audit->last, hash, err);
    memset(audit->hash, 0, sizeof audit->hash);
    audit->next = 1;
    while (!status && audit->next <= audit->last)
        status = audit_piece(audit, err);
    return status ? status : audit_ends(audit, hash, err);
}

static spar_status audit_log(void *context, uint64_t experiment, const char *name)
{
    spar__pg_audit *audit = context;
    spar_error err = {0};
    (void)name;
    audit->experiment = experiment;
    spar_status status = audit_whole(audit, &err);
    if (status != SPAR_CORRUPT)
        return status ? spar__fail(audit->err, status, "%s", err.text) : SPAR_OK;
    audit->fn(audit->context, err.text);
    return spar__pg_ready(audit->self, audit->err);
}

spar_status spar__pg_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    spar__pg_audit audit = {.self = (spar__postgres *)store, .fn = fn, .context = context, .err = err};
    spar_status status = spar__pg_ready(audit.self, err);
    if (!status)
        status = spar__pg_check_strays(audit.self, fn, context, err);
    if (status)
        return status;
    if (spar_event_new(&audit.event))
        return spar__fail_memory(err);
    status = store->cls->experiments(store, audit_log, &audit, err);
    spar_event_free(audit.event);
    return status;
}
