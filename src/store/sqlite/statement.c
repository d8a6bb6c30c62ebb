/* statement.c - statements, transactions, and sentences for what goes wrong (sqlite.h). Statements are prepared once
 * for each connection. */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { LONGEST_TEXT = 1024 }; /* of a statement */

static const char *const texts[] = {
#define SPAR_SQL(name, columns, sqlite, postgres) sqlite ? sqlite : postgres,
#include "store/statements.def"
#undef SPAR_SQL
};

static const char *const columns[] = {
#define SPAR_SQL(name, columns, sqlite, postgres) columns,
#include "store/statements.def"
#undef SPAR_SQL
};

static spar_status status_of(int code, int system)
{
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return SPAR_BUSY;
    case SQLITE_FULL:
        return SPAR_FULL;
    case SQLITE_NOMEM:
        return SPAR_NOMEM;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
    case SQLITE_ERROR: /* our statements are right, so the tables are not ours */
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return SPAR_CORRUPT;
    default:
        return (code & 0xFF) == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT) ? SPAR_FULL : SPAR_IO;
    }
}

/* SQLite's words, and the system's where it had a say. */
static spar_status fail_with(spar__sqlite *self, const char *verb, int code, int system, spar_error *err)
{
    spar_status status = code == SQLITE_IOERR_NOMEM ? SPAR_NOMEM : status_of(code, system);
    const char *path = self->base.name;
    if (status != SPAR_BUSY)
        self->broken = true;
    if (status == SPAR_IO || status == SPAR_FULL)
        self->unsettled = SPAR__SQLITE_FAILED;
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status == SPAR_BUSY)
        return spar__fail(err, status, "%s: cannot %s: another program has been using it for more than %g seconds",
                          path, verb, spar__store_patience / 1e3);
    if (status == SPAR_FULL)
        return spar__fail(err, status, "%s: cannot %s: no space left on the disk", path, verb);
    if (status == SPAR_CORRUPT)
        return spar__fail(err, status, "%s: cannot %s: the file is damaged (%s)", path, verb,
                          self->db ? sqlite3_errmsg(self->db) : sqlite3_errstr(code));
    bool io = (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_CANTOPEN;
    return spar__fail(err, status, "%s: cannot %s: %s", path, verb,
                      io && system ? strerror(system) : sqlite3_errstr(code));
}

spar_status spar__sqlite_fail(spar__sqlite *self, const char *verb, spar_error *err)
{
    int code = self->db ? sqlite3_extended_errcode(self->db) : SQLITE_NOMEM;
    return fail_with(self, verb, code, self->db ? sqlite3_system_errno(self->db) : 0, err);
}

spar_status spar__sqlite_exec(spar__sqlite *self, const char *sql, const char *verb, spar_error *err)
{
    return sqlite3_exec(self->db, sql, NULL, NULL, NULL) ? spar__sqlite_fail(self, verb, err) : SPAR_OK;
}

spar_status spar__sqlite_prepare(spar__sqlite *self, const char *sql, sqlite3_stmt **out, spar_error *err)
{
    *out = NULL;
    return sqlite3_prepare_v2(self->db, sql, -1, out, NULL) ? spar__sqlite_fail(self, "read", err) : SPAR_OK;
}

spar_status spar__sqlite_number(spar__sqlite *self, const char *sql, int64_t *out, spar_error *err)
{
    sqlite3_stmt *statement;
    bool row = false;
    *out = 0;
    spar_status status = spar__sqlite_prepare(self, sql, &statement, err);
    if (!status)
        status = spar__sqlite_step(self, statement, &row, "read", err);
    if (!status && row)
        *out = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return status;
}

/* The text of a statement for SQLite: without the schemas. */
static const char *text_of(spar__sql id, char *buffer)
{
    size_t length = 0;
    for (const char *at = texts[id]; *at; at++)
        if (at[0] == '@' && at[1] == '.')
            at++;
        else
            buffer[length++] = *at;
    buffer[length] = '\0';
    return buffer;
}

static spar_status prepare(spar__sqlite *self, spar__sql id, sqlite3_stmt **out, spar_error *err)
{
    char text[LONGEST_TEXT];
    int code = sqlite3_prepare_v3(self->db, text_of(id, text), -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
    return code ? spar__sqlite_fail(self, "read", err) : SPAR_OK;
}

static spar_status bind_all(spar__sqlite *self, sqlite3_stmt *statement, const char *types, va_list args,
                            spar_error *err)
{
    int code = SQLITE_OK;
    for (int i = 1; types[i - 1] && !code; i++) {
        if (types[i - 1] == 'i')
            code = sqlite3_bind_int64(statement, i, va_arg(args, int64_t));
        else if (types[i - 1] == 's')
            code = sqlite3_bind_text(statement, i, va_arg(args, const char *), -1, SQLITE_STATIC);
        else {
            const void *bytes = va_arg(args, const void *);
            size_t length = va_arg(args, size_t);
            code = sqlite3_bind_blob64(statement, i, length ? bytes : "", length, SQLITE_STATIC);
        }
    }
    return code ? spar__sqlite_fail(self, "read", err) : SPAR_OK;
}

sqlite3_stmt *spar__sqlite_bind(spar__sqlite *self, spar__sql id, spar_error *err, const char *types, ...)
{
    sqlite3_stmt **statement = &self->statement[id];
    if (!*statement && prepare(self, id, statement, err))
        return NULL;
    (void)sqlite3_reset(*statement);
    va_list args;
    va_start(args, types);
    spar_status status = bind_all(self, *statement, types, args, err);
    va_end(args);
    return status ? NULL : *statement;
}

spar_status spar__sqlite_step(spar__sqlite *self, sqlite3_stmt *statement, bool *row, const char *verb, spar_error *err)
{
    *row = false;
    if (!statement)
        return status_of(sqlite3_extended_errcode(self->db), sqlite3_system_errno(self->db));
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (*row)
        return SPAR_OK;
    spar_status status = code == SQLITE_DONE ? SPAR_OK : spar__sqlite_fail(self, verb, err);
    (void)sqlite3_reset(statement);
    return status;
}

spar_status spar__sqlite_run(spar__sqlite *self, sqlite3_stmt *statement, spar_error *err)
{
    bool row;
    spar_status status = spar__sqlite_step(self, statement, &row, "write", err);
    if (!status && row)
        (void)sqlite3_reset(statement);
    return status;
}

spar_status spar__sqlite_ask(spar__sqlite *self, sqlite3_stmt *statement, bool *row, uint64_t *number, spar_error *err)
{
    spar_status status = spar__sqlite_step(self, statement, row, "read", err);
    if (status || !*row)
        return status;
    *number = (uint64_t)sqlite3_column_int64(statement, 0);
    (void)sqlite3_reset(statement);
    return SPAR_OK;
}

/* --- what is said for every kind of store (class.h) --- */

uint64_t spar__sqlite_column_number(const spar__sql_row *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row->rows, column);
}

const unsigned char *spar__sqlite_column_bytes(const spar__sql_row *row, int column, size_t *length)
{
    bool text = sqlite3_column_type(row->rows, column) == SQLITE_TEXT;
    const unsigned char *bytes = text ? sqlite3_column_text(row->rows, column) : sqlite3_column_blob(row->rows, column);
    *length = (size_t)sqlite3_column_bytes(row->rows, column);
    return bytes;
}

/* A database in memory is not left locked while somebody is told of its rows: they are copied first. */
typedef struct copied_rows {
    sqlite3_value **value; /* row by row */
    size_t n, room;
    int columns;
} copied_rows;

uint64_t spar__sqlite_copied_number(const spar__sql_row *row, int column)
{
    const copied_rows *rows = row->rows;
    return (uint64_t)sqlite3_value_int64(rows->value[row->index * rows->columns + column]);
}

const unsigned char *spar__sqlite_copied_bytes(const spar__sql_row *row, int column, size_t *length)
{
    const copied_rows *rows = row->rows;
    sqlite3_value *value = rows->value[row->index * rows->columns + column];
    bool text = sqlite3_value_type(value) == SQLITE_TEXT;
    const unsigned char *bytes = text ? sqlite3_value_text(value) : sqlite3_value_blob(value);
    *length = (size_t)sqlite3_value_bytes(value);
    return bytes;
}

static spar_status copy_row(copied_rows *rows, sqlite3_stmt *statement, spar_error *err)
{
    rows->columns = sqlite3_column_count(statement);
    for (int c = 0; c < rows->columns; c++) {
        sqlite3_value **grown = spar__grow(rows->value, &rows->room, rows->n + 1, 16, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        rows->value = grown;
        if (!(grown[rows->n] = sqlite3_value_dup(sqlite3_column_value(statement, c))))
            return spar__fail_memory(err);
        rows->n++;
    }
    return SPAR_OK;
}

static spar_status give_copies(spar__sqlite *self, sqlite3_stmt *statement, spar__sql_call *call, spar_error *err)
{
    copied_rows rows = {0};
    spar__sql_row here = {self->base.cls, &rows, 0};
    bool row = true;
    spar_status status = SPAR_OK;
    while (!status && row) {
        status = spar__sqlite_step(self, statement, &row, "read", err);
        if (!status && row)
            status = copy_row(&rows, statement, err);
    }
    (void)sqlite3_reset(statement);
    call->n = rows.columns ? rows.n / (size_t)rows.columns : 0;
    for (; !status && (size_t)here.index < call->n; here.index++)
        status = call->fn(call->context, &here, err);
    for (size_t i = 0; i < rows.n; i++)
        sqlite3_value_free(rows.value[i]);
    spar__free(rows.value);
    return status;
}

static spar_status give_rows(spar__sqlite *self, sqlite3_stmt *statement, spar__sql_call *call, spar_error *err)
{
    const spar__sql_row here = {self->base.cls, statement, 0};
    bool reads = columns[call->id][0] != '\0', row = true;
    spar_status status = SPAR_OK;
    while (!status && row) {
        status = spar__sqlite_step(self, statement, &row, reads ? "read" : "write", err);
        call->n += !status && row;
        if (!status && row && call->fn)
            status = call->fn(call->context, &here, err);
    }
    if (!status && !reads)
        call->n = (size_t)sqlite3_changes(self->db);
    return status;
}

/* The statement, which is not kept with the connection as long as it is used. */
static spar_status take_statement(spar__sqlite *self, spar__sql id, sqlite3_stmt **out, spar_error *err)
{
    *out = self->statement[id];
    self->statement[id] = NULL;
    return *out ? SPAR_OK : prepare(self, id, out, err);
}

/* Who was told of a row may have run the same, or the connection may be another one now. */
static void return_statement(spar__sqlite *self, spar__sql id, sqlite3_stmt *statement)
{
    if (statement && !self->statement[id] && sqlite3_db_handle(statement) == self->db) {
        (void)sqlite3_reset(statement);
        self->statement[id] = statement;
    } else
        (void)sqlite3_finalize(statement);
}

/* An experiment is looked for before it is written about, and where nothing is found. */
spar_status spar__sqlite_call(spar__store *store, spar__sql_call *call, const char *types, va_list args,
                              spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    sqlite3_stmt *statement = NULL;
    bool reads = columns[call->id][0] != '\0';
    call->n = 0;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status && call->experiment && !reads)
        status = spar__sqlite_known(self, call->experiment, err);
    if (!status)
        status = take_statement(self, call->id, &statement, err);
    if (!status)
        status = bind_all(self, statement, types, args, err);
    if (!status)
        status = self->gate && reads && call->fn ? give_copies(self, statement, call, err)
                                                 : give_rows(self, statement, call, err);
    return_statement(self, call->id, statement);
    if (!status && call->experiment && reads && !call->n)
        status = spar__sqlite_known(self, call->experiment, err);
    return status;
}

/* --- transactions --- */

/* Somebody moved or removed the file: what is written now would be written to nowhere. */
static spar_status check_location(spar__sqlite *self, spar_error *err)
{
    int moved = 0;
    (void)sqlite3_file_control(self->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (!moved)
        return SPAR_OK;
    self->broken = true;
    return spar__fail(err, SPAR_IO, "%s: was moved, replaced or removed while it was open", self->base.name);
}

/* A sync that failed may leave a commit in the write-ahead log that can be read but never reaches the disk: the system
 * takes those pages for written. Who finds it there (after a failure of ours, or of a program that is gone) and appends
 * behind it would lose what is appended with the power. So before the first write what the log has is written to the
 * file, anew. Without a failure of ours nobody is waited for: where others are connected, a commit that failed is not
 * in sight. */
spar_status spar__sqlite_settle(spar__sqlite *self, spar_error *err)
{
    spar__sqlite_doubt doubt = self->unsettled;
    bool served = false;
    spar_status status = doubt == SPAR__SQLITE_NEW ? spar__sqlite_is_served(self, &served, err) : SPAR_OK;
    if (!status && served) /* the server has done that */
        doubt = self->unsettled = SPAR__SQLITE_SETTLED;
    if (status || doubt == SPAR__SQLITE_SETTLED)
        return status;
    if (doubt == SPAR__SQLITE_NEW)
        (void)sqlite3_busy_handler(self->db, NULL, NULL);
    spar_error why = {0};
    status = spar__sqlite_truncate(self, &why);
    spar__sqlite_patient(self);
    if (status == SPAR_BUSY && doubt == SPAR__SQLITE_NEW)
        status = SPAR_OK;
    if (!status)
        self->unsettled = SPAR__SQLITE_SETTLED;
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

/* A database in memory has no write-ahead log: who locks it keeps others from reading. So the lock is that of another
 * one, the gate, and the transaction takes those of the database only when it writes. */
static spar_status pass_gate(spar__sqlite *self, spar_error *err)
{
    int code = self->gate ? sqlite3_exec(self->gate, "BEGIN IMMEDIATE", NULL, NULL, NULL) : SQLITE_OK;
    return code ? fail_with(self, "write", code, 0, err) : SPAR_OK;
}

static void leave_gate(spar__sqlite *self)
{
    if (self->gate)
        (void)sqlite3_exec(self->gate, "ROLLBACK", NULL, NULL, NULL);
}

static spar_status begin(spar__sqlite *self, spar_error *err)
{
    spar__sql id = self->gate ? SPAR__SQL_begin : SPAR__SQL_sqlite_begin;
    return spar__sqlite_run(self, spar__sqlite_bind(self, id, err, ""), err);
}

spar_status spar__sqlite_begin(spar__sqlite *self, spar_error *err)
{
    if (self->base.locked)
        return SPAR_OK;
    spar_status status = pass_gate(self, err);
    if (status)
        return status;
    status = check_location(self, err);
    if (!status)
        status = spar__sqlite_settle(self, err);
    double start = spar__clock(CLOCK_MONOTONIC);
    while (!status) { /* some kinds of busy do not go through the busy handler */
        status = begin(self, err);
        if (!status)
            return SPAR_OK;
        if (status == SPAR_BUSY && spar__clock(CLOCK_MONOTONIC) < start + 1e6 * spar__store_patience)
            status = SPAR_OK;
    }
    leave_gate(self);
    return status;
}

spar_status spar__sqlite_end(spar__sqlite *self, spar_status status, spar_error *err)
{
    if (!status)
        status = spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_sqlite_commit, err, ""), err);
    self->last_screen = 0;
    if (status && !sqlite3_get_autocommit(self->db) && sqlite3_exec(self->db, "ROLLBACK", NULL, NULL, NULL))
        self->broken = true;
    leave_gate(self);
    return status;
}

spar_status spar__sqlite_known(spar__sqlite *self, uint64_t experiment, spar_error *err)
{
    bool row;
    uint64_t one;
    sqlite3_stmt *known = spar__sqlite_bind(self, SPAR__SQL_sqlite_known, err, "i", (int64_t)experiment);
    spar_status status = spar__sqlite_ask(self, known, &row, &one, err);
    return status || row ? status : spar__fail_no_experiment(&self->base, experiment, err);
}

spar_status spar__sqlite_enter(spar__store *store, uint64_t experiment, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_begin(self, err);
    if (!status && experiment && (status = spar__sqlite_known(self, experiment, err)))
        status = spar__sqlite_end(self, status, err);
    return status;
}

spar_status spar__sqlite_leave(spar__store *store, spar_status status, spar_error *err)
{
    return spar__sqlite_end((spar__sqlite *)store, status, err);
}

spar_status spar__sqlite_truncate(spar__sqlite *self, spar_error *err)
{
    int code = sqlite3_wal_checkpoint_v2(self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return code ? spar__sqlite_fail(self, "empty the write-ahead log", err) : SPAR_OK;
}
