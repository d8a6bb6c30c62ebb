/* schema.c - the tables, and how old ones come to the present version (postgres.h).
 *
 * Version 1. Everything that counts is in `event`; with each event stands what the log may hold once only (once, high,
 * low: class.h), so that an index can see to it. `experiment` has the end of each log, which append locks, and
 * `screens`: the number of the next screen is the next value of the sequence plus this, so that numbers begin at 1 and
 * a log that was copied goes on behind its last screen. `text` is what people wrote, `secret` is for servers only.
 *
 * A change of the tables is a new step, from the last version to the next; steps that were released never change. A
 * server that finds its version there needs no right to make or change tables. */
#include "store/postgres/postgres.h"

#include "base/alloc.h"

static const char *const first[] = {
    "CREATE TABLE @.version (number bigint NOT NULL)",
    "CREATE TABLE @.experiment (number bigint PRIMARY KEY, name text COLLATE \"C\" NOT NULL UNIQUE, "
    "sequence bigint NOT NULL, hash bytea NOT NULL, screens bigint NOT NULL, drops bigint NOT NULL) "
    "WITH (fillfactor = 20)",
    "CREATE SEQUENCE @.screens",
    "CREATE TABLE @.event (experiment bigint NOT NULL, sequence bigint NOT NULL, high bigint NOT NULL, "
    "low bigint NOT NULL, once smallint NOT NULL, body bytea NOT NULL, hash bytea NOT NULL, "
    "PRIMARY KEY (experiment, sequence))",
    "CREATE UNIQUE INDEX once ON @.event (experiment, once, high, low) WHERE once > 0",
    "CREATE TABLE @.text (experiment bigint NOT NULL, kind smallint NOT NULL, owner bigint NOT NULL, "
    "version bigint NOT NULL, salt bytea NOT NULL, bytes bytea NOT NULL, "
    "PRIMARY KEY (experiment, kind, owner, version))",
    "CREATE UNIQUE INDEX voter ON @.text (experiment, sha256(bytes)) WHERE kind = 5",
    "CREATE TABLE @.snapshot (experiment bigint NOT NULL, sequence bigint NOT NULL, engine bigint NOT NULL, "
    "hash bytea NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (experiment, sequence))",
    "CREATE TABLE @.secret (name text COLLATE \"C\" PRIMARY KEY, bytes bytea NOT NULL)",
    "INSERT INTO @.version (number) VALUES (0)",
    NULL,
};

static const char *const *const steps[] = {first};

const spar__pg_schema spar__pg_schema_now = {1, steps};

/* What is in the database under the name of the schema. */
typedef struct spar__pg_finds {
    bool schema, version, others; /* the schema; its table of the version; any other table, view, type ... */
    int64_t number;               /* of the version */
} spar__pg_finds;

static spar_status look(spar__postgres *self, spar__pg_finds *found, spar_error *err)
{
    spar__pg_queue(self, SPAR__PG_identify, "s", self->schema);
    spar_status status = spar__pg_flush(self, "open it", err);
    if (status)
        return status;
    const PGresult *row = spar__pg_result(self, 0);
    *found = (spar__pg_finds){spar__pg_number(row, 0, 0) > 0, spar__pg_number(row, 0, 1) > 0,
                              spar__pg_number(row, 0, 2) > 0, 0};
    if (!found->version)
        return SPAR_OK;
    spar__pg_queue(self, SPAR__PG_version, "");
    status = spar__pg_flush(self, "open it", err);
    row = spar__pg_result(self, 0);
    if (!status && spar__pg_number(row, 0, 0) == 1)
        found->number = (int64_t)spar__pg_number(row, 0, 1);
    if (!status && found->number <= 0)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the schema '%s' does not say its version", self->base.name,
                            self->schema);
    return status;
}

/* Is there anything to do? */
static spar_status judge(const spar__postgres *self, const spar__pg_finds *found, int64_t known, spar_error *err)
{
    const char *name = self->base.name;
    if (found->version && found->number > known)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: was made by a newer spar: its schema has version %lld, this one knows %lld", name,
                          (long long)found->number, (long long)known);
    if (found->version && found->number < known && self->base.mode == SPAR__STORE_READ)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: was made by an older spar; a command that writes brings it up to date", name);
    if (found->version)
        return SPAR_OK;
    if (found->others)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: the schema '%s' is that of another program; name one of your own as ?schema=NAME", name,
                          self->schema);
    if (self->base.mode != SPAR__STORE_CREATE)
        return spar__fail(err, SPAR_IO, "%s: there are no experiments: the schema '%s' is %s; spar init makes it", name,
                          self->schema, found->schema ? "empty" : "not there");
    return SPAR_OK;
}

static spar_status queue_step(spar__postgres *self, const char *const *statement, spar_error *err)
{
    for (; *statement; statement++) {
        char *text = spar__pg_text(self, *statement);
        if (!text)
            return spar__fail_memory(err);
        spar__pg_queue_text(self, text);
        spar__free(text);
    }
    return SPAR_OK;
}

/* In the transaction, alone: others that do the same wait. */
static spar_status run_steps(spar__postgres *self, const spar__pg_schema *schema, spar_error *err)
{
    static const char *const make[] = {"CREATE SCHEMA @", NULL};
    spar__pg_finds found;
    spar_status status = look(self, &found, err);
    if (!status)
        status = judge(self, &found, schema->version, err);
    if (status || found.number == schema->version) /* somebody else was quicker */
        return status;
    if (!found.schema)
        status = queue_step(self, make, err);
    for (int64_t v = found.number; v < schema->version && !status; v++)
        status = queue_step(self, schema->step[v], err);
    if (!status)
        spar__pg_queue(self, SPAR__PG_set_version, "i", (int64_t)schema->version);
    return status;
}

static spar_status upgrade(spar__postgres *self, const spar__pg_schema *schema, spar_error *err)
{
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_alone, "s", self->schema);
    spar_status status = spar__pg_flush(self, "make its tables", err);
    if (!status)
        status = run_steps(self, schema, err);
    return spar__pg_end(self, status, "make its tables", err);
}

spar_status spar__pg_set_up(spar__postgres *self, const spar__pg_schema *schema, spar_error *err)
{
    spar__pg_finds found;
    spar_status status = look(self, &found, err);
    if (!status)
        status = judge(self, &found, schema->version, err);
    if (!status && found.number < schema->version)
        status = upgrade(self, schema, err);
    return status;
}
