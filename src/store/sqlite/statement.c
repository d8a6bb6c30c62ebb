/* statement.c - statements, transactions, and sentences for what goes wrong (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static const char *const texts[] = {
#define SPAR_SQL(name, text) text,
#include "store/sqlite/statements.def"
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
                          path, verb, spar__patience_of(&self->base) / 1e3);
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

static int bind_all(sqlite3_stmt *statement, const char *types, va_list args)
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
    return code;
}

sqlite3_stmt *spar__sqlite_bind(spar__sqlite *self, spar__sql id, spar_error *err, const char *types, ...)
{
    sqlite3_stmt **statement = &self->statement[id];
    if (!*statement && sqlite3_prepare_v3(self->db, texts[id], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL)) {
        (void)spar__sqlite_fail(self, "read", err);
        return NULL;
    }
    (void)sqlite3_reset(*statement);
    va_list args;
    va_start(args, types);
    int code = bind_all(*statement, types, args);
    va_end(args);
    if (!code)
        return *statement;
    (void)spar__sqlite_fail(self, "read", err);
    return NULL;
}

spar_status spar__sqlite_bind_status(const spar__sqlite *self)
{
    return status_of(sqlite3_extended_errcode(self->db), sqlite3_system_errno(self->db));
}

spar_status spar__sqlite_step(spar__sqlite *self, sqlite3_stmt *statement, bool *row, const char *verb, spar_error *err)
{
    *row = false;
    if (!statement)
        return spar__sqlite_bind_status(self);
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

/* Somebody moved or removed the file: what is written now would be written to nowhere. */
static spar_status check_place(spar__sqlite *self, spar_error *err)
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
static spar_status settle(spar__sqlite *self, spar_error *err)
{
    spar__sqlite_doubt doubt = self->unsettled;
    if (doubt == SPAR__SQLITE_SETTLED)
        return SPAR_OK;
    if (doubt == SPAR__SQLITE_NEW)
        (void)sqlite3_busy_handler(self->db, NULL, NULL);
    spar_error why = {0};
    spar_status status = spar__sqlite_truncate(self, &why);
    spar__sqlite_patient(self);
    if (status == SPAR_BUSY && doubt == SPAR__SQLITE_NEW)
        status = SPAR_OK;
    if (!status)
        self->unsettled = SPAR__SQLITE_SETTLED;
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

spar_status spar__sqlite_begin(spar__sqlite *self, spar_error *err)
{
    if (self->base.locked)
        return SPAR_OK;
    spar_status status = check_place(self, err);
    if (!status)
        status = settle(self, err);
    double start = spar__clock(CLOCK_MONOTONIC);
    while (!status) { /* some kinds of busy do not go through the busy handler */
        status = spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_begin, err, ""), err);
        if (status != SPAR_BUSY)
            return status;
        if (spar__clock(CLOCK_MONOTONIC) < start + 1e6 * spar__patience_of(&self->base))
            status = SPAR_OK;
    }
    return status;
}

spar_status spar__sqlite_end(spar__sqlite *self, spar_status status, spar_error *err)
{
    if (!status)
        status = spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_commit, err, ""), err);
    self->last_screen = 0;
    if (!status)
        return SPAR_OK;
    if (!sqlite3_get_autocommit(self->db) && sqlite3_exec(self->db, "ROLLBACK", NULL, NULL, NULL))
        self->broken = true;
    return status;
}

spar_status spar__sqlite_known(spar__sqlite *self, uint64_t experiment, spar_error *err)
{
    bool row;
    sqlite3_stmt *known = spar__sqlite_bind(self, SPAR__SQL_known, err, "i", (int64_t)experiment);
    spar_status status = spar__sqlite_step(self, known, &row, "read", err);
    if (row)
        (void)sqlite3_reset(known);
    if (!status && !row)
        status = spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment %llu", self->base.name,
                            (unsigned long long)experiment);
    return status;
}

spar_status spar__sqlite_enter(spar__sqlite *self, uint64_t experiment, spar_error *err)
{
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_begin(self, err);
    if (!status && (status = spar__sqlite_known(self, experiment, err)))
        status = spar__sqlite_end(self, status, err);
    return status;
}

spar_status spar__sqlite_column(sqlite3_stmt *statement, int column, unsigned char **bytes, size_t *length,
                                spar_error *err)
{
    const void *data = sqlite3_column_blob(statement, column);
    *length = (size_t)sqlite3_column_bytes(statement, column);
    *bytes = *length && !data ? NULL : spar__bytes_copy(data, *length);
    if (*bytes)
        return SPAR_OK;
    *length = 0;
    return spar__fail_memory(err);
}

spar_status spar__sqlite_truncate(spar__sqlite *self, spar_error *err)
{
    int code = sqlite3_wal_checkpoint_v2(self->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return code ? spar__sqlite_fail(self, "empty the write-ahead log", err) : SPAR_OK;
}
