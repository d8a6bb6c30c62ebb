/* schema.c - the tables, and how old files come to the present version (sqlite.h).
 *
 * Version 1. Everything that counts is in `event`; screen, answer, undo (with the number of the event that has it) and
 * imported (see imports.c) hold what may be there once only, and text what people wrote. experiment.screens is the last
 * number that was reserved for a screen. Owners and screens are unsigned numbers of 64 bits in SQLite's signed ones.
 *
 * A change of the tables is a new step, from the last version to the next; steps that were released never change, and
 * tests/golden gets a file of the new version. */
#include "store/sqlite/sqlite.h"

#include "base/buf.h"

#include <unistd.h>

static const char *const steps[] = {
    "CREATE TABLE experiment (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, screens INTEGER NOT NULL, "
    "indexed INTEGER NOT NULL) STRICT;"
    "CREATE TABLE event (id INTEGER PRIMARY KEY, body BLOB NOT NULL, hash BLOB NOT NULL) STRICT;"
    "CREATE TABLE screen (experiment INTEGER NOT NULL, number INTEGER NOT NULL, event INTEGER NOT NULL, "
    "PRIMARY KEY (experiment, number)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE answer (experiment INTEGER NOT NULL, screen INTEGER NOT NULL, revision INTEGER NOT NULL, "
    "event INTEGER NOT NULL, "
    "PRIMARY KEY (experiment, screen, revision)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE undo (experiment INTEGER NOT NULL, screen INTEGER NOT NULL, revision INTEGER NOT NULL, "
    "event INTEGER NOT NULL, "
    "PRIMARY KEY (experiment, screen, revision)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE imported (experiment INTEGER NOT NULL, key BLOB NOT NULL, "
    "PRIMARY KEY (experiment, key)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE text (experiment INTEGER NOT NULL REFERENCES experiment, kind INTEGER NOT NULL, "
    "owner INTEGER NOT NULL, version INTEGER NOT NULL, salt BLOB NOT NULL, bytes BLOB NOT NULL, "
    "PRIMARY KEY (experiment, kind, owner, version)) STRICT, WITHOUT ROWID;"
    "CREATE UNIQUE INDEX voter ON text (experiment, bytes) WHERE kind = 5;"
    "CREATE TABLE snapshot (experiment INTEGER NOT NULL REFERENCES experiment, sequence INTEGER NOT NULL, "
    "engine INTEGER NOT NULL, hash BLOB NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (experiment, sequence)) STRICT;"
    "CREATE TABLE secret (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID;",
};

const spar__sqlite_schema spar__sqlite_schema_now = {1, steps};

/* PATH.version-1.bak, or with -2, -3 ... behind the number if that is there. */
static spar_status save_old(spar__sqlite *self, int version, spar_error *err)
{
    spar__buf name = {0};
    for (int i = 1; i < 1000; i++) {
        spar__buf_clear(&name);
        spar__buf_printf(&name, "%s.version-%d", self->path, version);
        spar__buf_printf(&name, i > 1 ? "-%d.bak" : ".bak", i);
        if (name.failed || access(name.text, F_OK) != 0)
            break;
    }
    spar_status status = name.failed ? spar__fail_memory(err) : spar__sqlite_copy(self, name.text, err);
    spar__buf_free(&name);
    return status;
}

static spar_status run_steps(spar__sqlite *self, const spar__sqlite_schema *schema, int version, spar_error *err)
{
    char pragmas[96];
    spar_status status = SPAR_OK;
    for (int v = version; v < schema->version && !status; v++)
        status = spar__sqlite_exec(self, schema->step[v], "bring it up to date", err);
    (void)sqlite3_snprintf(sizeof pragmas, pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                           SPAR__SQLITE_ID, schema->version);
    return status ? status : spar__sqlite_exec(self, pragmas, "bring it up to date", err);
}

spar_status spar__sqlite_upgrade(spar__sqlite *self, const spar__sqlite_schema *schema, int version, spar_error *err)
{
    int64_t now = 0;
    spar_status status = version > 0 ? save_old(self, version, err) : SPAR_OK;
    if (!status)
        status = spar__sqlite_begin(self, err);
    if (status)
        return status;
    status = spar__sqlite_number(self, "PRAGMA user_version", &now, err);
    if (!status && now == version) /* else somebody else was quicker */
        status = run_steps(self, schema, version, err);
    return spar__sqlite_end(self, status, err);
}
