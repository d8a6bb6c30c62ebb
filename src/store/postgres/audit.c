/* audit.c - looking for damage in the rows, and for what is in the schema and was not made by this program, or is
 * missing: tables, columns, indices, triggers, rows of no experiment (postgres.h). */
#include "store/postgres/postgres.h"

#include <string.h>

spar_status spar__pg_backup(spar__store *store, const char *path, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "%s: %s is not made: a database is saved by PostgreSQL's own means, like pg_dump --schema=%s; "
                      "spar copy writes an experiment to a file",
                      store->name, path, ((spar__postgres *)store)->schema);
}

/* --- orphans: what others made --- */

/* As PostgreSQL describes what connect.c makes. Others may add indices that are not unique. */
static const char *const parts[] = {
    "column event.body bytea",
    "column event.experiment bigint",
    "column event.hash bytea",
    "column event.high bigint",
    "column event.low bigint",
    "column event.once smallint",
    "column event.sequence bigint",
    "column experiment.drops bigint",
    "column experiment.hash bytea",
    "column experiment.name text",
    "column experiment.number bigint",
    "column experiment.screens bigint",
    "column experiment.sequence bigint",
    "column secret.bytes bytea",
    "column secret.name text",
    "column snapshot.bytes bytea",
    "column snapshot.engine bigint",
    "column snapshot.experiment bigint",
    "column snapshot.hash bytea",
    "column snapshot.sequence bigint",
    "column text.bytes bytea",
    "column text.experiment bigint",
    "column text.kind smallint",
    "column text.owner bigint",
    "column text.salt bytea",
    "column text.version bigint",
    "column version.number bigint",
    "index event (experiment, once, high, low) WHERE (once > 0)",
    "index event (experiment, sequence)",
    "index experiment (name)",
    "index experiment (number)",
    "index secret (name)",
    "index snapshot (experiment, sequence)",
    "index text (experiment, kind, owner, version)",
    "index text (experiment, sha256(bytes)) WHERE (kind = 5)",
    "relation S screens",
    "relation r event",
    "relation r experiment",
    "relation r secret",
    "relation r snapshot",
    "relation r text",
    "relation r version",
};

enum { N_PARTS = sizeof parts / sizeof *parts };

/* The name for people: without the letter of PostgreSQL for its kind. */
static const char *shown(const char *part)
{
    return strncmp(part, "relation ", 9) == 0 ? part + 11 : part;
}

static void report(spar__store_finding_fn fn, void *context, const char *part, const char *words)
{
    spar__report(fn, context, "the tables: '%.200s' %s", shown(part), words);
}

static void compare(const PGresult *rows, spar__store_finding_fn fn, void *context)
{
    bool there[N_PARTS] = {false};
    for (int r = 0; r < PQntuples(rows); r++) {
        const char *part = PQgetvalue(rows, r, 0);
        size_t i = 0;
        while (i < N_PARTS && strcmp(parts[i], part) != 0)
            i++;
        if (i < N_PARTS)
            there[i] = true;
        else
            report(fn, context, part, "was not made by this program");
    }
    for (size_t i = 0; i < N_PARTS; i++)
        if (!there[i])
            report(fn, context, parts[i], "is missing, or was changed");
}

static spar_status check_orphans(spar__postgres *self, spar__store_finding_fn fn, void *context, spar_error *err)
{
    static const char *const tables[] = {"event", "text", "snapshot"};
    spar__pg_queue(self, SPAR__SQL_parts, "s", self->schema);
    spar_status status = spar__pg_flush(self, "check", err);
    if (status)
        return status;
    compare(spar__pg_result(self, 0), fn, context);
    spar__pg_queue(self, SPAR__SQL_orphans, "");
    status = spar__pg_flush(self, "check", err);
    for (int i = 0; i < 3 && !status; i++) {
        uint64_t n = spar__pg_number(spar__pg_result(self, 0), 0, i);
        if (n)
            spar__report(fn, context, "rows in the table '%s' that belong to no experiment: %llu", tables[i],
                         (unsigned long long)n);
    }
    return status;
}

/* --- damage --- */

typedef struct log_audit {
    spar__postgres *self;
    spar__store_finding_fn fn;
    void *context;
    spar_error *err; /* the caller's */
    spar_event *event;
    uint64_t experiment, next, last;
    unsigned char hash[SPAR_HASH_SIZE]; /* of the last event */
} log_audit;

/* What stands with the event for the index is what its bytes say. */
static spar_status audit_event(log_audit *audit, const PGresult *rows, int r, spar_error *err)
{
    spar_error why = {0};
    size_t length, size;
    const unsigned char *body = spar__pg_bytes(rows, r, 4, &length), *hash = spar__pg_bytes(rows, r, 5, &size);
    unsigned long long number = audit->next;
    if (size == SPAR_HASH_SIZE)
        memcpy(audit->hash, hash, SPAR_HASH_SIZE);
    spar_status status = spar_event_decode(audit->event, body, length, &why);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status) {
        spar__report(audit->fn, audit->context, "event %llu is damaged: %s", number, why.text);
        return SPAR_OK;
    }
    spar__unique_key key = spar__unique_key_of(audit->event);
    if (spar__pg_number(rows, r, 1) != key.kind || spar__pg_number(rows, r, 2) != key.high ||
        spar__pg_number(rows, r, 3) != key.low)
        spar__report(audit->fn, audit->context, "event %llu is not the one that its row names", number);
    return SPAR_OK;
}

/* Some events, up to one that is missing. */
static spar_status audit_piece(log_audit *audit, spar_error *err)
{
    uint64_t last = audit->last - audit->next < SPAR__PG_CHUNK ? audit->last : audit->next + SPAR__PG_CHUNK - 1;
    spar__pg_queue(audit->self, SPAR__SQL_audit, "iii", (int64_t)audit->experiment, (int64_t)audit->next,
                   (int64_t)last);
    spar_status status = spar__pg_flush(audit->self, "check", err);
    if (status)
        return status;
    const PGresult *rows = spar__pg_result(audit->self, 0);
    for (int r = 0; r < PQntuples(rows) && !status && spar__pg_number(rows, r, 0) == audit->next; r++, audit->next++)
        status = audit_event(audit, rows, r, err);
    if (!status && audit->next <= last)
        return spar__fail(err, SPAR_CORRUPT, "event %llu is missing; the log has %llu", (unsigned long long)audit->next,
                          (unsigned long long)audit->last);
    return status;
}

/* What the row of the experiment says about its log. */
static spar_status audit_ends(const log_audit *audit, const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__pg_queue(audit->self, SPAR__SQL_ends, "ii", (int64_t)audit->experiment, (int64_t)audit->last);
    spar_status status = spar__pg_flush(audit->self, "check", err);
    if (status)
        return status;
    const PGresult *row = spar__pg_result(audit->self, 0);
    unsigned long long beyond = PQntuples(row) ? spar__pg_number(row, 0, 0) : 0;
    if (memcmp(hash, audit->hash, SPAR_HASH_SIZE) != 0)
        spar__report(audit->fn, audit->context, "the hash of the head is not that of the last event, %llu",
                     (unsigned long long)audit->last);
    if (beyond)
        spar__report(audit->fn, audit->context, "events that are not between the first and the last, %llu: %llu",
                     (unsigned long long)audit->last, beyond);
    if (PQntuples(row) && spar__pg_number(row, 0, 1))
        spar__report(audit->fn, audit->context, "the numbers for screens are not beyond that of the last screen");
    return SPAR_OK;
}

static spar_status audit_whole(log_audit *audit, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__store_head(&audit->self->base, audit->experiment, &audit->last, hash, err);
    memset(audit->hash, 0, sizeof audit->hash);
    audit->next = 1;
    while (!status && audit->next <= audit->last)
        status = audit_piece(audit, err);
    return status ? status : audit_ends(audit, hash, err);
}

static spar_status audit_log(void *context, uint64_t experiment, const char *name)
{
    log_audit *audit = context;
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
    log_audit audit = {.self = (spar__postgres *)store, .fn = fn, .context = context, .err = err};
    spar_status status = spar__pg_ready(audit.self, err);
    if (!status)
        status = check_orphans(audit.self, fn, context, err);
    if (status)
        return status;
    if (spar_event_new(&audit.event))
        return spar__fail_memory(err);
    status = spar__store_experiments(store, audit_log, &audit, err);
    spar_event_free(audit.event);
    return status;
}
