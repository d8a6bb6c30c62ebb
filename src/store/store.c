/* store.c - what a store does, for every kind: modes, names, lengths and the lock are checked, and what is plain SQL is
 * said to the database through the functions of its class (class.h, statements.def). */
#include "store/class.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "store/digest.h"

#include <stdio.h>
#include <string.h>

enum {
    LONGEST_NAME = 200,
    LONGEST_BLOB = 1000000000, /* what SQLite takes */
    CREATE_TRIES = 100,
    PIECE_EVENTS = 1024,  /* that are read at once */
    PIECE_BYTES = 4 << 20 /* of texts that are read at once, or one text */
};

static const uint64_t LAST_EVENT = (UINT64_C(1) << 40) - 1; /* that a log may have */

atomic_uint spar__store_patience = 10000;

spar_status spar__store_open(const char *place, spar__store_mode mode, spar__store **out, spar_error *err)
{
    size_t skip;
    const spar__store_class *cls = spar__store_class_of(place, &skip, err);
    *out = NULL;
    if (!cls)
        return SPAR_UNKNOWN;
    if (!place[skip])
        return spar__fail(err, SPAR_INVALID, "'%s' is no place for a log: a file was expected", place);
    spar__store *store = spar__alloc(1, cls->size);
    if (!store)
        return spar__fail_memory(err);
    store->cls = cls;
    store->mode = mode;
    spar_status status = cls->open(store, cls->url ? place : place + skip, err);
    if (status) {
        spar__store_close(store);
        return status;
    }
    *out = store;
    return SPAR_OK;
}

void spar__store_close(spar__store *store)
{
    if (!store)
        return;
    store->cls->close(store);
    spar__free(store->name);
    spar__free(store);
}

const char *spar__store_name(const spar__store *store)
{
    return store->name;
}

const char *spar__store_class_name(const spar__store *store)
{
    return store->cls->name;
}

static spar_status need_writable(const spar__store *store, spar_error *err)
{
    if (store->mode == SPAR__STORE_READ)
        return spar__fail(err, SPAR_INVALID, "%s: was opened for reading only", store->name);
    return SPAR_OK;
}

/* Writable, and the lock is not held: what is written here commits by itself. */
static spar_status need_free(const spar__store *store, spar_error *err)
{
    if (store->locked)
        return spar__fail(err, SPAR_INVALID, "%s: the lock is held: only an append is expected", store->name);
    return need_writable(store, err);
}

static spar_status need_length(const spar__store *store, size_t length, spar_error *err)
{
    if (length > LONGEST_BLOB)
        return spar__fail(err, SPAR_INVALID, "%s: %zu bytes are too long, at most %d", store->name, length,
                          LONGEST_BLOB);
    return SPAR_OK;
}

/* --- statements --- */

spar_status spar__store_run(spar__store *store, spar__sql_call *call, spar_error *err, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    spar_status status = store->cls->run(store, call, types, args, err);
    va_end(args);
    return status;
}

static uint64_t number(const spar__sql_row *row, int column)
{
    return row->cls->number(row, column);
}

static const unsigned char *bytes(const spar__sql_row *row, int column, size_t *length)
{
    return row->cls->bytes(row, column, length);
}

static spar_status take_number(void *context, const spar__sql_row *row, spar_error *err)
{
    (void)err;
    *(uint64_t *)context = number(row, 0);
    return SPAR_OK;
}

/* A column as new bytes. */
static spar_status copy_column(const spar__sql_row *row, int column, unsigned char **out, size_t *length,
                               spar_error *err)
{
    const unsigned char *data = bytes(row, column, length);
    *out = *length && !data ? NULL : spar__bytes_copy(data, *length);
    if (*out)
        return SPAR_OK;
    *length = 0;
    return spar__fail_memory(err);
}

/* A column of 32 bytes: a hash or a salt. */
static bool take_32(const spar__sql_row *row, int column, unsigned char out[32])
{
    size_t length;
    const unsigned char *data = bytes(row, column, &length);
    bool good = data && length == 32;
    if (good)
        memcpy(out, data, 32);
    return good;
}

_Static_assert(SPAR_HASH_SIZE == 32 && SPAR__SALT_SIZE == 32, "see take_32");

spar_status spar__fail_no_experiment(const spar__store *store, uint64_t experiment, spar_error *err)
{
    return spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment %llu", store->name, (unsigned long long)experiment);
}

/* --- experiments --- */

typedef struct experiment_list {
    spar__store_experiment_fn fn;
    void *context;
} experiment_list;

static spar_status give_experiment(void *context, const spar__sql_row *row, spar_error *err)
{
    const experiment_list *list = context;
    size_t length;
    const char *name = (const char *)bytes(row, 1, &length);
    (void)err;
    return list->fn(list->context, number(row, 0), name ? name : "");
}

spar_status spar__store_experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err)
{
    experiment_list list = {fn, context};
    spar__sql_call call = {.id = SPAR__SQL_experiments, .fn = give_experiment, .context = &list};
    return spar__store_run(store, &call, err, "");
}

/* *experiment 0: there is none of that name. */
static spar_status find_name(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_named, .fn = take_number, .context = experiment};
    return spar__store_run(store, &call, err, "s", name);
}

typedef struct name_search {
    const char *name; /* NULL: any */
    uint64_t found;
    size_t matches, n;
    spar__buf list; /* of the names, for a message */
} name_search;

static spar_status search_one(void *context, uint64_t experiment, const char *name)
{
    name_search *search = context;
    if (!search->name || strcmp(search->name, name) == 0) {
        search->found = experiment;
        search->matches++;
    }
    if (search->n < 20)
        spar__buf_printf(&search->list, "%s%s", search->n ? ", " : "", name[0] ? name : "'' (without a name)");
    else if (search->n == 20)
        spar__buf_adds(&search->list, ", ...");
    search->n++;
    return search->list.failed ? SPAR_NOMEM : SPAR_OK;
}

static spar_status fail_search(const spar__store *store, const name_search *search, spar_error *err)
{
    if (search->n == 0)
        return spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment", store->name);
    if (search->name)
        return spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment '%s'; there are: %s", store->name, search->name,
                          search->list.text);
    return spar__fail(err, SPAR_UNKNOWN, "%s: holds %zu experiments, name one as %s#NAME: %s", store->name, search->n,
                      store->name, search->list.text);
}

spar_status spar__store_find(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    name_search search = {.name = name};
    *experiment = 0;
    spar_status status = name ? find_name(store, name, experiment, err) : SPAR_OK;
    if (status || *experiment)
        return status;
    status = spar__store_experiments(store, search_one, &search, err);
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    else if (!status && search.matches != 1)
        status = fail_search(store, &search, err);
    else if (!status)
        *experiment = search.found;
    spar__buf_free(&search.list);
    return status;
}

/* Names stand in places (FILE#NAME) and in messages. */
static bool good_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += spar__utf8_next(name + at, length - at, &code);
        if (code == SPAR__UTF8_BAD || spar__utf8_acts(code) || code == '#' || code == '/')
            return false;
    }
    return length <= LONGEST_NAME;
}

/* *experiment 0: another one had the same number or the same name. */
static spar_status try_create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    uint64_t created = 0;
    spar__sql_call call = {.id = SPAR__SQL_create, .fn = take_number, .context = &created};
    spar_status status = store->cls->begin(store, 0, err);
    if (!status)
        status = store->cls->end(store, spar__store_run(store, &call, err, "s", name), err);
    *experiment = status ? 0 : created;
    return status;
}

static spar_status create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (int i = 0; i < CREATE_TRIES && !status && !*experiment; i++) {
        uint64_t there = 0;
        status = try_create(store, name, experiment, err);
        if (!status && !*experiment)
            status = find_name(store, name, &there, err);
        if (there)
            return spar__fail(err, SPAR_CONFLICT, "%s: there is an experiment '%s' already", store->name, name);
    }
    if (!status && !*experiment)
        return spar__fail(err, SPAR_BUSY, "%s: too many make experiments at once", store->name);
    return status;
}

spar_status spar__store_create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    *experiment = 0;
    spar_status status = need_free(store, err);
    if (status)
        return status;
    if (!good_name(name))
        return spar__fail(err, SPAR_INVALID,
                          "'%s' cannot be the name of an experiment: at most %d bytes of text without '#', '/' and "
                          "control characters were expected",
                          name, LONGEST_NAME);
    return create(store, name, experiment, err);
}

/* --- the lock, and writing --- */

spar_status spar__store_lock(spar__store *store, uint64_t experiment, spar_error *err)
{
    if (store->locked == experiment)
        return SPAR_OK;
    spar_status status = need_free(store, err);
    if (!status)
        status = store->cls->begin(store, experiment, err);
    if (!status)
        store->locked = experiment;
    return status;
}

void spar__store_unlock(spar__store *store)
{
    if (store->locked)
        (void)store->cls->end(store, SPAR_INTERRUPTED, NULL);
    store->locked = 0;
}

unsigned spar__store_hurry(unsigned milliseconds)
{
    return atomic_exchange(&spar__store_patience, milliseconds);
}

spar_status spar__store_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                               spar_error *err)
{
    spar_status status = store->locked == experiment ? SPAR_OK : need_free(store, err);
    for (size_t i = 0; i < n; i++) {
        entry[i].status = SPAR_OK;
        memset(entry[i].hash, 0, sizeof entry[i].hash);
        for (size_t j = 0; j < entry[i].n_texts && !status; j++)
            status = need_length(store, entry[i].text[j].length, err);
    }
    if (!status && n > 0)
        status = store->cls->append(store, experiment, n, entry, err);
    else
        spar__store_unlock(store);
    store->locked = 0;
    return status;
}

spar_status spar__store_next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    *number = 0;
    spar_status status = store->locked == experiment ? SPAR_OK : need_free(store, err);
    return status ? status : store->cls->next_screen(store, experiment, number, err);
}

/* --- reading --- */

spar_status spar__store_look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err)
{
    *mark = (spar__store_mark){0};
    return store->cls->look(store, experiment, mark, err);
}

spar_status spar__store_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                             unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__store_mark mark;
    spar_status status = spar__store_look(store, experiment, &mark, err);
    *sequence = status ? 0 : mark.sequence;
    memset(hash, 0, SPAR_HASH_SIZE);
    if (!status)
        memcpy(hash, mark.hash, SPAR_HASH_SIZE);
    return status;
}

typedef struct event_reading {
    spar__store *store;
    uint64_t next, last; /* last: of this piece */
    bool told;           /* fn failed: what it says is passed on */
    spar__store_event_fn fn;
    void *context;
} event_reading;

static spar_status fail_event(const event_reading *r, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_CORRUPT, "%s: event %llu %s; the events before it can be read", r->store->name,
                      (unsigned long long)r->next, what);
}

static spar_status give_event(void *context, const spar__sql_row *row, spar_error *err)
{
    event_reading *r = context;
    size_t length, size;
    const unsigned char *body = bytes(row, 1, &length), *hash = bytes(row, 2, &size);
    r->told = true;
    if (number(row, 0) != r->next)
        return fail_event(r, "is missing", err);
    if (!body || !hash || size != SPAR_HASH_SIZE)
        return fail_event(r, "is damaged", err);
    r->next++;
    spar_status status = r->fn(r->context, r->next - 1, body, length, hash, err);
    r->told = status != SPAR_OK;
    return status;
}

/* As much as there was when it began, piece by piece: nobody waits for a reader for long. Where the end of the log is
 * damaged, what is before it is read all the same. */
spar_status spar__store_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                             spar__store_event_fn fn, void *context, spar_error *err)
{
    event_reading r = {.store = store, .next = from ? from : 1, .fn = fn, .context = context};
    spar__sql_call call = {.id = SPAR__SQL_read, .fn = give_event, .context = &r};
    spar__store_mark mark;
    spar_error damage = {0};
    spar_status status = SPAR_OK, damaged = spar__store_look(store, experiment, &mark, &damage);
    uint64_t last = damaged == SPAR_CORRUPT ? LAST_EVENT : damaged ? 0 : mark.sequence;
    last = to && to < last ? to : last;
    while (!status && r.next <= last) {
        r.last = last - r.next < PIECE_EVENTS ? last : r.next + PIECE_EVENTS - 1;
        status = spar__store_run(store, &call, err, "iii", (int64_t)experiment, (int64_t)r.next, (int64_t)r.last);
        if (status == SPAR_CORRUPT && !r.told)
            return fail_event(&r, "cannot be read: the store is damaged there", err);
        if (!status && r.next <= r.last && damaged)
            break;
        if (!status && r.next <= r.last)
            return fail_event(&r, "is missing", err);
    }
    if (status || !damaged || (to && r.next > to && damaged == SPAR_CORRUPT))
        return status;
    return spar__fail(err, damaged, "%s", damage.text);
}

static spar__unique_key key_about(spar_event_kind kind, uint64_t screen, uint32_t revision)
{
    switch (kind) {
    case SPAR_EVENT_SCREEN:
        return (spar__unique_key){SPAR__KEY_SCREEN, screen, 0};
    case SPAR_EVENT_ANSWER:
        return (spar__unique_key){SPAR__KEY_ANSWER, screen, revision};
    case SPAR_EVENT_UNDO:
        return (spar__unique_key){SPAR__KEY_UNDO, screen, revision};
    default:
        return (spar__unique_key){SPAR__KEY_NONE, 0, 0};
    }
}

spar__unique_key spar__unique_key_import(const unsigned char key[SPAR_HASH_SIZE])
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(key, SPAR_HASH_SIZE, hash);
    return (spar__unique_key){SPAR__KEY_IMPORT, spar__get_u64(hash), spar__get_u64(hash + 8)};
}

spar__unique_key spar__unique_key_of(const spar_event *event)
{
    if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED)
        return spar__unique_key_import(spar_event_key(event));
    return key_about(spar_event_kind_of(event), spar_event_number(event), spar_event_revision(event));
}

spar_status spar__store_locate(spar__store *store, uint64_t experiment, spar_event_kind kind, uint64_t screen,
                               uint32_t revision, uint64_t *sequence, spar_error *err)
{
    static const spar__sql find[] = {[SPAR__KEY_SCREEN] = SPAR__SQL_find_screen,
                                     [SPAR__KEY_ANSWER] = SPAR__SQL_find_answer,
                                     [SPAR__KEY_UNDO] = SPAR__SQL_find_undo};
    spar__unique_key key = key_about(kind, screen, revision);
    *sequence = 0;
    if (!key.kind)
        return SPAR_OK;
    spar__sql_call call = {find[key.kind], experiment, take_number, sequence, 0};
    return spar__store_run(store, &call, err, "iii", (int64_t)experiment, (int64_t)key.high, (int64_t)key.low);
}

/* --- texts --- */

typedef struct text_taking {
    unsigned char *salt, **bytes;
    size_t *length;
} text_taking;

static spar_status take_text(void *context, const spar__sql_row *row, spar_error *err)
{
    const text_taking *take = context;
    if (!take_32(row, 0, take->salt))
        return spar__fail(err, SPAR_CORRUPT, "a text has no salt");
    return copy_column(row, 1, take->bytes, take->length, err);
}

spar_status spar__store_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                 uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **out,
                                 size_t *length, spar_error *err)
{
    text_taking take = {salt, out, length};
    spar__sql_call call = {.id = SPAR__SQL_text_get, .fn = take_text, .context = &take};
    *out = NULL;
    *length = 0;
    spar_status status = spar__store_run(store, &call, err, "iiii", (int64_t)experiment, (int64_t)kind, (int64_t)owner,
                                         (int64_t)version);
    return !status && !call.n ? spar__fail(err, SPAR_UNKNOWN, "%s: there is no such text", store->name) : status;
}

/* Texts of one kind whose owners, as the database sees them, are from .. last; version: the last that was given. */
typedef struct text_list {
    const spar__store *store;
    spar__text_kind kind;
    int64_t from, last, version;
    spar__store_text_fn fn;
    void *context;
} text_list;

static spar_status give_text(void *context, const spar__sql_row *row, spar_error *err)
{
    text_list *list = context;
    spar__store_text text = {.kind = list->kind, .owner = number(row, 0), .version = (uint32_t)number(row, 1)};
    text.bytes = bytes(row, 3, &text.length);
    if (!text.bytes)
        text.bytes = (const unsigned char *)"";
    if (!take_32(row, 2, text.salt))
        return spar__fail(err, SPAR_CORRUPT, "%s: a text has no salt", list->store->name);
    list->from = (int64_t)text.owner;
    list->version = (int64_t)number(row, 1);
    return list->fn(list->context, &text, err);
}

static spar_status give_texts(spar__store *store, uint64_t experiment, text_list *list, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_text_each, .fn = give_text, .context = list};
    spar_status status;
    do
        status = spar__store_run(store, &call, err, "iiiiii", (int64_t)experiment, (int64_t)list->kind, list->from,
                                 list->version, list->last, (int64_t)PIECE_BYTES);
    while (!status && call.n > 0);
    return status;
}

/* Owners are unsigned: those that a database takes for negative come last. */
spar_status spar__store_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                                  void *context, spar_error *err)
{
    int first = kind ? (int)kind : SPAR__TEXT_QUESTION, last = kind ? (int)kind : SPAR__TEXT_SOURCE;
    spar__store_mark mark;
    spar_status status = spar__store_look(store, experiment, &mark, err);
    for (int k = first; k <= last && !status; k++) {
        text_list list = {store, (spar__text_kind)k, 0, INT64_MAX, -1, fn, context};
        status = give_texts(store, experiment, &list, err);
        list.from = INT64_MIN, list.last = -1, list.version = -1;
        if (!status)
            status = give_texts(store, experiment, &list, err);
    }
    return status;
}

spar_status spar__store_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_text_add};
    spar_status status = need_free(store, err);
    if (!status)
        status = need_length(store, text->length, err);
    if (!status)
        status = store->cls->begin(store, experiment, err);
    if (status)
        return status;
    status = spar__store_run(store, &call, err, "iiiibb", (int64_t)experiment, (int64_t)text->kind,
                             (int64_t)text->owner, (int64_t)text->version, (const void *)text->salt, sizeof text->salt,
                             (const void *)text->bytes, text->length);
    if (!status && !call.n)
        status = spar__fail(err, SPAR_CONFLICT, "%s: there is such a text already", store->name);
    return store->cls->end(store, status, err);
}

spar_status spar__store_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                  spar__text_dropped *dropped, spar_error *err)
{
    spar__text_dropped ignored;
    dropped = dropped ? dropped : &ignored;
    *dropped = (spar__text_dropped){0};
    spar_status status = store->locked == experiment ? SPAR_OK : need_free(store, err);
    if (!status)
        status = store->cls->text_drop(store, experiment, n, key, dropped, err);
    else
        spar__store_unlock(store);
    store->locked = 0;
    return status;
}

spar_status spar__store_text_drops(spar__store *store, uint64_t experiment, uint64_t *drops, spar_error *err)
{
    spar__store_mark mark;
    spar_status status = spar__store_look(store, experiment, &mark, err);
    *drops = status ? 0 : mark.drops;
    return status;
}

spar_status spar__store_voter(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                              spar_error *err)
{
    spar__sql_call call = {SPAR__SQL_voter, experiment, take_number, voter, 0};
    *voter = 0;
    return spar__store_run(store, &call, err, "ib", (int64_t)experiment, (const void *)name, length);
}

/* --- snapshots --- */

spar_status spar__store_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                     const unsigned char *data, size_t length, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_snapshot_put, .experiment = experiment};
    spar_status status = need_free(store, err);
    if (!status)
        status = need_length(store, length, err);
    if (!status)
        status = store->cls->begin(store, 0, err);
    if (status)
        return status;
    status = spar__store_run(store, &call, err, "iiibb", (int64_t)experiment, (int64_t)snapshot->sequence,
                             (int64_t)snapshot->engine, (const void *)snapshot->hash, sizeof snapshot->hash,
                             (const void *)data, length);
    return store->cls->end(store, status, err);
}

typedef struct snapshot_taking {
    const spar__store *store;
    spar__store_snapshot *snapshot;
    unsigned char **bytes;
    size_t *length;
} snapshot_taking;

static spar_status take_snapshot(void *context, const spar__sql_row *row, spar_error *err)
{
    const snapshot_taking *take = context;
    take->snapshot->sequence = number(row, 0);
    if (!take_32(row, 1, take->snapshot->hash))
        return spar__fail(err, SPAR_CORRUPT, "%s: snapshot %llu has no hash", take->store->name,
                          (unsigned long long)take->snapshot->sequence);
    return copy_column(row, 2, take->bytes, take->length, err);
}

static int64_t signed_limit(uint64_t limit)
{
    return limit > INT64_MAX ? INT64_MAX : (int64_t)limit;
}

spar_status spar__store_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                     spar__store_snapshot *snapshot, unsigned char **out, size_t *length,
                                     spar_error *err)
{
    snapshot_taking take = {store, snapshot, out, length};
    spar__sql_call call = {SPAR__SQL_snapshot_get, experiment, take_snapshot, &take, 0};
    *out = NULL;
    *length = 0;
    snapshot->engine = engine;
    spar_status status =
        spar__store_run(store, &call, err, "iii", (int64_t)experiment, signed_limit(limit), (int64_t)engine);
    return !status && !call.n ? spar__fail(err, SPAR_UNKNOWN, "%s: there is no such snapshot", store->name) : status;
}

typedef struct sequence_list {
    uint64_t *sequence;
    size_t *n;
} sequence_list;

static spar_status list_sequence(void *context, const spar__sql_row *row, spar_error *err)
{
    const sequence_list *list = context;
    (void)err;
    list->sequence[(*list->n)++] = number(row, 0);
    return SPAR_OK;
}

spar_status spar__store_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                      size_t *n, spar_error *err)
{
    sequence_list list = {sequence, n};
    spar__sql_call call = {SPAR__SQL_snapshot_list, experiment, list_sequence, &list, 0};
    *n = 0;
    return spar__store_run(store, &call, err, "ii", (int64_t)experiment, signed_limit(most));
}

spar_status spar__store_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                      spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_snapshot_keep};
    spar__buf list = {0};
    spar__buf_adds(&list, "");
    for (size_t i = 0; i < n; i++)
        spar__buf_printf(&list, i ? ",%llu" : "%llu", (unsigned long long)sequence[i]);
    spar_status status = need_free(store, err);
    if (!status && list.failed)
        status = spar__fail_memory(err);
    if (!status)
        status = store->cls->begin(store, 0, err);
    if (!status)
        status = store->cls->end(
            store, spar__store_run(store, &call, err, "is", (int64_t)experiment, list.text ? list.text : ""), err);
    spar__buf_free(&list);
    return status;
}

/* --- secrets --- */

/* Writable, not too long, and the name is not one of the store's own. */
static spar_status need_secret(const spar__store *store, const char *name, size_t length, spar_error *err)
{
    if (strncmp(name, "spar:", 5) == 0)
        return spar__fail(err, SPAR_INVALID, "%s: '%s' cannot be the name of a secret: 'spar:' is kept for the store",
                          store->name, name);
    spar_status status = need_free(store, err);
    return status ? status : need_length(store, length, err);
}

/* Those who keep copies of secrets see by this row of ours that one has changed. */
static const char CHANGED[] = "spar:changed";

/* The end of a transaction that changes secrets. */
static spar_status end_change(spar__store *store, spar_status status, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_secret_put};
    unsigned char value[8];
    if (!status)
        status = spar__random_bytes(value, sizeof value, err);
    if (!status)
        status = spar__store_run(store, &call, err, "sb", CHANGED, (const void *)value, sizeof value);
    return store->cls->end(store, status, err);
}

static spar_status take_version(void *context, const spar__sql_row *row, spar_error *err)
{
    size_t length;
    const unsigned char *value = bytes(row, 0, &length);
    (void)err;
    if (value && length == 8)
        *(uint64_t *)context = spar__get_u64(value);
    return SPAR_OK;
}

spar_status spar__store_secret_version(spar__store *store, uint64_t *version, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_secret_get, .fn = take_version, .context = version};
    *version = 0;
    return spar__store_run(store, &call, err, "s", CHANGED);
}

spar_status spar__store_secret_put(spar__store *store, const char *name, const unsigned char *data, size_t length,
                                   spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_secret_put};
    spar_status status = need_secret(store, name, length, err);
    if (!status)
        status = store->cls->begin(store, 0, err);
    if (status)
        return status;
    return end_change(store, spar__store_run(store, &call, err, "sb", name, (const void *)data, length), err);
}

spar_status spar__store_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_secret_add, .n = 1};
    spar_status status = need_free(store, err);
    for (size_t i = 0; i < n && !status; i++)
        status = need_secret(store, secret[i].name, secret[i].length, err);
    if (!status)
        status = store->cls->begin(store, 0, err);
    if (status)
        return status;
    for (size_t i = 0; i < n && !status; i++) {
        status =
            spar__store_run(store, &call, err, "sb", secret[i].name, (const void *)secret[i].bytes, secret[i].length);
        if (!status && !call.n)
            status = spar__fail(err, SPAR_CONFLICT, "%s: there is a secret '%s' already", store->name, secret[i].name);
    }
    return end_change(store, status, err);
}

spar_status spar__store_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err)
{
    const spar__store_secret *was = &was_now[0], *now = &was_now[1];
    spar__sql_call call = {.id = SPAR__SQL_secret_swap};
    spar_status status = need_secret(store, was->name, now->length, err);
    if (!status && strcmp(was->name, now->name) != 0)
        status = spar__fail(err, SPAR_INVALID, "%s: secrets '%s' and '%s' cannot be swapped: one name was expected",
                            store->name, was->name, now->name);
    if (!status)
        status = store->cls->begin(store, 0, err);
    if (status)
        return status;
    status = spar__store_run(store, &call, err, "sbb", was->name, (const void *)was->bytes, was->length,
                             (const void *)now->bytes, now->length);
    if (!status && !call.n)
        status = spar__fail(err, SPAR_CONFLICT, "%s: secret '%s' is not what it was", store->name, was->name);
    return end_change(store, status, err);
}

typedef struct secret_taking {
    unsigned char **bytes;
    size_t *length;
} secret_taking;

static spar_status take_secret(void *context, const spar__sql_row *row, spar_error *err)
{
    const secret_taking *take = context;
    return copy_column(row, 0, take->bytes, take->length, err);
}

spar_status spar__store_secret_get(spar__store *store, const char *name, unsigned char **out, size_t *length,
                                   spar_error *err)
{
    secret_taking take = {out, length};
    spar__sql_call call = {.id = SPAR__SQL_secret_get, .fn = take_secret, .context = &take};
    *out = NULL;
    *length = 0;
    spar_status status = spar__store_run(store, &call, err, "s", name);
    return !status && !call.n ? spar__fail(err, SPAR_UNKNOWN, "%s: there is no secret '%s'", store->name, name)
                              : status;
}

typedef struct secret_list {
    spar__store_secret_fn fn;
    void *context;
} secret_list;

static spar_status give_secret(void *context, const spar__sql_row *row, spar_error *err)
{
    const secret_list *list = context;
    size_t size, length;
    const char *name = (const char *)bytes(row, 0, &size);
    const unsigned char *data = bytes(row, 1, &length);
    if (!name || (length && !data))
        return spar__fail_memory(err);
    return list->fn(list->context, name, length ? data : (const unsigned char *)"", length);
}

spar_status spar__store_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                    spar_error *err)
{
    secret_list list = {fn, context};
    spar__sql_call call = {.id = SPAR__SQL_secret_each, .fn = give_secret, .context = &list};
    return spar__store_run(store, &call, err, "s", prefix);
}

spar_status spar__store_secret_drop(spar__store *store, const char *name, spar_error *err)
{
    spar__sql_call call = {.id = SPAR__SQL_secret_drop};
    spar_status status = need_secret(store, name, 0, err);
    if (!status)
        status = store->cls->begin(store, 0, err);
    return status ? status : end_change(store, spar__store_run(store, &call, err, "s", name), err);
}

/* --- the whole store --- */

spar_status spar__store_backup(spar__store *store, const char *path, spar_error *err)
{
    if (store->locked)
        return spar__fail(err, SPAR_INVALID, "%s: the lock is held: only an append is expected", store->name);
    return store->cls->backup(store, path, err);
}

spar_status spar__store_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    return store->cls->check(store, fn, context, err);
}

spar_status spar__store_hold(spar__store *store, spar_error *err)
{
    spar_status status = need_writable(store, err);
    return status || !store->cls->hold ? status : store->cls->hold(store, err);
}

void spar__report(spar__store_finding_fn fn, void *context, const char *format, ...)
{
    char sentence[640];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    fn(context, sentence);
}

/* --- for the classes --- */

uint64_t spar__text_owner(const spar__store_text *text, uint64_t sequence)
{
    return text->kind == SPAR__TEXT_SOURCE && text->owner == 0 ? sequence : text->owner;
}

spar_status spar__entry_encode(spar__store_entry *entry, uint64_t sequence, unsigned char **bytes, size_t *length)
{
    spar_event_set_stamp(entry->event, sequence, spar_event_time(entry->event));
    return spar_event_encode(entry->event, bytes, length);
}

void spar__entry_refuse(spar__store_entry *entry, spar_status status)
{
    entry->status = status;
    spar_event_set_stamp(entry->event, 0, spar_event_time(entry->event));
}

unsigned char *spar__bytes_copy(const void *bytes, size_t length)
{
    unsigned char *copy = spar__alloc(length + 1, 1);
    if (copy && length)
        memcpy(copy, bytes, length);
    return copy;
}
