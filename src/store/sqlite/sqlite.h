/* sqlite.h - FILE or sqlite:FILE, a store in one SQLite database. The files of this folder share what stands here.
 *
 * A write-ahead log with synchronous=FULL: what is committed is on the disk. The lock of the interface is SQLite's own
 * (BEGIN IMMEDIATE), for the whole file. After an error that may have left SQLite and the disk with different ideas of
 * the file (`broken`) the connection is closed and opened again before the next use, which reads the truth from the
 * disk. */
#ifndef SPAR_STORE_SQLITE_H
#define SPAR_STORE_SQLITE_H

#include "base/order.h"
#include "store/class.h"

#include <sqlite3.h>

#define SPAR__SQLITE_ID 0x73706172 /* application_id: "spar" */

/* Event n of experiment e has the row e * SPAN + n: one integer key, so that logs are dense and quick to read. */
#define SPAR__SQLITE_SPAN (INT64_C(1) << 40)

typedef enum spar__sql {
#define SPAR_SQL(name, text) SPAR__SQL_##name,
#include "store/sqlite/statements.def"
#undef SPAR_SQL
    SPAR__SQL_COUNT
} spar__sql;

typedef struct spar__sqlite_imports {
    uint64_t experiment;    /* 0: nothing is known */
    uint64_t indexed, upto; /* the events whose keys these are: indexed + 1 .. upto */
    spar__key_table recent; /* count 0: taken back */
} spar__sqlite_imports;

/* What is known about the write-ahead log (see settle in statement.c). */
typedef enum spar__sqlite_doubt { SPAR__SQLITE_SETTLED, SPAR__SQLITE_NEW, SPAR__SQLITE_FAILED } spar__sqlite_doubt;

typedef struct spar__sqlite {
    spar__store base; /* must come first */
    char *path;       /* with "./" before a bare name, so that SQLite sees nothing special in it */
    sqlite3 *db;
    sqlite3_stmt *statement[SPAR__SQL_COUNT];
    bool broken; /* to be opened again before the next use */
    spar__sqlite_doubt unsettled;
    uint64_t last_screen; /* under the lock: the last number given out, 0: none yet */
    spar__sqlite_imports imports;
    double busy_since; /* the busy handler's */
    char *held;        /* the file that a server has locked, NULL: none */
    int hold;          /* and its descriptor */
    struct spar__sqlite *next_holder;
} spar__sqlite;

/* Versions of the schema: step[v] leads from version v to v + 1, step[0] from nothing. */
typedef struct spar__sqlite_schema {
    int version;
    const char *const *step;
} spar__sqlite_schema;

extern const spar__sqlite_schema spar__sqlite_schema_now;

extern const char *spar__sqlite_vfs;    /* for tests: the name of another VFS */
extern size_t spar__sqlite_most_recent; /* import keys that are not in their table yet; less for tests */

/* connect.c: the connection, and whether the file is ours. ready: opens it again if it is broken. */
spar_status spar__sqlite_connect(spar__sqlite *self, spar_error *err);
void spar__sqlite_disconnect(spar__sqlite *self);
spar_status spar__sqlite_ready(spar__sqlite *self, spar_error *err);
void spar__sqlite_patient(spar__sqlite *self); /* SQLite waits for others */

/* schema.c: makes the tables or brings them to the present version, after a backup. The file is ours or empty. */
spar_status spar__sqlite_upgrade(spar__sqlite *self, const spar__sqlite_schema *schema, int version, spar_error *err);

/* statement.c. fail: the sentence for what SQLite says went wrong ("PATH: cannot VERB: reason"). */
spar_status spar__sqlite_fail(spar__sqlite *self, const char *verb, spar_error *err);
spar_status spar__sqlite_exec(spar__sqlite *self, const char *sql, const char *verb, spar_error *err);
spar_status spar__sqlite_number(spar__sqlite *self, const char *sql, int64_t *out, spar_error *err); /* one number */
spar_status spar__sqlite_prepare(spar__sqlite *self, const char *sql, sqlite3_stmt **out, spar_error *err);

/* A prepared statement with its parameters, kept with the connection: i int64_t, b pointer and size_t, s text. NULL: it
 * failed, with a sentence; the status is that of err. */
sqlite3_stmt *spar__sqlite_bind(spar__sqlite *self, spar__sql id, spar_error *err, const char *types, ...);
spar_status spar__sqlite_bind_status(const spar__sqlite *self);

/* One step: *row tells whether there is a row. The statement is reset when there is none, and after an error. */
spar_status spar__sqlite_step(spar__sqlite *self, sqlite3_stmt *statement, bool *row, const char *verb,
                              spar_error *err);

/* Runs a statement that gives no row; statement NULL: spar__sqlite_bind failed. */
spar_status spar__sqlite_run(spar__sqlite *self, sqlite3_stmt *statement, spar_error *err);

/* A transaction that writes. Under the lock begin does nothing, for it has begun. end commits if status is SPAR_OK,
 * rolls back otherwise, and gives the status of the whole. */
spar_status spar__sqlite_begin(spar__sqlite *self, spar_error *err);
spar_status spar__sqlite_end(spar__sqlite *self, spar_status status, spar_error *err);

/* Is there such an experiment? */
spar_status spar__sqlite_known(spar__sqlite *self, uint64_t experiment, spar_error *err);

/* Ready, and in a transaction, with an experiment that is there. */
spar_status spar__sqlite_enter(spar__sqlite *self, uint64_t experiment, spar_error *err);

/* Copies a column out. */
spar_status spar__sqlite_column(sqlite3_stmt *statement, int column, unsigned char **bytes, size_t *length,
                                spar_error *err);

/* Moves what is committed from the write-ahead log to the file, and empties the log. */
spar_status spar__sqlite_truncate(spar__sqlite *self, spar_error *err);

/* strays.c: looks for what this program does not write. */
spar_status spar__sqlite_check_strays(spar__sqlite *self, spar__store_finding_fn fn, void *context, spar_error *err);

/* care.c: a copy of the database. */
spar_status spar__sqlite_copy(spar__sqlite *self, const char *path, spar_error *err);

/* texts.c: SPAR_CONFLICT, without a sentence, if it is there. */
spar_status spar__sqlite_text_add(spar__sqlite *self, uint64_t experiment, const spar__store_text *text, uint64_t owner,
                                  spar_error *err);

/* imports.c: begin and end around the imports of an append, head: the last event before and after. add: SPAR_CONFLICT,
 * without a sentence, if it is there. forget: after a failure. */
spar_status spar__sqlite_imports_begin(spar__sqlite *self, uint64_t experiment, uint64_t head, spar_error *err);
spar_status spar__sqlite_imports_add(spar__sqlite *self, const spar__once *once, spar_error *err);
void spar__sqlite_imports_take_back(spar__sqlite *self, const spar__once *once);
spar_status spar__sqlite_imports_end(spar__sqlite *self, uint64_t head, spar_error *err);
void spar__sqlite_imports_forget(spar__sqlite *self);

/* read.c */
spar_status spar__sqlite_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                              unsigned char hash[SPAR_HASH_SIZE], spar_error *err);

/* The functions of the class that stand in other files. */
spar_status spar__sqlite_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                                spar_error *err);
spar_status spar__sqlite_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                              spar__store_event_fn fn, void *context, spar_error *err);
spar_status spar__sqlite_locate(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence,
                                spar_error *err);
spar_status spar__sqlite_wait(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds,
                              bool *news, spar_error *err);
spar_status spar__sqlite_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                  uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                                  size_t *length, spar_error *err);
spar_status spar__sqlite_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind,
                                   spar__store_text_fn fn, void *context, spar_error *err);
spar_status spar__sqlite_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text,
                                  spar_error *err);
spar_status spar__sqlite_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                   spar__text_dropped *dropped, spar_error *err);
spar_status spar__sqlite_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);
spar_status spar__sqlite_voter(spar__store *store, uint64_t experiment, const char *name, size_t length,
                               uint64_t *voter, spar_error *err);
spar_status spar__sqlite_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                      const unsigned char *bytes, size_t length, spar_error *err);
spar_status spar__sqlite_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                      spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                      spar_error *err);
spar_status spar__sqlite_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                       size_t *n, spar_error *err);
spar_status spar__sqlite_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                       spar_error *err);
spar_status spar__sqlite_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                    spar_error *err);
spar_status spar__sqlite_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err);
spar_status spar__sqlite_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                    spar_error *err);
spar_status spar__sqlite_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                     spar_error *err);
spar_status spar__sqlite_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err);
spar_status spar__sqlite_secret_drop(spar__store *store, const char *name, spar_error *err);
spar_status spar__sqlite_backup(spar__store *store, const char *path, spar_error *err);
spar_status spar__sqlite_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);
spar_status spar__sqlite_hold(spar__store *store, spar_error *err);
void spar__sqlite_unhold(spar__sqlite *self);
spar_status spar__sqlite_stand_in(const char *path, const spar__store_class **cls, spar_error *err);
spar_status spar__sqlite_fail_held(const char *path, spar_error *err); /* that it is served already */
extern const spar__store_class spar__store_served;

#endif
