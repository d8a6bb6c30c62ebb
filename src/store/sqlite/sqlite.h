/* sqlite.h - FILE or sqlite:FILE, a store in one SQLite database; and memory:NAME, one in the memory of this process.
 * The files of this folder share what stands here.
 *
 * A write-ahead log with synchronous=FULL: what is committed is on the disk. The lock of the interface is SQLite's own
 * (BEGIN IMMEDIATE), for the whole file: servers and shell commands write to it alike. After an error that may have
 * left SQLite and the disk with different ideas of the file (`broken`) the connection is closed and opened again before
 * the next use, which reads the truth from the disk. */
#ifndef SPAR_STORE_SQLITE_H
#define SPAR_STORE_SQLITE_H

#include "base/order.h"
#include "store/class.h"

#include <sqlite3.h>

#define SPAR__SQLITE_ID 0x73706172 /* application_id: "spar" */

/* Event n of experiment e has the row e * SPAN + n: one integer key, so that logs are dense and quick to read. */
#define SPAR__SQLITE_SPAN (INT64_C(1) << 40)

typedef struct spar__sqlite_imports {
    uint64_t experiment;    /* 0: nothing is known */
    uint64_t indexed, upto; /* the events whose keys these are: indexed + 1 .. upto */
    spar__key_table recent; /* count 0: taken back */
} spar__sqlite_imports;

/* What is known about the write-ahead log (see spar__sqlite_settle). */
typedef enum spar__sqlite_doubt { SPAR__SQLITE_SETTLED, SPAR__SQLITE_NEW, SPAR__SQLITE_FAILED } spar__sqlite_doubt;

typedef struct spar__sqlite {
    spar__store base; /* must come first */
    char *path;       /* with "./" before a bare name, so that SQLite sees nothing special in it; in memory, the name */
    bool memory;
    sqlite3 *db;
    sqlite3 *gate; /* whose lock is that of a database in memory; NULL: it is a file */
    sqlite3_stmt *statement[SPAR__SQL_COUNT];
    bool broken; /* to be opened again before the next use */
    spar__sqlite_doubt unsettled;
    uint64_t last_screen; /* under the lock: the last number given out, 0: none yet */
    spar__sqlite_imports imports;
    double busy_since; /* the busy handler's */
    long server;       /* the process that served the file when it was opened, 0: none */
    char *held;        /* the file that a server has locked, NULL: none */
    int hold;          /* and its descriptor */
} spar__sqlite;

/* Versions of the schema: step[v] leads from version v to v + 1, step[0] from nothing. */
typedef struct spar__sqlite_schema {
    int version;
    const char *const *step;
} spar__sqlite_schema;

extern const spar__sqlite_schema spar__sqlite_schema_now;

extern const char *spar__sqlite_vfs;    /* for tests: the name of another VFS */
extern size_t spar__sqlite_most_recent; /* import keys that are not in their table yet; less for tests */

/* connect.c: the connection, and whether the file is ours. ready: opens it again if it is broken. upgrade: makes the
 * tables or brings them to the present version, after a backup; the file is ours or empty. */
spar_status spar__sqlite_connect(spar__sqlite *self, spar_error *err);
void spar__sqlite_disconnect(spar__sqlite *self);
spar_status spar__sqlite_ready(spar__sqlite *self, spar_error *err);
void spar__sqlite_patient(spar__sqlite *self); /* SQLite waits for others */
spar_status spar__sqlite_upgrade(spar__sqlite *self, const spar__sqlite_schema *schema, int version, spar_error *err);

/* connect.c: the lock that a server has for its life. is_served: one has had it since before the file was opened. */
spar_status spar__sqlite_is_served(const spar__sqlite *self, bool *served, spar_error *err);
spar_status spar__sqlite_hold(spar__store *store, spar_error *err);
void spar__sqlite_unhold(spar__sqlite *self);

/* statement.c. fail: the sentence for what SQLite says went wrong ("PATH: cannot VERB: reason"). */
spar_status spar__sqlite_fail(spar__sqlite *self, const char *verb, spar_error *err);
spar_status spar__sqlite_exec(spar__sqlite *self, const char *sql, const char *verb, spar_error *err);
spar_status spar__sqlite_number(spar__sqlite *self, const char *sql, int64_t *out, spar_error *err); /* one number */
spar_status spar__sqlite_prepare(spar__sqlite *self, const char *sql, sqlite3_stmt **out, spar_error *err);

/* A prepared statement with its parameters (see run in class.h), kept with the connection. NULL: it failed, with a
 * sentence; step and run then give its status. */
sqlite3_stmt *spar__sqlite_bind(spar__sqlite *self, spar__sql id, spar_error *err, const char *types, ...);

/* One step: *row tells whether there is a row. The statement is reset when there is none, and after an error. */
spar_status spar__sqlite_step(spar__sqlite *self, sqlite3_stmt *statement, bool *row, const char *verb,
                              spar_error *err);

/* Runs a statement that gives no row. */
spar_status spar__sqlite_run(spar__sqlite *self, sqlite3_stmt *statement, spar_error *err);

/* The number that a statement gives; *row: is there one? */
spar_status spar__sqlite_ask(spar__sqlite *self, sqlite3_stmt *statement, bool *row, uint64_t *number, spar_error *err);

/* A transaction that writes. Under the lock begin does nothing, for it has begun. end commits if status is SPAR_OK,
 * rolls back otherwise, and gives the status of the whole. */
spar_status spar__sqlite_begin(spar__sqlite *self, spar_error *err);
spar_status spar__sqlite_end(spar__sqlite *self, spar_status status, spar_error *err);

/* What stands in the write-ahead log is on the disk, whoever wrote it (statement.c). */
spar_status spar__sqlite_settle(spar__sqlite *self, spar_error *err);

/* Is there such an experiment? */
spar_status spar__sqlite_known(spar__sqlite *self, uint64_t experiment, spar_error *err);

/* Moves what is committed from the write-ahead log to the file, and empties the log. */
spar_status spar__sqlite_truncate(spar__sqlite *self, spar_error *err);

/* audit.c: a copy of the database. */
spar_status spar__sqlite_copy(spar__sqlite *self, const char *path, spar_error *err);

/* The functions of the class that stand in other files. */
spar_status spar__sqlite_call(spar__store *store, spar__sql_call *call, const char *types, va_list args,
                              spar_error *err);
uint64_t spar__sqlite_column_number(const spar__sql_row *row, int column);
const unsigned char *spar__sqlite_column_bytes(const spar__sql_row *row, int column, size_t *length);
uint64_t spar__sqlite_copied_number(const spar__sql_row *row, int column); /* of a database in memory */
const unsigned char *spar__sqlite_copied_bytes(const spar__sql_row *row, int column, size_t *length);
spar_status spar__sqlite_enter(spar__store *store, uint64_t experiment, spar_error *err); /* begin of the class */
spar_status spar__sqlite_leave(spar__store *store, spar_status status, spar_error *err);  /* end of the class */
spar_status spar__sqlite_backup(spar__store *store, const char *path, spar_error *err);
spar_status spar__sqlite_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);

#endif
