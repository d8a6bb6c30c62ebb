/* sqlite.c - what is written to the file beside plain statements: events, the numbers of screens, the end of texts; and
 * the class (sqlite.h).
 *
 * An append is one transaction. What the log may hold once only is inserted into its table and refused there; an import
 * key is looked up first (see 'import keys' below).
 *
 * Texts. SQLite's secure_delete overwrites a row that is deleted, but not the copies that it left when it moved rows
 * from one page to another: of 1,500 deleted texts of mixed sizes some two were still in the file. So after a drop the
 * whole table is written anew; the pages of the old one are overwritten when they become free. Then the write-ahead log
 * is emptied. That may fail, or never come; so the same transaction notes that it is owed, as a row of `secret` (whose
 * other rows never have this name), and later drops make up for it. */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "store/digest.h"

#include <stdlib.h>
#include <string.h>

/* --- the end of the log --- */

/* The last event and its hash; 0 and zeros where there is none. */
static spar_status read_head(spar__sqlite *self, uint64_t experiment, spar__store_mark *mark, spar_error *err)
{
    int64_t first = (int64_t)experiment * SPAR__SQLITE_SPAN;
    bool row;
    sqlite3_stmt *head =
        spar__sqlite_bind(self, SPAR__SQL_sqlite_head, err, "ii", first + 1, first + SPAR__SQLITE_SPAN - 1);
    spar_status status = spar__sqlite_step(self, head, &row, "read", err);
    if (status || !row)
        return status;
    const void *hash = sqlite3_column_blob(head, 1);
    mark->sequence = (uint64_t)(sqlite3_column_int64(head, 0) - first);
    if (hash && sqlite3_column_bytes(head, 1) == SPAR_HASH_SIZE)
        memcpy(mark->hash, hash, SPAR_HASH_SIZE);
    else
        status = spar__fail(err, SPAR_CORRUPT, "%s: event %llu has no hash; the events before it can be read",
                            self->base.name, (unsigned long long)mark->sequence);
    (void)sqlite3_reset(head);
    return status;
}

/* The table of texts is made anew with each drop, and SQLite counts the changes of its schema. */
static spar_status look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    bool row;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status =
            spar__sqlite_ask(self, spar__sqlite_bind(self, SPAR__SQL_sqlite_drops, err, ""), &row, &mark->drops, err);
    if (!status)
        status = read_head(self, experiment, mark, err);
    return status || mark->sequence ? status : spar__sqlite_known(self, experiment, err);
}

/* --- import keys ---
 *
 * Keys come in random order. A table that holds a million of them has some 6,000 pages, and a batch of 4,096 new ones
 * would change half of these: 2 GB through the write-ahead log for a million imports. So keys go to the table many at a
 * time, sorted. The table has those of all events up to experiment.indexed; those of later events are in the log
 * itself, and in memory while it is appended to: `recent`, which under the lock is always the keys of the events
 * indexed + 1 .. head. */

enum { KIND_AT = 1, KEY_AT = 22 }; /* in an encoded event */

size_t spar__sqlite_most_recent = 16384;

static spar_status read_indexed(spar__sqlite *self, uint64_t experiment, uint64_t *indexed, spar_error *err)
{
    bool row;
    sqlite3_stmt *get = spar__sqlite_bind(self, SPAR__SQL_sqlite_indexed, err, "i", (int64_t)experiment);
    return spar__sqlite_ask(self, get, &row, indexed, err);
}

static spar_status note(spar__sqlite_imports *imports, const spar__unique_key *key, spar_error *err)
{
    if (spar__key_table_reserve(&imports->recent, 1))
        return spar__fail_memory(err);
    imports->recent.entry[spar__key_get(&imports->recent, key->high, key->low)].count = 1;
    return SPAR_OK;
}

static spar_status note_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                              const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)sequence, (void)hash;
    if (length < KEY_AT + SPAR_HASH_SIZE || bytes[KIND_AT] != SPAR_EVENT_IMPORTED)
        return SPAR_OK;
    spar__unique_key key = spar__unique_key_import(bytes + KEY_AT);
    return note(context, &key, err);
}

static spar_status imports_begin(spar__sqlite *self, uint64_t experiment, uint64_t head, spar_error *err)
{
    spar__sqlite_imports *imports = &self->imports;
    uint64_t indexed = 0;
    spar_status status = read_indexed(self, experiment, &indexed, err);
    if (status)
        return status;
    if (imports->experiment != experiment || imports->indexed != indexed || imports->upto > head) {
        spar__key_table_fini(&imports->recent);
        imports->upto = indexed;
    }
    imports->experiment = 0; /* until it is whole */
    if (imports->upto < head)
        status = spar__store_read(&self->base, experiment, imports->upto + 1, head, note_event, imports, err);
    if (status)
        return status;
    imports->experiment = experiment;
    imports->indexed = indexed;
    imports->upto = head;
    return SPAR_OK;
}

static sqlite3_stmt *bind_key(spar__sqlite *self, spar__sql id, unsigned char key[16], const spar__keyed *keyed,
                              spar_error *err)
{
    for (int i = 0; i < 8; i++) { /* in the order in which keys are sorted, see by_key */
        key[i] = (unsigned char)(keyed->high >> (56 - 8 * i));
        key[i + 8] = (unsigned char)(keyed->low >> (56 - 8 * i));
    }
    return spar__sqlite_bind(self, id, err, "ib", (int64_t)self->imports.experiment, (const void *)key, (size_t)16);
}

static spar_status imports_add(spar__sqlite *self, const spar__unique_key *key, spar_error *err)
{
    unsigned char bytes[16];
    bool row;
    const spar__keyed keyed = {key->high, key->low, 1};
    size_t at = spar__key_find(&self->imports.recent, key->high, key->low);
    if (at != SPAR__NO_KEY && self->imports.recent.entry[at].count)
        return SPAR_CONFLICT;
    uint64_t one;
    spar_status status =
        spar__sqlite_ask(self, bind_key(self, SPAR__SQL_sqlite_is_imported, bytes, &keyed, err), &row, &one, err);
    if (status || row)
        return status ? status : SPAR_CONFLICT;
    return note(&self->imports, key, err);
}

static void imports_take_back(spar__sqlite *self, const spar__unique_key *key)
{
    size_t at = spar__key_find(&self->imports.recent, key->high, key->low);
    if (at != SPAR__NO_KEY)
        self->imports.recent.entry[at].count = 0;
}

static int by_key(const void *a, const void *b)
{
    const spar__keyed *x = a, *y = b;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Moves the recent keys to the table. */
static spar_status index_recent(spar__sqlite *self, uint64_t head, spar_error *err)
{
    spar__key_table *recent = &self->imports.recent;
    spar_status status = SPAR_OK;
    qsort(recent->entry, recent->n, sizeof *recent->entry, by_key); /* it is not looked into any more */
    for (size_t i = 0; i < recent->n && !status; i++) {
        unsigned char key[16];
        if (recent->entry[i].count)
            status =
                spar__sqlite_run(self, bind_key(self, SPAR__SQL_sqlite_imported, key, &recent->entry[i], err), err);
    }
    if (!status)
        status = spar__sqlite_run(self,
                                  spar__sqlite_bind(self, SPAR__SQL_sqlite_set_indexed, err, "ii",
                                                    (int64_t)self->imports.experiment, (int64_t)head),
                                  err);
    spar__key_table_fini(recent);
    self->imports.indexed = head;
    return status;
}

static spar_status imports_end(spar__sqlite *self, uint64_t head, spar_error *err)
{
    self->imports.upto = head;
    return self->imports.recent.n > spar__sqlite_most_recent + head / 16 ? index_recent(self, head, err) : SPAR_OK;
}

/* --- append --- */

typedef struct append_tail {
    spar__sqlite *self;
    uint64_t experiment;
    spar__store_mark end; /* of the log */
} append_tail;

/* SPAR_CONFLICT, without a sentence, if it is there. */
static spar_status add_key(spar__sqlite *self, uint64_t experiment, const spar__unique_key *key, uint64_t sequence,
                           spar_error *err)
{
    static const spar__sql insert[] = {[SPAR__KEY_SCREEN] = SPAR__SQL_sqlite_screen,
                                       [SPAR__KEY_ANSWER] = SPAR__SQL_sqlite_answer,
                                       [SPAR__KEY_UNDO] = SPAR__SQL_sqlite_undo};
    if (key->kind == SPAR__KEY_NONE)
        return SPAR_OK;
    if (key->kind == SPAR__KEY_IMPORT)
        return imports_add(self, key, err);
    sqlite3_stmt *add = spar__sqlite_bind(self, insert[key->kind], err, "iiii", (int64_t)experiment, (int64_t)key->high,
                                          (int64_t)key->low, (int64_t)sequence);
    spar_status status = spar__sqlite_run(self, add, err);
    return !status && sqlite3_changes(self->db) == 0 ? SPAR_CONFLICT : status;
}

static spar_status add_text(spar__sqlite *self, uint64_t experiment, const spar__store_text *text, uint64_t owner,
                            spar_error *err)
{
    sqlite3_stmt *add = spar__sqlite_bind(
        self, SPAR__SQL_text_add, err, "iiiibb", (int64_t)experiment, (int64_t)text->kind, (int64_t)owner,
        (int64_t)text->version, (const void *)text->salt, sizeof text->salt, (const void *)text->bytes, text->length);
    spar_status status = spar__sqlite_run(self, add, err);
    return !status && sqlite3_changes(self->db) == 0 ? SPAR_CONFLICT : status;
}

static spar_status add_parts(append_tail *tail, const spar__store_entry *entry, spar_error *err)
{
    spar__unique_key key = spar__unique_key_of(entry->event);
    uint64_t sequence = tail->end.sequence + 1;
    spar_status status = add_key(tail->self, tail->experiment, &key, sequence, err);
    if (status)
        return status;
    for (size_t i = 0; i < entry->n_texts && !status; i++) {
        const spar__store_text *text = &entry->text[i];
        status = add_text(tail->self, tail->experiment, text, spar__text_owner(text, sequence), err);
    }
    if (status && key.kind == SPAR__KEY_IMPORT)
        imports_take_back(tail->self, &key);
    return status;
}

static spar_status add_event(append_tail *tail, const unsigned char *bytes, size_t length, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    int64_t id = (int64_t)tail->experiment * SPAR__SQLITE_SPAN + (int64_t)tail->end.sequence + 1;
    spar__chain_next(tail->end.hash, bytes, length, hash);
    sqlite3_stmt *event = spar__sqlite_bind(tail->self, SPAR__SQL_sqlite_event, err, "ibb", id, (const void *)bytes,
                                            length, (const void *)hash, sizeof hash);
    spar_status status = spar__sqlite_run(tail->self, event, err);
    if (!status) {
        tail->end.sequence++;
        memcpy(tail->end.hash, hash, sizeof hash);
    }
    return status;
}

static spar_status add_whole(append_tail *tail, spar__store_entry *entry, spar_error *err)
{
    unsigned char *bytes;
    size_t length;
    spar_status status = spar__entry_encode(entry, tail->end.sequence + 1, &bytes, &length);
    if (status)
        return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
    status = add_parts(tail, entry, err);
    if (!status)
        status = add_event(tail, bytes, length, err);
    if (!status)
        memcpy(entry->hash, tail->end.hash, sizeof entry->hash);
    spar_bytes_free(bytes);
    return status;
}

static spar_status savepoint(spar__sqlite *self, spar__sql id, spar_error *err)
{
    return spar__sqlite_run(self, spar__sqlite_bind(self, id, err, ""), err);
}

/* An entry that is refused leaves no trace: what may be refused after something was written needs a savepoint. */
static spar_status add_entry(append_tail *tail, spar__store_entry *entry, spar_error *err)
{
    bool saved = entry->n_texts > 0;
    spar_status status = saved ? savepoint(tail->self, SPAR__SQL_sqlite_save, err) : SPAR_OK;
    if (status)
        return status;
    status = add_whole(tail, entry, err);
    bool refused = status == SPAR_CONFLICT || status == SPAR_INVALID;
    if (refused) {
        spar__entry_refuse(entry, status);
        status = saved ? savepoint(tail->self, SPAR__SQL_sqlite_restore, err) : SPAR_OK;
    }
    return !status && saved ? savepoint(tail->self, SPAR__SQL_sqlite_release, err) : status;
}

static bool has_imports(size_t n, const spar__store_entry *entry)
{
    for (size_t i = 0; i < n; i++)
        if (spar_event_kind_of(entry[i].event) == SPAR_EVENT_IMPORTED)
            return true;
    return false;
}

static spar_status add_all(append_tail *tail, size_t n, spar__store_entry *entry, spar_error *err)
{
    bool imports = has_imports(n, entry);
    spar_status status = read_head(tail->self, tail->experiment, &tail->end, err);
    if (!status && !tail->end.sequence)
        status = spar__sqlite_known(tail->self, tail->experiment, err);
    if (!status && imports)
        status = imports_begin(tail->self, tail->experiment, tail->end.sequence, err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_entry(tail, &entry[i], err);
    if (!status && imports)
        status = imports_end(tail->self, tail->end.sequence, err);
    return status;
}

static spar_status append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry, spar_error *err)
{
    append_tail tail = {.self = (spar__sqlite *)store, .experiment = experiment};
    spar_status status = spar__sqlite_ready(tail.self, err);
    if (!status)
        status = spar__sqlite_begin(tail.self, err);
    if (status)
        return status;
    status = spar__sqlite_end(tail.self, add_all(&tail, n, entry, err), err);
    if (status)
        tail.self->imports.experiment = 0; /* nothing is known of them */
    return status;
}

/* --- numbers of screens --- */

static spar_status last_screen(spar__sqlite *self, uint64_t experiment, uint64_t *last, spar_error *err)
{
    bool row;
    sqlite3_stmt *screens = spar__sqlite_bind(self, SPAR__SQL_sqlite_screens, err, "i", (int64_t)experiment);
    spar_status status = spar__sqlite_ask(self, screens, &row, last, err);
    return status || row ? status : spar__fail_no_experiment(&self->base, experiment, err);
}

/* Nobody asks so often: somebody wrote to the file. */
static spar_status check_left(const spar__sqlite *self, uint64_t last, spar_error *err)
{
    if (last < INT64_MAX)
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "%s: there is no number for another screen: the last is %llu", self->base.name,
                      (unsigned long long)last);
}

/* Without the lock, the number is noted in the file, so that nobody else gets it. */
static spar_status reserve_screen(spar__sqlite *self, uint64_t experiment, uint64_t *number, spar_error *err)
{
    uint64_t last = 0;
    spar_status status = spar__sqlite_begin(self, err);
    if (status)
        return status;
    status = last_screen(self, experiment, &last, err);
    if (!status)
        status = check_left(self, last, err);
    if (!status)
        status = spar__sqlite_run(
            self, spar__sqlite_bind(self, SPAR__SQL_sqlite_reserve, err, "ii", (int64_t)experiment, (int64_t)last + 1),
            err);
    status = spar__sqlite_end(self, status, err);
    *number = status ? 0 : last + 1;
    return status;
}

static spar_status next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status && !store->locked)
        return reserve_screen(self, experiment, number, err);
    if (!status && !self->last_screen)
        status = last_screen(self, experiment, &self->last_screen, err);
    if (!status)
        status = check_left(self, self->last_screen, err);
    *number = status ? 0 : ++self->last_screen;
    return status;
}

/* --- dropping texts --- */

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
                             spar__sqlite_bind(self, SPAR__SQL_sqlite_text_drop, err, "iiii", (int64_t)experiment,
                                               (int64_t)key[i].kind, (int64_t)key[i].owner, (int64_t)key[i].version),
                             err);
        *deleted += status ? 0 : (size_t)sqlite3_changes(self->db);
    }
    if (!status && *deleted > 0)
        status = rewrite(self, err);
    if (!status && *deleted > 0)
        status = spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_sqlite_owe, err, ""), err);
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
    (void)spar__sqlite_end(
        self, spar__sqlite_run(self, spar__sqlite_bind(self, SPAR__SQL_sqlite_owe_nothing, NULL, ""), NULL), NULL);
    return SPAR_OK;
}

static spar_status text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                             spar__text_dropped *dropped, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    size_t deleted = 0;
    bool owed = false;
    spar_status status = spar__sqlite_enter(store, experiment, err);
    if (status)
        return status;
    uint64_t one;
    status = spar__sqlite_ask(self, spar__sqlite_bind(self, SPAR__SQL_sqlite_owes, err, ""), &owed, &one, err);
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

/* --- the classes --- */

static spar_status open_file(spar__store *store, const char *path, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar__buf plain = {0};
    spar__buf_printf(&plain, "%s%s", path[0] == '/' ? "" : "./", path);
    self->path = plain.text;
    store->name = spar__strdup(path);
    if (plain.failed || !store->name)
        return spar__fail_memory(err);
    return spar__sqlite_connect(self, err);
}

static spar_status open_memory(spar__store *store, const char *name, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar__buf shown = {0}, uri = {0};
    spar__buf_printf(&shown, "memory:%s", name);
    for (; *name; name++)
        spar__buf_printf(&uri, "%%%02x", (unsigned)(unsigned char)*name);
    store->name = shown.text;
    self->path = uri.text;
    self->memory = true;
    return shown.failed || uri.failed ? spar__fail_memory(err) : spar__sqlite_connect(self, err);
}

static void close_sqlite(spar__store *store)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar__sqlite_disconnect(self); /* rolls back, too */
    spar__sqlite_unhold(self);
    spar__key_table_fini(&self->imports.recent);
    spar__free(self->path);
}

extern const spar__store_class spar__store_sqlite;
const spar__store_class spar__store_sqlite = {
    .name = "sqlite",
    .brief = "a file, by SQLite",
    .scheme = {"sqlite"},
    .size = sizeof(spar__sqlite),
    .open = open_file,
    .close = close_sqlite,
    .run = spar__sqlite_call,
    .number = spar__sqlite_column_number,
    .bytes = spar__sqlite_column_bytes,
    .begin = spar__sqlite_enter,
    .end = spar__sqlite_leave,
    .append = append,
    .next_screen = next_screen,
    .look = look,
    .text_drop = text_drop,
    .backup = spar__sqlite_backup,
    .check = spar__sqlite_check,
    .hold = spar__sqlite_hold,
};

extern const spar__store_class spar__store_memory;
const spar__store_class spar__store_memory = {
    .name = "memory",
    .brief = "in the memory of this process, by SQLite",
    .scheme = {"memory"},
    .size = sizeof(spar__sqlite),
    .open = open_memory,
    .close = close_sqlite,
    .run = spar__sqlite_call,
    .number = spar__sqlite_copied_number,
    .bytes = spar__sqlite_copied_bytes,
    .begin = spar__sqlite_enter,
    .end = spar__sqlite_leave,
    .append = append,
    .next_screen = next_screen,
    .look = look,
    .text_drop = text_drop,
    .backup = spar__sqlite_backup,
    .check = spar__sqlite_check,
};
