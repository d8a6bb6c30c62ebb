/* class.h - what a kind of store is made of. Only the files of src/store see this.
 *
 * Every store is tables in an SQL database, and what is said to a database stands in statements.def. store.c
 * checks what can be checked for every kind (modes, names, the lock), and says it through the few functions of a class:
 * connection and errors, transactions and the lock, the append. A class file has one const struct at its foot and one
 * line in stores.def. */
#ifndef SPAR_STORE_CLASS_H
#define SPAR_STORE_CLASS_H

#include "store/store.h"

#include <stdarg.h>
#include <stdatomic.h>

struct spar__store {
    const spar__store_class *cls;
    char *name;            /* for messages; made by open */
    spar__store_mode mode; /* open may lower what it was given, never raise it */
    uint64_t locked;       /* the experiment whose lock this store holds, 0: none */
};

/* --- unique keys --- */

/* What the log may hold once only. Two words say it: of an import the first 16 bytes of the SHA-256 of its key, which
 * may be any bytes; else screen and revision. */
typedef enum spar__key_kind {
    SPAR__KEY_NONE,
    SPAR__KEY_SCREEN,
    SPAR__KEY_ANSWER,
    SPAR__KEY_UNDO,
    SPAR__KEY_IMPORT,
    SPAR__KEY_KINDS
} spar__key_kind;

typedef struct spar__unique_key {
    spar__key_kind kind;
    uint64_t high, low;
} spar__unique_key;

spar__unique_key spar__unique_key_of(const spar_event *event);
spar__unique_key spar__unique_key_import(const unsigned char key[SPAR_HASH_SIZE]);

/* --- statements --- */

typedef enum spar__sql {
#define SPAR_SQL(name, columns, sqlite, postgres) SPAR__SQL_##name,
#include "store/statements.def"
#undef SPAR_SQL
    SPAR__SQL_COUNT
} spar__sql;

/* One row of a result; valid while its function runs. */
typedef struct spar__sql_row {
    const spar__store_class *cls;
    void *rows;
    int index;
} spar__sql_row;

typedef spar_status (*spar__sql_row_fn)(void *context, const spar__sql_row *row, spar_error *err);

/* A statement that is run. fn is told of each row, and may use the store meanwhile; it may be NULL. */
typedef struct spar__sql_call {
    spar__sql id;
    uint64_t experiment; /* SPAR_UNKNOWN if it is not there; 0: any */
    spar__sql_row_fn fn;
    void *context;
    size_t n; /* out: rows that were read or changed */
} spar__sql_call;

struct spar__store_class {
    const char *name, *brief;
    const char *scheme[3]; /* "sqlite": the place begins with "sqlite:", which is taken off unless `url` is set */
    bool url;              /* open gets the place with its scheme */
    size_t size;

    spar_status (*open)(spar__store *store, const char *place, spar_error *err); /* close is called if it fails, too */
    void (*close)(spar__store *store);                                           /* also gives up all locks */

    /* A statement with its parameters: i int64_t, b pointer and size_t, s text. A connection that broke is made again
     * before. */
    spar_status (*run)(spar__store *store, spar__sql_call *call, const char *types, va_list args, spar_error *err);
    uint64_t (*number)(const spar__sql_row *row, int column);
    const unsigned char *(*bytes)(const spar__sql_row *row, int column, size_t *length); /* a 0 follows a text */

    /* A transaction that writes, with the lock of the experiment; 0: without one. Not under the lock. end commits if
     * status is SPAR_OK, rolls back otherwise, and gives the status of the whole. */
    spar_status (*begin)(spar__store *store, uint64_t experiment, spar_error *err);
    spar_status (*end)(spar__store *store, spar_status status, spar_error *err);

    /* Gives up the lock if it was held (store->locked), whatever happens. */
    spar_status (*append)(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry, spar_error *err);
    spar_status (*next_screen)(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);
    spar_status (*look)(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err);
    /* Gives up the lock like append. */
    spar_status (*text_drop)(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                             spar__text_dropped *dropped, spar_error *err);

    spar_status (*backup)(spar__store *store, const char *path, spar_error *err);
    spar_status (*check)(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);
    spar_status (*hold)(spar__store *store, spar_error *err);
};

/* --- for every class --- */

/* The kind of a place, and how much of it is its scheme; NULL, with a sentence: there is none. */
const spar__store_class *spar__store_class_of(const char *place, size_t *skip, spar_error *err);

/* Runs a statement (see run). */
spar_status spar__store_run(spar__store *store, spar__sql_call *call, spar_error *err, const char *types, ...);

spar_status spar__fail_no_experiment(const spar__store *store, uint64_t experiment, spar_error *err);

/* The owner of a text that comes with an event: for a source, the sequence number of that event. */
uint64_t spar__text_owner(const spar__store_text *text, uint64_t sequence);

/* Stamps the event of an entry with its sequence number, which is taken back (0) if it is refused, and encodes it. */
spar_status spar__entry_encode(spar__store_entry *entry, uint64_t sequence, unsigned char **bytes, size_t *length);
void spar__entry_refuse(spar__store_entry *entry, spar_status status);

/* A copy with a 0 byte after its end; NULL: out of memory. */
unsigned char *spar__bytes_copy(const void *bytes, size_t length);

extern atomic_uint spar__store_patience; /* milliseconds to wait for a lock: 10,000, but for tests and hurry */

/* Says what an audit found. */
void spar__report(spar__store_finding_fn fn, void *context, const char *format, ...) SPAR__PRINTF(3, 4);

#endif
