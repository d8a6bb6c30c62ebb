/* care.c - backups, and looking for damage (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "base/file.h"
#include "base/buf.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* One transaction of the new file, so that a copy that was broken off is empty. */
static int copy_pages(spar__sqlite *self, sqlite3 *to)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", self->db, "main");
    if (!backup)
        return sqlite3_extended_errcode(to);
    int code;
    do
        code = sqlite3_backup_step(backup, -1);
    while (code == SQLITE_BUSY || code == SQLITE_LOCKED);
    int end = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? end : code;
}

static spar_status copy_to(spar__sqlite *self, const char *path, spar_error *err)
{
    spar__sqlite target = {.base = {.name = self->base.name}};
    int code = sqlite3_open_v2(path, &target.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, spar__sqlite_vfs);
    if (!code && sqlite3_exec(target.db, "PRAGMA synchronous = FULL", NULL, NULL, NULL) == SQLITE_OK)
        code = copy_pages(self, target.db);
    spar_status status = SPAR_OK;
    if (code) {
        char verb[300];
        (void)snprintf(verb, sizeof verb, "copy it to %.250s", path);
        status = spar__sqlite_fail(sqlite3_errcode(target.db) ? &target : self, verb, err);
    }
    (void)sqlite3_close(target.db);
    return status;
}

/* A bare name must not be special to SQLite. */
static spar_status plain_path(const char *path, char *out, size_t size, spar_error *err)
{
    int length = snprintf(out, size, "%s%s", path[0] == '/' ? "" : "./", path);
    if (length < 0 || (size_t)length >= size)
        return spar__fail(err, SPAR_IO, "%s: too long for a path", path);
    return SPAR_OK;
}

spar_status spar__sqlite_copy(spar__sqlite *self, const char *path, spar_error *err)
{
    char plain[4096];
    spar_status status = plain_path(path, plain, sizeof plain, err);
    if (status)
        return status;
    int fd = open(plain, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return spar__fail_file(err, path, "make");
    (void)close(fd);
    status = copy_to(self, plain, err);
    if (status)
        (void)unlink(plain);
    return status;
}

spar_status spar__sqlite_backup(spar__store *store, const char *path, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = spar__sqlite_ready(self, err);
    return status ? status : spar__sqlite_copy(self, path, err);
}

typedef struct spar__sqlite_audit {
    spar__sqlite *self;
    spar__store_finding_fn fn;
    void *context;
    spar_error *err; /* the caller's */
    spar_event *event;
    uint64_t kinds[SPAR__ONCE_KINDS]; /* events in the log of each kind that a table must have, too */
    uint64_t experiment;
    int64_t indexed;
} spar__sqlite_audit;

static void SPAR__PRINTF(2, 3) report(const spar__sqlite_audit *audit, const char *format, ...)
{
    char sentence[640];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    audit->fn(audit->context, sentence);
}

/* The table that has what the log may hold once only must lead to this event. */
static spar_status audit_once(spar__sqlite_audit *audit, uint64_t sequence, spar_error *err)
{
    spar__once once = spar__once_of(audit->event);
    uint64_t found = 0;
    if (once.kind == SPAR__ONCE_IMPORT && sequence > (uint64_t)audit->indexed)
        return SPAR_OK;
    audit->kinds[once.kind]++;
    if (once.kind == SPAR__ONCE_NONE || once.kind == SPAR__ONCE_IMPORT)
        return SPAR_OK;
    spar_status status = spar__sqlite_locate(&audit->self->base, audit->experiment, once, &found, err);
    if (!status && found != sequence)
        report(audit, "event %llu is not the one that its table names", (unsigned long long)sequence);
    return status;
}

static spar_status audit_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                               const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__sqlite_audit *audit = context;
    spar_error why = {0};
    (void)hash;
    if (!spar_event_decode(audit->event, bytes, length, &why))
        return audit_once(audit, sequence, err);
    report(audit, "event %llu is damaged: %s", (unsigned long long)sequence, why.text);
    return SPAR_OK;
}

static spar_status compare_counts(const spar__sqlite_audit *audit, spar_error *err)
{
    static const char *const tables[SPAR__ONCE_KINDS] = {[SPAR__ONCE_SCREEN] = "screen",
                                                         [SPAR__ONCE_ANSWER] = "answer",
                                                         [SPAR__ONCE_UNDO] = "undo",
                                                         [SPAR__ONCE_IMPORT] = "imported"};
    spar_status status = SPAR_OK;
    for (int k = SPAR__ONCE_SCREEN; k < SPAR__ONCE_KINDS && !status; k++) {
        char sql[96];
        int64_t n = 0;
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE experiment = %llu", tables[k],
                       (unsigned long long)audit->experiment);
        status = spar__sqlite_number(audit->self, sql, &n, err);
        if (!status && (uint64_t)n != audit->kinds[k])
            report(audit, "the log has %llu event%s '%s', the table of that name %lld",
                   (unsigned long long)audit->kinds[k], spar__plural(audit->kinds[k]), tables[k], (long long)n);
    }
    return status;
}

static spar_status audit_log(void *context, uint64_t experiment, const char *name)
{
    spar__sqlite_audit *audit = context;
    spar_error err = {0};
    (void)name;
    audit->experiment = experiment;
    for (int k = 0; k < SPAR__ONCE_KINDS; k++)
        audit->kinds[k] = 0;
    char sql[80];
    (void)snprintf(sql, sizeof sql, "SELECT indexed FROM experiment WHERE number = %llu",
                   (unsigned long long)experiment);
    spar_status status = spar__sqlite_number(audit->self, sql, &audit->indexed, &err);
    if (!status)
        status = spar__sqlite_read(&audit->self->base, experiment, 1, 0, audit_event, audit, &err);
    if (!status)
        status = compare_counts(audit, &err);
    if (status == SPAR_CORRUPT) {
        audit->fn(audit->context, err.text);
        return spar__sqlite_ready(audit->self, audit->err);
    }
    return status ? spar__fail(audit->err, status, "%s", err.text) : SPAR_OK;
}

/* Rows of a pragma, but for "ok". */
static spar_status audit_pragma(const spar__sqlite_audit *audit, const char *sql, spar_error *err)
{
    sqlite3_stmt *statement;
    bool row;
    spar_status status = spar__sqlite_prepare(audit->self, sql, &statement, err);
    while (!status && !(status = spar__sqlite_step(audit->self, statement, &row, "check", err)) && row) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (text && sqlite3_stricmp(text, "ok") != 0)
            audit->fn(audit->context, text);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

spar_status spar__sqlite_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    spar__sqlite_audit audit = {.self = (spar__sqlite *)store, .fn = fn, .context = context, .err = err};
    spar_status status = spar__sqlite_ready(audit.self, err);
    if (status)
        return status;
    if (spar_event_new(&audit.event))
        return spar__fail_memory(err);
    status = audit_pragma(&audit, "PRAGMA integrity_check", err);
    if (!status)
        status = spar__sqlite_check_strays(audit.self, fn, context, err);
    if (!status)
        status = store->cls->experiments(store, audit_log, &audit, err);
    spar_event_free(audit.event);
    return status;
}
