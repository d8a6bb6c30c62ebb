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
 * Connection poolers that give each transaction another connection are noticed (`pooled`): nothing is prepared then, no
 * setting outlives a transaction, and news are found by looking for them instead of LISTEN. */
#ifndef SPAR_STORE_POSTGRES_H
#define SPAR_STORE_POSTGRES_H

#include "base/buf.h"
#include "store/class.h"

#include <libpq-fe.h>

typedef enum spar__pg {
#define SPAR_PG(name, types, text) SPAR__PG_##name,
#include "store/postgres/statements.def"
#undef SPAR_PG
    SPAR__PG_COUNT
} spar__pg;

enum {
    SPAR__PG_QUEUE = 64,      /* statements at once */
    SPAR__PG_CHUNK = 1024,    /* rows at once */
    SPAR__PG_PIECE = 4 << 20, /* bytes at once, or one row */
    SPAR__PG_SCREENS = 64     /* numbers of screens at once */
};

typedef struct spar__postgres {
    spar__store base;             /* must come first */
    char *url, *schema, *channel; /* the URL as libpq wants it; the schema; what others listen to */
    PGconn *conn;
    char *text[SPAR__PG_COUNT]; /* the statements, with the name of the schema in them */
    bool prepared[SPAR__PG_COUNT];
    bool broken, pooled, listening;
    double next_try;   /* the connection is not made again before that (monotonic clock) */
    unsigned failures; /* to make it, in a row */

    /* What was sent, and what came back; see queue and flush. */
    struct {
        spar__pg id;
        bool prepares, counts;
        size_t rows; /* how many it must write, if it counts */
        PGresult *result;
    } queue[SPAR__PG_QUEUE];
    size_t n_queued;
    bool flushed;
    spar_status unsent; /* why something could not be sent */

    /* Under the lock: the end of the log; what others are told with the commit, NULL: nothing. */
    spar__store_mark end;
    const char *news;

    /* Numbers that were fetched for screens of that experiment and not given out, falling; how many to fetch next. */
    uint64_t screen_of, screen[SPAR__PG_SCREENS];
    size_t n_screens;
    int64_t screen_fetch;
} spar__postgres;

/* url.c: reads the URL: self->url, self->schema and the name for messages, which has no password. */
spar_status spar__pg_read_url(spar__postgres *self, const char *url, spar_error *err);

/* connect.c. ready: makes the connection again if it is broken. */
spar_status spar__pg_connect(spar__postgres *self, spar_error *err);
void spar__pg_disconnect(spar__postgres *self);
spar_status spar__pg_ready(spar__postgres *self, spar_error *err);
bool spar__pg_take_notices(spar__postgres *self); /* that there are news: was there one? */

/* schema.c: is the schema ours, and of this version? Makes it or brings it up to date where that is wanted. */
typedef struct spar__pg_schema {
    int version;
    const char *const *const *step; /* step[v] leads from version v to v + 1: statements, the last is NULL */
} spar__pg_schema;

extern const spar__pg_schema spar__pg_schema_now;
spar_status spar__pg_set_up(spar__postgres *self, const spar__pg_schema *schema, spar_error *err);

/* The text of a statement: '@' becomes the schema in quotes, '~' its bare name. New; NULL: out of memory. */
char *spar__pg_text(const spar__postgres *self, const char *text);

/* wire.c: arrays as PostgreSQL takes them. All of one array's elements are added by the same function. */
typedef struct spar__pg_array {
    spar__buf bytes;
    uint32_t n;
} spar__pg_array;

void spar__pg_add_number(spar__pg_array *array, uint64_t number); /* bigint */
void spar__pg_add_bytes(spar__pg_array *array, const void *bytes, size_t length);
void spar__pg_array_free(spar__pg_array *array);

extern unsigned spar__pg_silence; /* milliseconds without an answer, beyond the patience for a lock; less for tests */

/* statement.c. queue: sends a statement with its parameters: i int64_t, b pointer and size_t, s text, a spar__pg_array
 * *. flush: waits for all that were queued, and gives the status of the first that failed. The results are there until
 * the next statement is queued: result i is that of the i-th statement. A result has the types that its statement
 * promises in statements.def, and no NULL. */
void spar__pg_queue(spar__postgres *self, spar__pg id, const char *types, ...);
void spar__pg_expect(spar__postgres *self, size_t rows); /* the statement queued last writes that many, or fails */
void spar__pg_queue_text(spar__postgres *self, const char *text); /* one of those that make the tables */
spar_status spar__pg_flush(spar__postgres *self, const char *verb, spar_error *err);
const PGresult *spar__pg_result(const spar__postgres *self, size_t i);
int spar__pg_rows(const spar__postgres *self, size_t i);
size_t spar__pg_changes(const spar__postgres *self, size_t i); /* rows that it wrote or deleted */
uint64_t spar__pg_number(const PGresult *result, int row, int column);
const unsigned char *spar__pg_bytes(const PGresult *result, int row, int column, size_t *length);
PGresult *spar__pg_keep(spar__postgres *self, size_t i); /* takes it; PQclear is the caller's */
spar_status spar__pg_copy(const PGresult *result, int row, int column, unsigned char **bytes, size_t *length,
                          spar_error *err);

/* error.c: the sentence for what went wrong ("NAME: cannot VERB: reason"). */
spar_status spar__pg_fail(spar__postgres *self, const char *verb, const PGresult *result, spar_error *err);
spar_status spar__pg_fail_silent(spar__postgres *self, const char *verb, spar_error *err);
spar_status spar__pg_fail_unknown(const spar__postgres *self, uint64_t experiment, spar_error *err);

/* transaction.c. begin: queues the beginning of a transaction, two statements; with an experiment its lock, too, a
 * third, which take_lock reads after the flush. take_head: the end of a log out of result i. enter: begins, locks and
 * flushes, unless the lock is held. end: commits, with what is queued, if status is SPAR_OK, else rolls back; the
 * status of the whole. leave: rolls back. */
enum { SPAR__PG_AFTER_BEGIN = 2, SPAR__PG_AFTER_LOCK = 3 };

void spar__pg_begin(spar__postgres *self);
void spar__pg_begin_locked(spar__postgres *self, uint64_t experiment);
spar_status spar__pg_take_lock(spar__postgres *self, uint64_t experiment, spar_error *err);
spar_status spar__pg_take_head(const spar__postgres *self, size_t i, uint64_t experiment, spar__store_mark *mark,
                               spar_error *err);
spar_status spar__pg_enter(spar__postgres *self, uint64_t experiment, spar_error *err);
spar_status spar__pg_end(spar__postgres *self, spar_status status, const char *verb, spar_error *err);
void spar__pg_leave(spar__postgres *self);

/* claims.c: which entries of an append may be there. */
typedef struct spar__pg_claims spar__pg_claims;
spar_status spar__pg_claims_new(size_t n, const spar__store_entry *entry, spar__pg_claims **out);
void spar__pg_claims_free(spar__pg_claims *claims);

/* Queues the look-ups: how many? After the flush take reads their results, from `first` on. */
size_t spar__pg_claims_ask(spar__postgres *self, uint64_t experiment, spar__pg_claims *claims);
spar_status spar__pg_claims_take(spar__postgres *self, size_t first, spar__pg_claims *claims, spar_error *err);

/* SPAR_CONFLICT: something of it is there already, in the log or in the entries before. */
spar_status spar__pg_claim(spar__pg_claims *claims, size_t i, const spar__store_entry *entry, uint64_t sequence);

/* strays.c: looks for what this program does not make. */
spar_status spar__pg_check_strays(spar__postgres *self, spar__store_finding_fn fn, void *context, spar_error *err);

/* read.c */
spar_status spar__pg_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                          unsigned char hash[SPAR_HASH_SIZE], spar_error *err);

/* The functions of the class that stand in other files. */
spar_status spar__pg_look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err);
spar_status spar__pg_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                            spar_error *err);
spar_status spar__pg_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to, spar__store_event_fn fn,
                          void *context, spar_error *err);
spar_status spar__pg_locate(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence,
                            spar_error *err);
spar_status spar__pg_wait(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds, bool *news,
                          spar_error *err);
spar_status spar__pg_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                              uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                              size_t *length, spar_error *err);
spar_status spar__pg_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                               void *context, spar_error *err);
spar_status spar__pg_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text, spar_error *err);
spar_status spar__pg_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                               spar__text_dropped *dropped, spar_error *err);
spar_status spar__pg_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);
spar_status spar__pg_voter(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                           spar_error *err);
spar_status spar__pg_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                  const unsigned char *bytes, size_t length, spar_error *err);
spar_status spar__pg_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                  spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                  spar_error *err);
spar_status spar__pg_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence, size_t *n,
                                   spar_error *err);
spar_status spar__pg_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                   spar_error *err);
spar_status spar__pg_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                spar_error *err);
spar_status spar__pg_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err);
spar_status spar__pg_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err);
spar_status spar__pg_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                spar_error *err);
spar_status spar__pg_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                 spar_error *err);
spar_status spar__pg_secret_drop(spar__store *store, const char *name, spar_error *err);
spar_status spar__pg_backup(spar__store *store, const char *path, spar_error *err);
spar_status spar__pg_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);

#endif
