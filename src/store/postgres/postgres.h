/* postgres.h - postgresql://..., a store in a PostgreSQL database: many servers, one log. The files of this folder
 * share what stands here.
 *
 * The tables are in a schema of their own ("spar", or what ?schema=NAME in the URL says). The lock of the interface is
 * that of the experiment's row (SELECT ... FOR UPDATE), and all that changes an experiment takes it: so what may be
 * there once only is looked up under the lock, in one query for the whole batch, and unique indices are the second
 * line. An append is two round trips: the lock with the look-up, then all inserts with the commit.
 *
 * After an error that leaves the connection in doubt (`broken`) it is made again before the next use. What was not
 * acknowledged may have been committed all the same; who appends it again waits for the lock of the lost connection,
 * and then finds it there.
 *
 * Connection poolers that give each transaction another connection are noticed (`pooled`): nothing is prepared then,
 * and no setting outlives a transaction. */
#ifndef SPAR_STORE_POSTGRES_H
#define SPAR_STORE_POSTGRES_H

#include "base/buf.h"
#include "store/class.h"

#include <libpq-fe.h>

enum {
    SPAR__PG_QUEUE = 64,      /* statements at once */
    SPAR__PG_CHUNK = 1024,    /* rows at once */
    SPAR__PG_PIECE = 4 << 20, /* bytes at once, or one row */
    SPAR__PG_SCREENS = 64     /* numbers of screens at once */
};

typedef struct spar__postgres {
    spar__store base;   /* must come first */
    char *url, *schema; /* the URL as libpq wants it; the schema */
    PGconn *conn;
    char *text[SPAR__SQL_COUNT]; /* the statements, with the name of the schema in them */
    bool prepared[SPAR__SQL_COUNT];
    bool broken, pooled;
    double next_try;   /* the connection is not made again before that (monotonic clock) */
    unsigned failures; /* to make it, in a row */

    /* What was sent, and what came back; see queue and flush. */
    struct {
        spar__sql id;
        bool prepares, counts;
        size_t rows; /* how many it must write, if it counts */
        PGresult *result;
    } queue[SPAR__PG_QUEUE];
    size_t n_queued;
    bool flushed;
    spar_status unsent; /* why something could not be sent */

    spar__store_mark end; /* of the log, under the lock */

    /* Numbers that were fetched for screens of that experiment and not given out, falling; how many to fetch next. */
    uint64_t screen_of, screen[SPAR__PG_SCREENS];
    size_t n_screens;
    int64_t screen_fetch;
} spar__postgres;

/* connect.c. read_url: self->url, self->schema and the name for messages, which has no password. ready: makes the
 * connection again if it is broken. */
spar_status spar__pg_read_url(spar__postgres *self, const char *url, spar_error *err);
spar_status spar__pg_connect(spar__postgres *self, spar_error *err);
void spar__pg_disconnect(spar__postgres *self);
spar_status spar__pg_ready(spar__postgres *self, spar_error *err);

/* connect.c: is the schema ours, and of this version? Makes it or brings it up to date where that is wanted. */
typedef struct spar__pg_schema {
    int version;
    const char *const *const *step; /* step[v] leads from version v to v + 1: statements, the last is NULL */
} spar__pg_schema;

extern const spar__pg_schema spar__pg_schema_now;
spar_status spar__pg_set_up(spar__postgres *self, const spar__pg_schema *schema, spar_error *err);

/* Arrays as PostgreSQL takes them. All of one array's elements are added by the same function. */
typedef struct spar__pg_array {
    spar__buf bytes;
    uint32_t n;
} spar__pg_array;

void spar__pg_add_number(spar__pg_array *array, uint64_t number); /* bigint */
void spar__pg_add_bytes(spar__pg_array *array, const void *bytes, size_t length);
void spar__pg_array_free(spar__pg_array *array);

extern unsigned spar__pg_silence; /* milliseconds without an answer, beyond the wait for a lock; less for tests */

/* statement.c. queue: sends a statement with its parameters: i int64_t, b pointer and size_t, s text, a spar__pg_array
 * *. flush: waits for all that were queued, and gives the status of the first that failed. The results are there until
 * the next statement is queued: result i is that of the i-th statement. A result has the types that its statement
 * promises in statements.def, and no NULL. */
void spar__pg_queue(spar__postgres *self, spar__sql id, const char *types, ...);
void spar__pg_expect(spar__postgres *self, size_t rows); /* the statement queued last writes that many, or fails */
void spar__pg_queue_text(spar__postgres *self, const char *text); /* one of those that make the tables */
spar_status spar__pg_flush(spar__postgres *self, const char *verb, spar_error *err);
const PGresult *spar__pg_result(const spar__postgres *self, size_t i);
int spar__pg_rows(const spar__postgres *self, size_t i);
size_t spar__pg_changes(const spar__postgres *self, size_t i); /* rows that it wrote or deleted */
uint64_t spar__pg_number(const PGresult *result, int row, int column);
const unsigned char *spar__pg_bytes(const PGresult *result, int row, int column, size_t *length);
void spar__pg_forget_results(spar__postgres *self);

/* statement.c: the sentence for what went wrong ("NAME: cannot VERB: reason"). */
spar_status spar__pg_fail(spar__postgres *self, const char *verb, const PGresult *result, spar_error *err);

/* statement.c: transactions. begin: queues the beginning of one, two statements. end: commits, with what is queued, if
 * status is SPAR_OK, else rolls back; the status of the whole. leave: rolls back. */
enum { SPAR__PG_AFTER_BEGIN = 2 };

void spar__pg_begin(spar__postgres *self);
spar_status spar__pg_end(spar__postgres *self, spar_status status, const char *verb, spar_error *err);
void spar__pg_leave(spar__postgres *self);

/* The functions of the class that stand in other files. */
spar_status spar__pg_call(spar__store *store, spar__sql_call *call, const char *types, va_list args, spar_error *err);
uint64_t spar__pg_column_number(const spar__sql_row *row, int column);
const unsigned char *spar__pg_column_bytes(const spar__sql_row *row, int column, size_t *length);
spar_status spar__pg_backup(spar__store *store, const char *path, spar_error *err);
spar_status spar__pg_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);

#endif
