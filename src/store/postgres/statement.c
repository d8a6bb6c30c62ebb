/* statement.c - statements on their way to the server, and their results (postgres.h).
 *
 * The connection is in pipeline mode: many statements are sent before the first result is read, so that their number
 * costs no time on the way. Nothing waits for ever: a server that has been silent for longer than a lock is waited for
 * is taken for lost. */
#include "store/postgres/postgres.h"

#include "base/clock.h"
#include "store/postgres/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 8 };

unsigned spar__pg_silence = 5000;

static const char *const columns[] = {
#define SPAR_PG(name, types, text) types,
#include "store/postgres/statements.def"
#undef SPAR_PG
};

typedef struct spar__pg_values {
    int n;
    const char *value[MOST_PARAMETERS];
    int length[MOST_PARAMETERS], format[MOST_PARAMETERS];
    char number[MOST_PARAMETERS][8];
    bool failed; /* an array is not whole: out of memory */
} spar__pg_values;

static void set_value(spar__pg_values *v, const void *bytes, size_t length)
{
    v->value[v->n] = length ? bytes : "";
    v->length[v->n] = (int)length;
    v->format[v->n] = 1;
}

static void set_array(spar__pg_values *v, const spar__pg_array *array)
{
    static const char none[12] = {[11] = SPAR__PG_BIGINT}; /* an array without dimensions */
    v->failed = v->failed || array->bytes.failed || array->bytes.length > INT32_MAX;
    if (array->n)
        set_value(v, array->bytes.text, array->bytes.length);
    else
        set_value(v, none, sizeof none);
}

static void take_values(spar__pg_values *v, const char *types, va_list args)
{
    for (v->n = 0; types[v->n]; v->n++) {
        char type = types[v->n];
        if (type == 'i') {
            spar__pg_put_number(v->number[v->n], (uint64_t)va_arg(args, int64_t));
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

static void forget_results(spar__postgres *self)
{
    for (size_t i = 0; i < self->n_queued; i++)
        PQclear(self->queue[i].result);
    self->n_queued = 0;
    self->flushed = false;
    self->unsent = SPAR_OK;
}

static void note_sent(spar__postgres *self, spar__pg id, bool prepares, int sent)
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

static void send_statement(spar__postgres *self, spar__pg id, const spar__pg_values *v)
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

void spar__pg_queue(spar__postgres *self, spar__pg id, const char *types, ...)
{
    spar__pg_values v = {0};
    va_list args;
    va_start(args, types);
    take_values(&v, types, args);
    va_end(args);
    if (self->flushed)
        forget_results(self);
    if (v.failed)
        self->unsent = SPAR_NOMEM;
    else if (self->n_queued + 2 > SPAR__PG_QUEUE)
        self->unsent = SPAR_INVALID;
    if (!self->unsent)
        send_statement(self, id, &v);
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
        forget_results(self);
    if (self->n_queued + 1 > SPAR__PG_QUEUE)
        self->unsent = SPAR_INVALID;
    if (!self->unsent)
        note_sent(self, SPAR__PG_text, false, PQsendQueryParams(self->conn, text, 0, NULL, NULL, NULL, NULL, 1));
}

/* Waits until there is a result to read, sending what is left to be sent. false: the connection is lost. */
static bool await_result(spar__postgres *self, bool *silent)
{
    int timeout = (int)(spar__patience_of(&self->base) + spar__pg_silence);
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
        Oid wanted = types[c] == 'i' ? SPAR__PG_BIGINT : types[c] == 'b' ? SPAR__PG_BYTEA : SPAR__PG_TEXT;
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
        if (self->queue[i].result && self->queue[i].id != SPAR__PG_tell) /* that others hear of it is no promise */
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
        return spar__pg_fail_silent(self, verb, err);
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

PGresult *spar__pg_keep(spar__postgres *self, size_t i)
{
    size_t at = index_of(self, i);
    PGresult *result = at < self->n_queued ? self->queue[at].result : NULL;
    if (result)
        self->queue[at].result = NULL;
    return result;
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
    return PQgetlength(result, row, column) == 8 ? spar__pg_get_number(PQgetvalue(result, row, column)) : 0;
}

const unsigned char *spar__pg_bytes(const PGresult *result, int row, int column, size_t *length)
{
    *length = (size_t)PQgetlength(result, row, column);
    return (const unsigned char *)PQgetvalue(result, row, column);
}

spar_status spar__pg_copy(const PGresult *result, int row, int column, unsigned char **bytes, size_t *length,
                          spar_error *err)
{
    const unsigned char *data = spar__pg_bytes(result, row, column, length);
    *bytes = spar__bytes_copy(data, *length);
    if (*bytes)
        return SPAR_OK;
    *length = 0;
    return spar__fail_memory(err);
}
