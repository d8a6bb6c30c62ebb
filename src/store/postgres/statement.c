/* statement.c - statements on their way to the server, their results, and transactions (postgres.h).
 *
 * The connection is in pipeline mode: many statements are sent before the first result is read, so that their number
 * costs no time on the way. Nothing waits for ever: a server that has been silent for longer than a lock is waited for
 * is taken for lost. */
#include "store/postgres/postgres.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 8 };

enum { BYTEA = 17, BIGINT = 20, TEXT = 25 }; /* types, fixed for ever: catalog/pg_type.dat */

unsigned spar__pg_silence = 5000;

static const char *const columns[] = {
#define SPAR_SQL(name, columns, sqlite, postgres) columns,
#include "store/statements.def"
#undef SPAR_SQL
};

/* --- numbers and arrays on the wire ---
 *
 * Whole batches go to the server as a few parameters: arrays in the binary format of PostgreSQL.
 *
 *     int32 dimensions (1), int32 whether there are NULLs (0), int32 type of the elements, int32 count, int32 first
 * index, and for each element int32 length, its bytes; all big-endian. */

static void put_u32(char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (char)(unsigned char)(value >> (24 - 8 * i));
}

static void put_number(char out[8], uint64_t value)
{
    put_u32(out, (uint32_t)(value >> 32));
    put_u32(out + 4, (uint32_t)value);
}

static uint64_t get_number(const char *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

/* The head is written with the first element; each one sets its count. */
static void add(spar__pg_array *array, uint32_t type, const void *bytes, size_t length)
{
    char head[20], size[4];
    if (array->n == 0) {
        put_u32(head, 1);
        put_u32(head + 4, 0);
        put_u32(head + 8, type);
        put_u32(head + 12, 0);
        put_u32(head + 16, 1);
        spar__buf_add(&array->bytes, head, sizeof head);
    }
    put_u32(size, (uint32_t)length);
    spar__buf_add(&array->bytes, size, sizeof size);
    spar__buf_add(&array->bytes, length ? bytes : "", length);
    array->n++;
    if (!array->bytes.failed)
        put_u32(array->bytes.text + 12, array->n);
}

void spar__pg_add_number(spar__pg_array *array, uint64_t number)
{
    char bytes[8];
    put_number(bytes, number);
    add(array, BIGINT, bytes, sizeof bytes);
}

void spar__pg_add_bytes(spar__pg_array *array, const void *bytes, size_t length)
{
    add(array, BYTEA, bytes, length);
}

void spar__pg_array_free(spar__pg_array *array)
{
    spar__buf_free(&array->bytes);
    array->n = 0;
}

/* --- sentences for what goes wrong ---
 *
 * The words are those of the server's first line, which has no values of rows and never a password. */

/* What a state (SQLSTATE) means for who called; the first that fits. */
typedef struct meaning {
    const char *state; /* how it begins */
    spar_status status;
    bool broken; /* the connection is made again */
    const char *words;
} meaning;

static const meaning meanings[] = {
    {"55P03", SPAR_BUSY, false, NULL}, /* lock_not_available */
    {"40", SPAR_BUSY, false, NULL},    /* serialization, deadlock */
    {"53100", SPAR_FULL, false, "no space left on the disk of the database"},
    {"53", SPAR_IO, true, NULL},
    {"42501", SPAR_IO, false, "this role lacks a right"},
    {"25006", SPAR_IO, true, "the database can only be read (a standby, perhaps)"},
    {"3D", SPAR_IO, true, NULL},
    {"26", SPAR_IO, true, NULL}, /* a prepared statement is gone */
    {"42P05", SPAR_IO, true, NULL},
    {"22P", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"22", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"23", SPAR_CORRUPT, false, "the tables are not as spar left them"},
    {"3F", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"42", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"XX", SPAR_CORRUPT, true, "the database is damaged"},
    {"57014", SPAR_IO, false, NULL}, /* cancelled, or a time limit of the server */
    {"", SPAR_IO, true, NULL},
};

static const meaning *meaning_of(const char *state)
{
    const meaning *m = meanings;
    while (strncmp(state, m->state, strlen(m->state)) != 0)
        m++;
    return m;
}

/* One line of it, without what libpq puts before and behind. */
static void first_line(const char *text, char *out, size_t size)
{
    size_t length = strcspn(text, "\n");
    length = length < size ? length : size - 1;
    memcpy(out, text, length);
    out[length] = '\0';
}

spar_status spar__pg_fail(spar__postgres *self, const char *verb, const PGresult *result, spar_error *err)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *said = state ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : PQerrorMessage(self->conn);
    const meaning *m = meaning_of(state ? state : "");
    char line[300];
    first_line(said && *said ? said : "the connection was lost", line, sizeof line);
    if (m->broken)
        self->broken = true;
    if (m->status == SPAR_BUSY)
        return spar__fail(err, SPAR_BUSY, "%s: cannot %s: another program has been using it for more than %g seconds",
                          self->base.name, verb, spar__store_patience / 1e3);
    if (m->words)
        return spar__fail(err, m->status, "%s: cannot %s: %s (%s)", self->base.name, verb, m->words, line);
    return spar__fail(err, m->status, "%s: cannot %s: %s", self->base.name, verb, line);
}

static spar_status fail_silent(spar__postgres *self, const char *verb, spar_error *err)
{
    self->broken = true;
    return spar__fail(err, SPAR_IO, "%s: cannot %s: the database does not answer", self->base.name, verb);
}

/* --- statements --- */

typedef struct values {
    int n;
    const char *value[MOST_PARAMETERS];
    int length[MOST_PARAMETERS], format[MOST_PARAMETERS];
    char number[MOST_PARAMETERS][8];
    bool failed; /* an array is not whole: out of memory */
} values;

static void set_value(values *v, const void *bytes, size_t length)
{
    v->value[v->n] = length ? bytes : "";
    v->length[v->n] = (int)length;
    v->format[v->n] = 1;
}

static void set_array(values *v, const spar__pg_array *array)
{
    static const char none[12] = {[11] = BIGINT}; /* an array without dimensions */
    v->failed = v->failed || array->bytes.failed || array->bytes.length > INT32_MAX;
    if (array->n)
        set_value(v, array->bytes.text, array->bytes.length);
    else
        set_value(v, none, sizeof none);
}

static void take_values(values *v, const char *types, va_list args)
{
    for (v->n = 0; types[v->n]; v->n++) {
        char type = types[v->n];
        if (type == 'i') {
            put_number(v->number[v->n], (uint64_t)va_arg(args, int64_t));
            set_value(v, v->number[v->n], 8);
        } else if (type == 's') {
            const char *text = va_arg(args, const char *);
            set_value(v, text, strlen(text));
        } else if (type == 'b') {
            const void *bytes = va_arg(args, const void *);
            set_value(v, bytes, va_arg(args, size_t));
        } else
            set_array(v, va_arg(args, const spar__pg_array *));
    }
}

void spar__pg_forget_results(spar__postgres *self)
{
    for (size_t i = 0; i < self->n_queued; i++)
        PQclear(self->queue[i].result);
    self->n_queued = 0;
    self->flushed = false;
    self->unsent = SPAR_OK;
}

static void note_sent(spar__postgres *self, spar__sql id, bool prepares, int sent)
{
    if (!sent)
        self->unsent = SPAR_IO;
    else {
        self->queue[self->n_queued].id = id;
        self->queue[self->n_queued].prepares = prepares;
        self->queue[self->n_queued].counts = false;
        self->queue[self->n_queued++].result = NULL;
    }
}

static void send_statement(spar__postgres *self, spar__sql id, const values *v)
{
    char name[16];
    (void)snprintf(name, sizeof name, "spar%d", (int)id);
    if (!self->pooled && !self->prepared[id])
        note_sent(self, id, true, PQsendPrepare(self->conn, name, self->text[id], 0, NULL));
    if (self->unsent)
        return;
    int sent = self->pooled
                   ? PQsendQueryParams(self->conn, self->text[id], v->n, NULL, v->value, v->length, v->format, 1)
                   : PQsendQueryPrepared(self->conn, name, v->n, v->value, v->length, v->format, 1);
    note_sent(self, id, false, sent);
    self->prepared[id] = !self->pooled; /* until its result says otherwise */
}

static void queue(spar__postgres *self, spar__sql id, const char *types, va_list args)
{
    values v = {0};
    take_values(&v, types, args);
    if (self->flushed)
        spar__pg_forget_results(self);
    if (v.failed)
        self->unsent = SPAR_NOMEM;
    else if (self->n_queued + 2 > SPAR__PG_QUEUE)
        self->unsent = SPAR_INVALID;
    if (!self->unsent)
        send_statement(self, id, &v);
}

void spar__pg_queue(spar__postgres *self, spar__sql id, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    queue(self, id, types, args);
    va_end(args);
}

void spar__pg_expect(spar__postgres *self, size_t rows)
{
    if (self->unsent || self->n_queued == 0)
        return;
    self->queue[self->n_queued - 1].counts = true;
    self->queue[self->n_queued - 1].rows = rows;
}

void spar__pg_queue_text(spar__postgres *self, const char *text)
{
    if (self->flushed)
        spar__pg_forget_results(self);
    if (self->n_queued + 1 > SPAR__PG_QUEUE)
        self->unsent = SPAR_INVALID;
    if (!self->unsent)
        note_sent(self, SPAR__SQL_any, false, PQsendQueryParams(self->conn, text, 0, NULL, NULL, NULL, NULL, 1));
}

/* Waits until there is a result to read, sending what is left to be sent. false: the connection is lost. */
static bool await_result(spar__postgres *self, bool *silent)
{
    int timeout = (int)(spar__store_patience + spar__pg_silence);
    *silent = false;
    for (;;) {
        int unsent = PQflush(self->conn);
        if (unsent < 0)
            return PQconsumeInput(self->conn) && !PQisBusy(self->conn); /* what the server said before it went */
        if (!PQisBusy(self->conn))
            return true;
        struct pollfd one = {.fd = PQsocket(self->conn), .events = (short)(POLLIN | (unsent ? POLLOUT : 0))};
        int ready = poll(&one, 1, timeout);
        *silent = ready == 0;
        if (*silent || (ready < 0 && errno != EINTR))
            return false;
        if (ready > 0 && (one.revents & (POLLIN | POLLERR | POLLHUP)) && !PQconsumeInput(self->conn))
            return false;
    }
}

/* The columns have their types, and no value is missing: the tables may be anybody's. */
static bool is_as_promised(const PGresult *result, const char *types)
{
    if (!types[0])
        return true;
    bool good = PQnfields(result) == (int)strlen(types);
    for (int c = 0; good && types[c]; c++) {
        Oid wanted = types[c] == 'i' ? BIGINT : types[c] == 'b' ? BYTEA : TEXT;
        good = PQftype(result, c) == wanted && PQfformat(result, c) == 1;
        for (int r = 0; good && r < PQntuples(result); r++)
            good = !PQgetisnull(result, r, c);
    }
    return good;
}

static size_t changes(PGresult *result)
{
    return (size_t)strtoull(PQcmdTuples(result), NULL, 10);
}

static spar_status judge(spar__postgres *self, size_t i, const char *verb, spar_error *err)
{
    PGresult *result = self->queue[i].result;
    ExecStatusType state = PQresultStatus(result);
    if (state != PGRES_COMMAND_OK && state != PGRES_TUPLES_OK)
        return spar__pg_fail(self, verb, result, err);
    bool good = state != PGRES_TUPLES_OK || is_as_promised(result, columns[self->queue[i].id]);
    if (good && (!self->queue[i].counts || changes(result) == self->queue[i].rows))
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "%s: cannot %s: the tables are not as spar made them", self->base.name, verb);
}

/* Results of all that was sent, up to the mark behind them. */
static bool collect(spar__postgres *self, bool *silent)
{
    for (size_t i = 0; await_result(self, silent);) {
        PGresult *result = PQgetResult(self->conn);
        ExecStatusType state = PQresultStatus(result);
        if (result && state == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            return true;
        }
        if (!result && i < self->n_queued && self->queue[i].result)
            i++;
        else if (!result || i >= self->n_queued || self->queue[i].result) {
            PQclear(result);
            break; /* no server says such things */
        } else
            self->queue[i].result = result;
    }
    return false;
}

/* What was not prepared, because something before it failed, is prepared the next time. */
static void note_prepared(spar__postgres *self)
{
    for (size_t i = 0; i < self->n_queued; i++)
        if (self->queue[i].prepares)
            self->prepared[self->queue[i].id] = PQresultStatus(self->queue[i].result) == PGRES_COMMAND_OK;
}

static spar_status first_failure(spar__postgres *self, const char *verb, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < self->n_queued && !status; i++)
        if (self->queue[i].result)
            status = judge(self, i, verb, err);
    return status;
}

spar_status spar__pg_flush(spar__postgres *self, const char *verb, spar_error *err)
{
    spar_status unsent = self->unsent;
    bool silent = false;
    self->flushed = true;
    bool whole = PQpipelineSync(self->conn) && collect(self, &silent);
    note_prepared(self);
    spar_status status = first_failure(self, verb, err);
    if (!whole)
        self->broken = true;
    if (status)
        return status;
    if (unsent == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (unsent == SPAR_INVALID)
        return spar__fail(err, SPAR_INVALID, "%s: too many statements at once", self->base.name);
    if (silent)
        return fail_silent(self, verb, err);
    return whole && !unsent ? SPAR_OK : spar__pg_fail(self, verb, NULL, err);
}

/* --- results --- */

static size_t index_of(const spar__postgres *self, size_t i)
{
    size_t at = 0;
    for (; at < self->n_queued; at++)
        if (!self->queue[at].prepares && i-- == 0)
            break;
    return at;
}

const PGresult *spar__pg_result(const spar__postgres *self, size_t i)
{
    size_t at = index_of(self, i);
    return at < self->n_queued ? self->queue[at].result : NULL;
}

int spar__pg_rows(const spar__postgres *self, size_t i)
{
    return PQntuples(spar__pg_result(self, i));
}

size_t spar__pg_changes(const spar__postgres *self, size_t i)
{
    size_t at = index_of(self, i);
    return at < self->n_queued ? changes(self->queue[at].result) : 0;
}

uint64_t spar__pg_number(const PGresult *result, int row, int column)
{
    return PQgetlength(result, row, column) == 8 ? get_number(PQgetvalue(result, row, column)) : 0;
}

const unsigned char *spar__pg_bytes(const PGresult *result, int row, int column, size_t *length)
{
    *length = (size_t)PQgetlength(result, row, column);
    return (const unsigned char *)PQgetvalue(result, row, column);
}

/* --- what is said for every kind of store (class.h) --- */

uint64_t spar__pg_column_number(const spar__sql_row *row, int column)
{
    return spar__pg_number(row->rows, row->index, column);
}

const unsigned char *spar__pg_column_bytes(const spar__sql_row *row, int column, size_t *length)
{
    return spar__pg_bytes(row->rows, row->index, column, length); /* libpq puts a 0 behind each value */
}

/* The result is taken out of the queue: who is told of it may use the store meanwhile. */
static spar_status give_rows(spar__postgres *self, size_t at, spar__sql_call *call, spar_error *err)
{
    spar__sql_row row = {self->base.cls, self->queue[at].result, 0};
    spar_status status = SPAR_OK;
    bool reads = columns[call->id][0] != '\0';
    self->queue[at].result = NULL;
    call->n = reads ? (size_t)PQntuples(row.rows) : changes(row.rows);
    for (; reads && call->fn && row.index < PQntuples(row.rows) && !status; row.index++)
        status = call->fn(call->context, &row, err);
    PQclear(row.rows);
    return status;
}

spar_status spar__pg_call(spar__store *store, spar__sql_call *call, const char *types, va_list args, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    call->n = 0;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    if (call->experiment)
        spar__pg_queue(self, SPAR__SQL_head, "i", (int64_t)call->experiment);
    size_t known = self->n_queued - 1;
    queue(self, call->id, types, args);
    size_t last = self->n_queued - 1;
    status = spar__pg_flush(self, columns[call->id][0] ? "read" : "write", err);
    if (!status && call->experiment && PQntuples(self->queue[known].result) == 0)
        status = spar__fail_no_experiment(store, call->experiment, err);
    return status ? status : give_rows(self, last, call, err);
}

/* --- transactions --- */

void spar__pg_begin(spar__postgres *self)
{
    char timeout[16];
    (void)snprintf(timeout, sizeof timeout, "%u", spar__store_patience);
    spar__pg_queue(self, SPAR__SQL_begin, "");
    spar__pg_queue(self, SPAR__SQL_settings, "s", timeout);
}

void spar__pg_leave(spar__postgres *self)
{
    self->screen_of = 0;
    if (self->broken || PQtransactionStatus(self->conn) == PQTRANS_IDLE)
        return;
    spar__pg_queue(self, SPAR__SQL_rollback, "");
    if (spar__pg_flush(self, "roll back", NULL))
        self->broken = true;
}

/* A transaction that failed before is rolled back by COMMIT, which calls that a success. */
static spar_status check_commit(spar__postgres *self, const char *verb, spar_error *err)
{
    for (size_t i = self->n_queued; i-- > 0;)
        if (self->queue[i].id == SPAR__SQL_commit && !self->queue[i].prepares &&
            strcmp(PQcmdStatus(self->queue[i].result), "COMMIT") == 0)
            return SPAR_OK;
    self->broken = true;
    return spar__fail(err, SPAR_IO, "%s: cannot %s: the transaction was not committed", self->base.name, verb);
}

spar_status spar__pg_end(spar__postgres *self, spar_status status, const char *verb, spar_error *err)
{
    if (!status) {
        spar__pg_queue(self, SPAR__SQL_commit, "");
        status = spar__pg_flush(self, verb, err);
    }
    if (!status)
        status = check_commit(self, verb, err);
    self->screen_of = 0;
    if (status)
        spar__pg_leave(self);
    return status;
}
