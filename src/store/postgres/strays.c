/* strays.c - what is in the schema and was not made by this program, or is missing: tables, columns, indices, triggers,
 * rows of no experiment (postgres.h). */
#include "store/postgres/postgres.h"

#include <stdio.h>
#include <string.h>

/* As PostgreSQL describes what schema.c makes. Others may add indices that are not unique. */
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
    char sentence[300];
    (void)snprintf(sentence, sizeof sentence, "the tables: '%.200s' %s", shown(part), words);
    fn(context, sentence);
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

spar_status spar__pg_check_strays(spar__postgres *self, spar__store_finding_fn fn, void *context, spar_error *err)
{
    static const char *const tables[] = {"event", "text", "snapshot"};
    spar__pg_queue(self, SPAR__PG_parts, "s", self->schema);
    spar_status status = spar__pg_flush(self, "check", err);
    if (status)
        return status;
    compare(spar__pg_result(self, 0), fn, context);
    spar__pg_queue(self, SPAR__PG_strays, "");
    status = spar__pg_flush(self, "check", err);
    for (int i = 0; i < 3 && !status; i++) {
        uint64_t n = spar__pg_number(spar__pg_result(self, 0), 0, i);
        char sentence[120];
        (void)snprintf(sentence, sizeof sentence, "rows in the table '%s' that belong to no experiment: %llu",
                       tables[i], (unsigned long long)n);
        if (n)
            fn(context, sentence);
    }
    return status;
}
