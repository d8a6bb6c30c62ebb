/* tamper.h - the newest place in memory, as somebody changes it who knows how: a copy of its tables that is written back
 * before it is looked at. */
#ifndef SPAR_TESTS_LIVE_TAMPER_H
#define SPAR_TESTS_LIVE_TAMPER_H

#include "live/world.h"

#include "base/alloc.h"
#include "store/digest.h"
#include "store/sqlite/sqlite.h"

extern const spar__store_class spar__store_memory;

typedef struct tampered_event {
    unsigned char *bytes;
    size_t length;
    unsigned char hash[SPAR_HASH_SIZE];
} tampered_event;

typedef struct tampered_snapshot {
    spar__store_snapshot about;
    unsigned char *bytes;
    size_t length;
} tampered_snapshot;

typedef struct tampered_log {
    tampered_event event[512];
    spar__store_text text[128];
    tampered_snapshot snapshot[128];
    size_t n, n_texts, n_snapshots;
    bool loaded;
} tampered_log;

static tampered_log tampered;

static sqlite3_stmt *tamper_with(const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(((spar__sqlite *)keeper[n_places - 1])->db, sql, -1, &statement, NULL) != SQLITE_OK)
        abort();
    return statement;
}

static void tamper_run(sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_DONE || sqlite3_reset(statement) != SQLITE_OK)
        abort();
}

static unsigned char *tamper_bytes(sqlite3_stmt *row, int column, size_t *length)
{
    *length = (size_t)sqlite3_column_bytes(row, column);
    return spar__bytes_copy(sqlite3_column_blob(row, column), *length);
}

static void tamper_copy(sqlite3_stmt *row, int column, unsigned char out[32])
{
    memcpy(out, sqlite3_column_blob(row, column), 32);
}

static void load_log(void)
{
    sqlite3_stmt *row = tamper_with("SELECT body, hash FROM event ORDER BY id");
    for (; sqlite3_step(row) == SQLITE_ROW; tampered.n++) {
        tampered_event *event = &tampered.event[tampered.n];
        event->bytes = tamper_bytes(row, 0, &event->length);
        tamper_copy(row, 1, event->hash);
    }
    (void)sqlite3_finalize(row);
    row = tamper_with("SELECT kind, owner, version, salt, bytes FROM text");
    for (; sqlite3_step(row) == SQLITE_ROW; tampered.n_texts++) {
        spar__store_text *text = &tampered.text[tampered.n_texts];
        text->kind = (spar__text_kind)sqlite3_column_int(row, 0);
        text->owner = (uint64_t)sqlite3_column_int64(row, 1);
        text->version = (uint32_t)sqlite3_column_int64(row, 2);
        tamper_copy(row, 3, text->salt);
        text->bytes = tamper_bytes(row, 4, &text->length);
    }
    (void)sqlite3_finalize(row);
    row = tamper_with("SELECT sequence, engine, hash, bytes FROM snapshot ORDER BY sequence");
    for (; sqlite3_step(row) == SQLITE_ROW; tampered.n_snapshots++) {
        tampered_snapshot *snapshot = &tampered.snapshot[tampered.n_snapshots];
        snapshot->about.sequence = (uint64_t)sqlite3_column_int64(row, 0);
        snapshot->about.engine = (uint32_t)sqlite3_column_int64(row, 1);
        tamper_copy(row, 2, snapshot->about.hash);
        snapshot->bytes = tamper_bytes(row, 3, &snapshot->length);
    }
    (void)sqlite3_finalize(row);
    tampered.loaded = true;
}

static tampered_log *log_of(void)
{
    if (!tampered.loaded)
        load_log();
    return &tampered;
}

static void save_blob(sqlite3_stmt *row, int parameter, const void *bytes, size_t length)
{
    (void)sqlite3_bind_blob64(row, parameter, bytes, length, SQLITE_STATIC);
}

static void save_numbers(sqlite3_stmt *row, size_t n, const uint64_t number[])
{
    for (size_t i = 0; i < n; i++)
        (void)sqlite3_bind_int64(row, (int)i + 1, (int64_t)number[i]);
}

/* Writes it back. */
static void save_log(void)
{
    if (!tampered.loaded)
        return;
    must(spar__store_lock(keeper[n_places - 1], 1, &err));
    static const char *const empty[] = {"DELETE FROM event", "DELETE FROM text", "DELETE FROM snapshot"};
    for (size_t i = 0; i < 3; i++) {
        sqlite3_stmt *delete = tamper_with(empty[i]);
        tamper_run(delete);
        (void)sqlite3_finalize(delete);
    }
    sqlite3_stmt *row = tamper_with("INSERT INTO event (id, body, hash) VALUES (?1, ?2, ?3)");
    for (size_t i = 0; i < tampered.n; i++) {
        save_numbers(row, 1, (uint64_t[]){(uint64_t)SPAR__SQLITE_SPAN + i + 1});
        save_blob(row, 2, tampered.event[i].bytes, tampered.event[i].length);
        save_blob(row, 3, tampered.event[i].hash, SPAR_HASH_SIZE);
        tamper_run(row);
    }
    (void)sqlite3_finalize(row);
    row = tamper_with("INSERT INTO text (experiment, kind, owner, version, salt, bytes) VALUES (1, ?1, ?2, ?3, ?4, ?5)");
    for (size_t i = 0; i < tampered.n_texts; i++) {
        const spar__store_text *text = &tampered.text[i];
        save_numbers(row, 3, (uint64_t[]){text->kind, text->owner, text->version});
        save_blob(row, 4, text->salt, SPAR__SALT_SIZE);
        save_blob(row, 5, text->bytes, text->length);
        tamper_run(row);
    }
    (void)sqlite3_finalize(row);
    row = tamper_with("INSERT INTO snapshot (experiment, sequence, engine, hash, bytes) VALUES (1, ?1, ?2, ?3, ?4)");
    for (size_t i = 0; i < tampered.n_snapshots; i++) {
        const tampered_snapshot *snapshot = &tampered.snapshot[i];
        save_numbers(row, 2, (uint64_t[]){snapshot->about.sequence, snapshot->about.engine});
        save_blob(row, 3, snapshot->about.hash, SPAR_HASH_SIZE);
        save_blob(row, 4, snapshot->bytes, snapshot->length);
        tamper_run(row);
    }
    (void)sqlite3_finalize(row);
    if (sqlite3_exec(((spar__sqlite *)keeper[n_places - 1])->db, "COMMIT; BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        abort();
    spar__store_unlock(keeper[n_places - 1]);
}

/* Writes it back, and forgets it: others write to it from now on. */
static void leave_log(void)
{
    save_log();
    for (size_t i = 0; i < tampered.n; i++)
        spar__free(tampered.event[i].bytes);
    for (size_t i = 0; i < tampered.n_texts; i++)
        spar__free((void *)(uintptr_t)tampered.text[i].bytes);
    for (size_t i = 0; i < tampered.n_snapshots; i++)
        spar__free(tampered.snapshot[i].bytes);
    tampered = (tampered_log){.loaded = false};
}

#endif
