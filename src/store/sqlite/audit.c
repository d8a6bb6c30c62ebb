/* audit.c - backups; and looking for damage, and for what is in the file and was not written by this program: tables,
 * views, triggers, rows, numbers; or is missing, like an index (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "base/buf.h"
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* --- backups --- */

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

/* --- orphans: what others wrote --- */

/* Numbers are reserved one by one, so few of them have no screen. */
enum { MOST_RESERVED = 1000000 };

typedef struct orphan_search {
    spar__sqlite *self;
    sqlite3 *model; /* a new, empty file of the same version */
    spar__store_finding_fn fn;
    void *context;
} orphan_search;

static const char *column(sqlite3_stmt *row, int i)
{
    const char *text = (const char *)sqlite3_column_text(row, i);
    return text ? text : "";
}

/* Is the row of this statement (type, name, text) in the other file, or only its type and name? */
static int is_there(sqlite3 *other, sqlite3_stmt *row, bool text, bool *there)
{
    static const char *const sql[] = {
        "SELECT 1 FROM sqlite_master WHERE type = ?1 AND name = ?2",
        "SELECT 1 FROM sqlite_master WHERE type = ?1 AND name = ?2 AND replace(coalesce(sql, ''), '\"', '') = ?3"};
    sqlite3_stmt *find = NULL;
    int code = sqlite3_prepare_v2(other, sql[text], -1, &find, NULL);
    for (int i = 0; i < 2 + text && !code; i++)
        code = sqlite3_bind_text(find, i + 1, column(row, i), -1, SQLITE_TRANSIENT);
    if (!code)
        code = sqlite3_step(find);
    *there = code == SQLITE_ROW;
    (void)sqlite3_finalize(find);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* What one has and the other has not. A table that was renamed has quotes about its name; ANALYZE makes tables. */
static int compare(const orphan_search *search, sqlite3 *from, sqlite3 *to, const char *words)
{
    sqlite3_stmt *each = NULL;
    int code = sqlite3_prepare_v2(from,
                                  "SELECT type, name, replace(coalesce(sql, ''), '\"', '') FROM sqlite_master "
                                  "WHERE name NOT GLOB 'sqlite_stat*'",
                                  -1, &each, NULL);
    while (!code && (code = sqlite3_step(each)) == SQLITE_ROW) {
        bool there;
        code = is_there(to, each, from == search->model, &there);
        if (code || there)
            continue;
        char sentence[300];
        (void)snprintf(sentence, sizeof sentence, "the %.20s '%.100s' %s", column(each, 0), column(each, 1), words);
        search->fn(search->context, sentence);
    }
    (void)sqlite3_finalize(each);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int compare_schemas(orphan_search *search, int64_t version)
{
    int code = sqlite3_open_v2(":memory:", &search->model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    for (int64_t v = 0; v < version && v < spar__sqlite_schema_now.version && !code; v++)
        code = sqlite3_exec(search->model, spar__sqlite_schema_now.step[v], NULL, NULL, NULL);
    if (!code)
        code = compare(search, search->model, search->self->db, "is missing, or was changed");
    if (!code)
        code = compare(search, search->self->db, search->model, "was not made by this program");
    (void)sqlite3_close(search->model);
    return code;
}

static spar_status check_schema(orphan_search *search, spar_error *err)
{
    int64_t version = 0;
    spar_status status = spar__sqlite_number(search->self, "PRAGMA user_version", &version, err);
    int code = status ? SQLITE_OK : compare_schemas(search, version);
    if (!code)
        return status;
    return (code & 0xFF) == SQLITE_NOMEM ? spar__fail_memory(err) : spar__sqlite_fail(search->self, "check", err);
}

/* Rows of experiments that are not there; event 0 is none of any experiment. */
static spar_status check_rows(const orphan_search *search, const char *table, const char *condition, spar_error *err)
{
    char sql[200], sentence[120];
    int64_t n = 0;
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE %s NOT IN (SELECT number FROM experiment)", table,
                   condition);
    spar_status status = spar__sqlite_number(search->self, sql, &n, err);
    if (status || !n)
        return status;
    (void)snprintf(sentence, sizeof sentence, "rows in the table '%s' that belong to no experiment: %lld", table,
                   (long long)n);
    search->fn(search->context, sentence);
    return SPAR_OK;
}

static spar_status check_tables(const orphan_search *search, spar_error *err)
{
    static const char *const tables[] = {"screen", "answer", "undo", "imported", "text", "snapshot"};
    char events[80];
    long long span = SPAR__SQLITE_SPAN;
    (void)snprintf(events, sizeof events, "id %% %lld = 0 OR id / %lld", span, span);
    spar_status status = check_rows(search, "event", events, err);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = check_rows(search, tables[i], "experiment", err);
    return status;
}

static spar_status check_reserved(const orphan_search *search, spar_error *err)
{
    char sql[200];
    int64_t n = 0;
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM experiment WHERE screens < 0 OR screens - %d > "
                   "(SELECT coalesce(max(number), 0) FROM screen WHERE screen.experiment = experiment.number)",
                   MOST_RESERVED);
    spar_status status = spar__sqlite_number(search->self, sql, &n, err);
    if (!status && n)
        search->fn(search->context, "the number that was reserved for a screen is far from that of the last screen");
    return status;
}

static spar_status check_orphans(spar__sqlite *self, spar__store_finding_fn fn, void *context, spar_error *err)
{
    orphan_search search = {.self = self, .fn = fn, .context = context};
    spar_status status = check_schema(&search, err);
    if (!status)
        status = check_tables(&search, err);
    return status ? status : check_reserved(&search, err);
}

/* --- damage --- */

typedef struct file_audit {
    spar__sqlite *self;
    spar__store_finding_fn fn;
    void *context;
    spar_error *err; /* the caller's */
    spar_event *event;
    uint64_t kinds[SPAR__KEY_KINDS]; /* events in the log of each kind that a table must have, too */
    uint64_t experiment;
    int64_t indexed;
} file_audit;

/* The table that has what the log may hold once only must lead to this event. */
static spar_status audit_key(file_audit *audit, uint64_t sequence, spar_error *err)
{
    spar__unique_key key = spar__unique_key_of(audit->event);
    uint64_t found = 0;
    if (key.kind == SPAR__KEY_IMPORT && sequence > (uint64_t)audit->indexed)
        return SPAR_OK;
    audit->kinds[key.kind]++;
    if (key.kind == SPAR__KEY_NONE || key.kind == SPAR__KEY_IMPORT)
        return SPAR_OK;
    spar_status status =
        spar__store_locate(&audit->self->base, audit->experiment, spar_event_kind_of(audit->event),
                           spar_event_number(audit->event), spar_event_revision(audit->event), &found, err);
    if (!status && found != sequence)
        spar__report(audit->fn, audit->context, "event %llu is not the one that its table names",
                     (unsigned long long)sequence);
    return status;
}

static spar_status audit_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                               const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    file_audit *audit = context;
    spar_error why = {0};
    (void)hash;
    spar_status status = spar_event_decode(audit->event, bytes, length, &why);
    if (!status)
        return audit_key(audit, sequence, err);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    spar__report(audit->fn, audit->context, "event %llu is damaged: %s", (unsigned long long)sequence, why.text);
    return SPAR_OK;
}

static spar_status compare_counts(const file_audit *audit, spar_error *err)
{
    static const char *const tables[SPAR__KEY_KINDS] = {[SPAR__KEY_SCREEN] = "screen",
                                                        [SPAR__KEY_ANSWER] = "answer",
                                                        [SPAR__KEY_UNDO] = "undo",
                                                        [SPAR__KEY_IMPORT] = "imported"};
    spar_status status = SPAR_OK;
    for (int k = SPAR__KEY_SCREEN; k < SPAR__KEY_KINDS && !status; k++) {
        char sql[96];
        int64_t n = 0;
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE experiment = %llu", tables[k],
                       (unsigned long long)audit->experiment);
        status = spar__sqlite_number(audit->self, sql, &n, err);
        if (!status && (uint64_t)n != audit->kinds[k])
            spar__report(audit->fn, audit->context, "the log has %llu event%s '%s', the table of that name %lld",
                         (unsigned long long)audit->kinds[k], spar__plural(audit->kinds[k]), tables[k], (long long)n);
    }
    return status;
}

static spar_status audit_log(void *context, uint64_t experiment, const char *name)
{
    file_audit *audit = context;
    spar_error err = {0};
    (void)name;
    audit->experiment = experiment;
    for (int k = 0; k < SPAR__KEY_KINDS; k++)
        audit->kinds[k] = 0;
    char sql[80];
    (void)snprintf(sql, sizeof sql, "SELECT indexed FROM experiment WHERE number = %llu",
                   (unsigned long long)experiment);
    spar_status status = spar__sqlite_number(audit->self, sql, &audit->indexed, &err);
    if (!status)
        status = spar__store_read(&audit->self->base, experiment, 1, 0, audit_event, audit, &err);
    if (!status)
        status = compare_counts(audit, &err);
    if (status == SPAR_CORRUPT) {
        audit->fn(audit->context, err.text);
        return spar__sqlite_ready(audit->self, audit->err);
    }
    return status ? spar__fail(audit->err, status, "%s", err.text) : SPAR_OK;
}

/* Rows of a pragma, but for "ok". */
static spar_status audit_pragma(const file_audit *audit, const char *sql, spar_error *err)
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
    file_audit audit = {.self = (spar__sqlite *)store, .fn = fn, .context = context, .err = err};
    spar_status status = spar__sqlite_ready(audit.self, err);
    if (status)
        return status;
    if (spar_event_new(&audit.event))
        return spar__fail_memory(err);
    status = audit_pragma(&audit, "PRAGMA integrity_check", err);
    if (!status)
        status = check_orphans(audit.self, fn, context, err);
    if (!status)
        status = spar__store_experiments(store, audit_log, &audit, err);
    spar_event_free(audit.event);
    return status;
}
