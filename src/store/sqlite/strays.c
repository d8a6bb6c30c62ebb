/* strays.c - what is in the file and was not written by this program: tables, views, triggers, rows, numbers; or is
 * missing, like an index (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include <stdio.h>

/* Numbers are reserved one by one, so few of them have no screen. */
enum { MOST_RESERVED = 1000000 };

typedef struct stray_search {
    spar__sqlite *self;
    sqlite3 *model; /* a new, empty file of the same version */
    spar__store_finding_fn fn;
    void *context;
} stray_search;

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
static int compare(const stray_search *search, sqlite3 *from, sqlite3 *to, const char *words)
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

static int compare_schemas(stray_search *search, int64_t version)
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

static spar_status check_schema(stray_search *search, spar_error *err)
{
    int64_t version = 0;
    spar_status status = spar__sqlite_number(search->self, "PRAGMA user_version", &version, err);
    int code = status ? SQLITE_OK : compare_schemas(search, version);
    if (!code)
        return status;
    return (code & 0xFF) == SQLITE_NOMEM ? spar__fail_memory(err) : spar__sqlite_fail(search->self, "check", err);
}

/* Rows of experiments that are not there; event 0 is none of any experiment. */
static spar_status check_rows(const stray_search *search, const char *table, const char *condition, spar_error *err)
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

static spar_status check_tables(const stray_search *search, spar_error *err)
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

static spar_status check_reserved(const stray_search *search, spar_error *err)
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

spar_status spar__sqlite_check_strays(spar__sqlite *self, spar__store_finding_fn fn, void *context, spar_error *err)
{
    stray_search search = {.self = self, .fn = fn, .context = context};
    spar_status status = check_schema(&search, err);
    if (!status)
        status = check_tables(&search, err);
    return status ? status : check_reserved(&search, err);
}
