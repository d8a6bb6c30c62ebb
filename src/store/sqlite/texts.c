/* texts.c - what people wrote, and how it goes away (sqlite.h).
 *
 * SQLite's secure_delete overwrites a row that is deleted, but not the copies that it left when it moved rows from one
 * page to another: of 1,500 deleted texts of mixed sizes some two were still in the file. So after a drop the whole
 * table is written anew; the pages of the old one are overwritten when they become free. Then the write-ahead log is
 * emptied. That may fail, or never come; so the same transaction notes that it is owed, as a row of `secret` (whose
 * other rows never have this name), and later drops make up for it. */
#include "store/sqlite/sqlite.h"

#include <string.h>

spar_status spar__sqlite_text_add(spar__sqlite *self, uint64_t experiment, const spar__store_text *text, uint64_t owner,
                                  spar_error *err)
{
    sqlite3_stmt *add = spar__sqlite_bind(
        self, SPAR__SQL_text_add, err, "iiiibb", (int64_t)experiment, (int64_t)text->kind, (int64_t)owner,
        (int64_t)text->version, (const void *)text->salt, sizeof text->salt, (const void *)text->bytes, text->length);
    spar_status status = spar__sqlite_run(self, add, err);
    return !status && sqlite3_changes(self->db) == 0 ? SPAR_CONFLICT : status;
}

spar_status spar__sqlite_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text,
                                  spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = spar__sqlite_enter(self, experiment, err);
    if (status)
        return status;
    status = spar__sqlite_text_add(self, experiment, text, text->owner, err);
    if (status == SPAR_CONFLICT)
        (void)spar__fail(err, SPAR_CONFLICT, "%s: there is such a text already", store->name);
    return spar__sqlite_end(self, status, err);
}

static spar_status take_text(sqlite3_stmt *get, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                             size_t *length, spar_error *err)
{
    const void *kept = sqlite3_column_blob(get, 0);
    if (!kept || sqlite3_column_bytes(get, 0) != SPAR__SALT_SIZE)
        return spar__fail(err, SPAR_CORRUPT, "a text without its salt");
    memcpy(salt, kept, SPAR__SALT_SIZE);
    return spar__sqlite_column(get, 1, bytes, length, err);
}

spar_status spar__sqlite_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                  uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                                  size_t *length, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row;
    spar_status status = spar__sqlite_ready(self, err);
    if (status)
        return status;
    sqlite3_stmt *get = spar__sqlite_bind(self, SPAR__SQL_text_get, err, "iiii", (int64_t)experiment, (int64_t)kind,
                                          (int64_t)owner, (int64_t)version);
    status = spar__sqlite_step(self, get, &row, "read", err);
    if (status)
        return status;
    if (!row)
        return spar__fail(err, SPAR_UNKNOWN, "%s: there is no such text", store->name);
    status = take_text(get, salt, bytes, length, err);
    (void)sqlite3_reset(get);
    return status;
}

static spar_status give_texts(spar__sqlite *self, sqlite3_stmt *each, spar__text_kind kind, spar__store_text_fn fn,
                              void *context, spar_error *err)
{
    bool row;
    spar_status status;
    while (!(status = spar__sqlite_step(self, each, &row, "read", err)) && row) {
        const void *salt = sqlite3_column_blob(each, 2), *bytes = sqlite3_column_blob(each, 3);
        spar__store_text text = {.kind = kind,
                                 .owner = (uint64_t)sqlite3_column_int64(each, 0),
                                 .version = (uint32_t)sqlite3_column_int64(each, 1),
                                 .bytes = bytes ? bytes : (const void *)"",
                                 .length = (size_t)sqlite3_column_bytes(each, 3)};
        if (!salt || sqlite3_column_bytes(each, 2) != SPAR__SALT_SIZE)
            return spar__fail(err, SPAR_CORRUPT, "%s: a text has no salt", self->base.name);
        memcpy(text.salt, salt, SPAR__SALT_SIZE);
        status = fn(context, &text, err);
        if (status)
            return status;
    }
    return status;
}

/* Owners are unsigned: those that SQLite takes for negative come last. */
static spar_status each_half(spar__sqlite *self, uint64_t experiment, spar__text_kind kind, int negative,
                             spar__store_text_fn fn, void *context, spar_error *err)
{
    sqlite3_stmt *each;
    spar_status status =
        spar__sqlite_prepare(self,
                             negative ? "SELECT owner, version, salt, bytes FROM text WHERE experiment = ?1 AND "
                                        "kind = ?2 AND owner < 0 ORDER BY owner, version"
                                      : "SELECT owner, version, salt, bytes FROM text WHERE experiment = ?1 AND "
                                        "kind = ?2 AND owner >= 0 ORDER BY owner, version",
                             &each, err);
    if (status)
        return status;
    (void)sqlite3_bind_int64(each, 1, (int64_t)experiment);
    (void)sqlite3_bind_int64(each, 2, (int64_t)kind);
    status = give_texts(self, each, kind, fn, context, err);
    (void)sqlite3_finalize(each);
    return status;
}

spar_status spar__sqlite_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind,
                                   spar__store_text_fn fn, void *context, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    int first = kind ? (int)kind : SPAR__TEXT_QUESTION, last = kind ? (int)kind : SPAR__TEXT_SOURCE;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    for (int k = first; k <= last && !status; k++) {
        status = each_half(self, experiment, (spar__text_kind)k, 0, fn, context, err);
        if (!status)
            status = each_half(self, experiment, (spar__text_kind)k, 1, fn, context, err);
    }
    return status;
}

static spar_status rewrite(spar__sqlite *self, spar_error *err)
{
    return spar__sqlite_exec(self,
                             "CREATE TABLE text_copy (experiment INTEGER NOT NULL REFERENCES experiment, "
                             "kind INTEGER NOT NULL, owner INTEGER NOT NULL, version INTEGER NOT NULL, "
                             "salt BLOB NOT NULL, bytes BLOB NOT NULL, "
                             "PRIMARY KEY (experiment, kind, owner, version)) STRICT, WITHOUT ROWID;"
                             "INSERT INTO text_copy SELECT * FROM text ORDER BY experiment, kind, owner, version;"
                             "DROP TABLE text;"
                             "ALTER TABLE text_copy RENAME TO text;"
                             "CREATE UNIQUE INDEX voter ON text (experiment, bytes) WHERE kind = 5;",
                             "drop a text", err);
}

static spar_status delete_texts(spar__sqlite *self, uint64_t experiment, size_t n, const spar__text_key *key,
                                size_t *deleted, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status =
            spar__sqlite_run(self,
                             spar__sqlite_bind(self, SPAR__SQL_text_drop, err, "iiii", (int64_t)experiment,
                                               (int64_t)key[i].kind, (int64_t)key[i].owner, (int64_t)key[i].version),
                             err);
        *deleted += status ? 0 : (size_t)sqlite3_changes(self->db);
    }
    if (!status && *deleted > 0)
        status = rewrite(self, err);
    if (!status && *deleted > 0)
        status = spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_owe, err, ""), err);
    return status;
}

static spar_status is_owed(spar__sqlite *self, bool *owed, spar_error *err)
{
    sqlite3_stmt *owes = spar__sqlite_bind(self, SPAR__SQL_owes, err, "");
    spar_status status = spar__sqlite_step(self, owes, owed, "read", err);
    if (*owed)
        (void)sqlite3_reset(owes);
    return status;
}

/* Nothing of what was dropped is left in the write-ahead log. That it is owed no more need not be noted: if that fails,
 * the next drop does it once more. */
static spar_status settle_debt(spar__sqlite *self, spar_error *err)
{
    spar_status status = spar__sqlite_truncate(self, err);
    if (status == SPAR_BUSY)
        return spar__fail(err, status,
                          "%s: it is removed, but old bytes of it remain as long as another program reads the file; "
                          "do the same again later",
                          self->base.name);
    if (status || spar__sqlite_begin(self, NULL))
        return status;
    (void)spar__sqlite_end(self, spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_owe_nothing, NULL, ""), NULL),
                           NULL);
    return SPAR_OK;
}

spar_status spar__sqlite_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                   spar__text_dropped *dropped, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    size_t deleted = 0;
    bool owed = false;
    spar_status status = spar__sqlite_enter(self, experiment, err);
    if (status)
        return status;
    status = is_owed(self, &owed, err);
    if (!status)
        status = delete_texts(self, experiment, n, key, &deleted, err);
    status = spar__sqlite_end(self, status, err);
    store->locked = 0;
    if (status)
        return status;
    dropped->n = deleted;
    if (deleted == 0 && !owed)
        return SPAR_OK;
    status = settle_debt(self, err);
    dropped->completed = owed && !status;
    return status;
}

/* The table is made anew with each drop, and SQLite counts the changes of its schema. */
spar_status spar__sqlite_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row;
    (void)experiment;
    spar_status status = spar__sqlite_ready(self, err);
    if (status)
        return status;
    sqlite3_stmt *drops = spar__sqlite_bind(self, SPAR__SQL_text_drops, err, "");
    status = spar__sqlite_step(self, drops, &row, "read", err);
    if (status || !row)
        return status;
    *number = (uint64_t)sqlite3_column_int64(drops, 0);
    (void)sqlite3_reset(drops);
    return SPAR_OK;
}

spar_status spar__sqlite_voter(spar__store *store, uint64_t experiment, const char *name, size_t length,
                               uint64_t *voter, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_known(self, experiment, err);
    if (status)
        return status;
    sqlite3_stmt *find =
        spar__sqlite_bind(self, SPAR__SQL_voter, err, "ib", (int64_t)experiment, (const void *)name, length);
    status = spar__sqlite_step(self, find, &row, "read", err);
    if (status || !row)
        return status;
    *voter = (uint64_t)sqlite3_column_int64(find, 0);
    (void)sqlite3_reset(find);
    return SPAR_OK;
}
