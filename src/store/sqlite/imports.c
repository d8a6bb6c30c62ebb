/* imports.c - an import key is in the log once (sqlite.h).
 *
 * Keys come in random order. A table that holds a million of them has some 6,000 pages, and a batch of 4,096 new ones
 * would change half of these: 2 GB through the write-ahead log for a million imports. So keys go to the table many at a
 * time, sorted. The table has those of all events up to experiment.indexed; those of later events are in the log
 * itself, and in memory while it is appended to: `recent`, which under the lock is always the keys of the events
 * indexed + 1 .. head. */
#include "store/sqlite/sqlite.h"

#include <stdlib.h>

enum { KIND_AT = 1, KEY_AT = 22 }; /* in an encoded event */

size_t spar__sqlite_most_recent = 16384;

void spar__sqlite_imports_forget(spar__sqlite *self)
{
    self->imports.experiment = 0;
}

static spar_status read_indexed(spar__sqlite *self, uint64_t experiment, uint64_t *indexed, spar_error *err)
{
    bool row;
    sqlite3_stmt *get = spar__sqlite_bind(self, SPAR__SQL_indexed, err, "i", (int64_t)experiment);
    spar_status status = spar__sqlite_step(self, get, &row, "read", err);
    if (status || !row)
        return status;
    *indexed = (uint64_t)sqlite3_column_int64(get, 0);
    (void)sqlite3_reset(get);
    return SPAR_OK;
}

static spar_status note(spar__sqlite_imports *imports, const spar__once *once, spar_error *err)
{
    if (spar__key_table_reserve(&imports->recent, 1))
        return spar__fail_memory(err);
    imports->recent.entry[spar__key_get(&imports->recent, once->high, once->low)].count = 1;
    return SPAR_OK;
}

static spar_status note_event(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                              const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)sequence, (void)hash;
    if (length < KEY_AT + SPAR_HASH_SIZE || bytes[KIND_AT] != SPAR_EVENT_IMPORTED)
        return SPAR_OK;
    spar__once once = spar__once_import(bytes + KEY_AT);
    return note(context, &once, err);
}

spar_status spar__sqlite_imports_begin(spar__sqlite *self, uint64_t experiment, uint64_t head, spar_error *err)
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
        status = spar__sqlite_read(&self->base, experiment, imports->upto + 1, head, note_event, imports, err);
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

spar_status spar__sqlite_imports_add(spar__sqlite *self, const spar__once *once, spar_error *err)
{
    unsigned char key[16];
    bool row;
    const spar__keyed keyed = {once->high, once->low, 1};
    size_t at = spar__key_find(&self->imports.recent, once->high, once->low);
    if (at != SPAR__NO_KEY && self->imports.recent.entry[at].count)
        return SPAR_CONFLICT;
    sqlite3_stmt *find = bind_key(self, SPAR__SQL_is_imported, key, &keyed, err);
    spar_status status = spar__sqlite_step(self, find, &row, "read", err);
    if (row)
        (void)sqlite3_reset(find);
    if (status || row)
        return status ? status : SPAR_CONFLICT;
    return note(&self->imports, once, err);
}

void spar__sqlite_imports_take_back(spar__sqlite *self, const spar__once *once)
{
    size_t at = spar__key_find(&self->imports.recent, once->high, once->low);
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
            status = spar__sqlite_run(self, bind_key(self, SPAR__SQL_imported, key, &recent->entry[i], err), err);
    }
    if (!status)
        status = spar__sqlite_run(
            self,
            spar__sqlite_bind(self, SPAR__SQL_set_indexed, err, "ii", (int64_t)self->imports.experiment, (int64_t)head),
            err);
    spar__key_table_fini(recent);
    self->imports.indexed = head;
    return status;
}

spar_status spar__sqlite_imports_end(spar__sqlite *self, uint64_t head, spar_error *err)
{
    self->imports.upto = head;
    return self->imports.recent.n > spar__sqlite_most_recent + head / 16 ? index_recent(self, head, err) : SPAR_OK;
}
