/* postgres.c - what is written beside plain statements: events, the numbers of screens, the end of texts; and the class
 * (postgres.h).
 *
 * An append is one transaction and two round trips: the lock and the claims, that is, which of the keys of its events,
 * the names of its texts and the names of voters are taken, one query for each of the three; then the rows. What is
 * taken twice in the batch is between its entries, where the first one has it.
 *
 * A text that is dropped is gone from the table at once. Its bytes stay in the files of the database until PostgreSQL
 * writes them anew, and in its write-ahead log and its backups for as long as those are kept. */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "store/digest.h"

#include <string.h>

/* --- the lock, and the end of the log --- */

enum { LOCK_AT = SPAR__PG_AFTER_BEGIN, AFTER_LOCK }; /* which statement of a flush it is */

static void begin_locked(spar__postgres *self, uint64_t experiment)
{
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__SQL_lock, "i", (int64_t)experiment);
}

/* The end of a log out of result i. */
static spar_status take_head(const spar__postgres *self, size_t i, uint64_t experiment, spar__store_mark *mark,
                             spar_error *err)
{
    const PGresult *head = spar__pg_result(self, i);
    size_t length;
    if (PQntuples(head) == 0)
        return spar__fail_no_experiment(&self->base, experiment, err);
    const unsigned char *hash = spar__pg_bytes(head, 0, 1, &length);
    mark->sequence = spar__pg_number(head, 0, 0);
    if (length != SPAR_HASH_SIZE || mark->sequence > INT64_MAX)
        return spar__fail(err, SPAR_CORRUPT, "%s: the head of experiment %llu is damaged", self->base.name,
                          (unsigned long long)experiment);
    memcpy(mark->hash, hash, SPAR_HASH_SIZE);
    mark->drops = spar__pg_number(head, 0, 2);
    return SPAR_OK;
}

/* begin of the class; under the lock it has begun. */
static spar_status enter(spar__store *store, uint64_t experiment, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status || store->locked)
        return status;
    if (!experiment) {
        spar__pg_begin(self); /* goes with the first statement */
        return SPAR_OK;
    }
    begin_locked(self, experiment);
    status = spar__pg_flush(self, "lock it", err);
    if (!status)
        status = take_head(self, LOCK_AT, experiment, &self->end, err);
    return status ? spar__pg_end(self, status, "lock it", err) : SPAR_OK;
}

static spar_status leave(spar__store *store, spar_status status, spar_error *err)
{
    return spar__pg_end((spar__postgres *)store, status, "write", err);
}

/* Under the lock it is what the lock has found: nobody else can have changed it. */
static spar_status look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    if (store->locked == experiment) {
        *mark = self->end;
        return SPAR_OK;
    }
    spar__pg_queue(self, SPAR__SQL_head, "i", (int64_t)experiment);
    status = spar__pg_flush(self, "read", err);
    return status ? status : take_head(self, 0, experiment, mark, err);
}

/* --- claims --- */

/* Keys that are looked up in the database, and the entries that they belong to. */
typedef struct key_lookup {
    spar__pg_array column[3];
    size_t *entry;
    size_t n, asked; /* asked: which statement of the flush it is, from 1; 0: none */
} key_lookup;

typedef struct batch_claims {
    bool *taken; /* of each entry: something of it is in the database */
    key_lookup key, text, voter;
    spar__key_table keys[SPAR__KEY_KINDS], texts, voters; /* of the batch; count 1: claimed */
    bool sources;                                         /* texts whose owner is their event */
    size_t asked_sources;
} batch_claims;

typedef struct claim_sizes {
    size_t texts, voters;
} claim_sizes;

static spar_status reserve(batch_claims *claims, size_t n, const claim_sizes *sizes)
{
    claims->taken = spar__alloc(n, sizeof *claims->taken);
    claims->key.entry = spar__alloc(n, sizeof *claims->key.entry);
    claims->text.entry = spar__alloc(sizes->texts, sizeof *claims->text.entry);
    claims->voter.entry = spar__alloc(sizes->voters, sizeof *claims->voter.entry);
    if (!claims->taken || !claims->key.entry || !claims->text.entry || !claims->voter.entry)
        return SPAR_NOMEM;
    for (size_t k = 0; k < SPAR__KEY_KINDS; k++)
        if (spar__key_table_reserve(&claims->keys[k], n))
            return SPAR_NOMEM;
    if (spar__key_table_reserve(&claims->texts, sizes->texts))
        return SPAR_NOMEM;
    return spar__key_table_reserve(&claims->voters, sizes->voters);
}

static void look_up(key_lookup *lookup, size_t entry, size_t n, const uint64_t key[])
{
    for (size_t k = 0; k < n; k++)
        spar__pg_add_number(&lookup->column[k], key[k]);
    lookup->entry[lookup->n++] = entry;
}

static void look_text_up(batch_claims *claims, size_t i, const spar__store_text *text)
{
    unsigned char digest[SPAR_HASH_SIZE];
    if (text->kind == SPAR__TEXT_SOURCE && text->owner == 0) /* it will have the number of its event */
        claims->sources = true;
    else
        look_up(&claims->text, i, 3, (uint64_t[]){text->kind, text->owner, text->version});
    if (text->kind != SPAR__TEXT_VOTER)
        return;
    spar__sha256(text->bytes, text->length, digest);
    spar__pg_add_bytes(&claims->voter.column[0], digest, sizeof digest);
    claims->voter.entry[claims->voter.n++] = i;
}

static spar_status claims_new(size_t n, const spar__store_entry *entry, batch_claims **out)
{
    claim_sizes sizes = {0};
    for (size_t i = 0; i < n; i++) {
        sizes.texts += entry[i].n_texts;
        for (size_t j = 0; j < entry[i].n_texts; j++)
            sizes.voters += entry[i].text[j].kind == SPAR__TEXT_VOTER;
    }
    *out = spar__alloc(1, sizeof **out);
    if (!*out || reserve(*out, n, &sizes))
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        spar__unique_key key = spar__unique_key_of(entry[i].event);
        if (key.kind)
            look_up(&(*out)->key, i, 3, (uint64_t[]){key.kind, key.high, key.low});
        for (size_t j = 0; j < entry[i].n_texts; j++)
            look_text_up(*out, i, &entry[i].text[j]);
    }
    return SPAR_OK;
}

static void free_lookup(key_lookup *lookup)
{
    for (size_t k = 0; k < 3; k++)
        spar__pg_array_free(&lookup->column[k]);
    spar__free(lookup->entry);
}

static void claims_free(batch_claims *claims)
{
    if (!claims)
        return;
    free_lookup(&claims->key);
    free_lookup(&claims->text);
    free_lookup(&claims->voter);
    for (size_t k = 0; k < SPAR__KEY_KINDS; k++)
        spar__key_table_fini(&claims->keys[k]);
    spar__key_table_fini(&claims->texts);
    spar__key_table_fini(&claims->voters);
    spar__free(claims->taken);
    spar__free(claims);
}

static size_t claims_ask(spar__postgres *self, uint64_t experiment, batch_claims *claims)
{
    size_t n = 0;
    int64_t e = (int64_t)experiment;
    key_lookup *key = &claims->key, *text = &claims->text, *voter = &claims->voter;
    if (key->n) {
        spar__pg_queue(self, SPAR__SQL_taken, "iaaa", e, &key->column[0], &key->column[1], &key->column[2]);
        key->asked = ++n;
    }
    if (text->n) {
        spar__pg_queue(self, SPAR__SQL_text_taken, "iaaa", e, &text->column[0], &text->column[1], &text->column[2]);
        text->asked = ++n;
    }
    if (voter->n) {
        spar__pg_queue(self, SPAR__SQL_voter_taken, "ia", e, &voter->column[0]);
        voter->asked = ++n;
    }
    if (claims->sources) {
        spar__pg_queue(self, SPAR__SQL_last_source, "i", e);
        claims->asked_sources = ++n;
    }
    return n;
}

static void mark(const spar__postgres *self, size_t first, const key_lookup *lookup, bool *taken)
{
    const PGresult *found = lookup->asked ? spar__pg_result(self, first + lookup->asked - 1) : NULL;
    for (int r = 0; found && r < PQntuples(found); r++) {
        uint64_t i = spar__pg_number(found, r, 0); /* from 1 */
        if (i >= 1 && i <= lookup->n)
            taken[lookup->entry[i - 1]] = true;
    }
}

static spar_status claims_take(spar__postgres *self, size_t first, batch_claims *claims, spar_error *err)
{
    mark(self, first, &claims->key, claims->taken);
    mark(self, first, &claims->text, claims->taken);
    mark(self, first, &claims->voter, claims->taken);
    if (!claims->asked_sources)
        return SPAR_OK;
    uint64_t last = spar__pg_number(spar__pg_result(self, first + claims->asked_sources - 1), 0, 0);
    if (last <= self->end.sequence)
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "%s: there is a text of event %llu, but that event is not there",
                      self->base.name, (unsigned long long)last);
}

static bool claim_key(spar__key_table *table, uint64_t high, uint64_t low)
{
    uint64_t *claimed = &table->entry[spar__key_get(table, high, low)].count;
    bool free = !*claimed;
    *claimed = 1;
    return free;
}

static void give_back(spar__key_table *table, uint64_t high, uint64_t low)
{
    table->entry[spar__key_get(table, high, low)].count = 0;
}

static spar__keyed name_of(const spar__store_text *text, uint64_t sequence)
{
    return (spar__keyed){(uint64_t)text->kind << 32 | text->version, spar__text_owner(text, sequence), 0};
}

static spar__keyed voter_of(const spar__store_text *text)
{
    unsigned char digest[SPAR_HASH_SIZE];
    spar__sha256(text->bytes, text->length, digest);
    return (spar__keyed){spar__get_u64(digest), spar__get_u64(digest + 8), 0};
}

static bool claim_text(batch_claims *claims, const spar__store_text *text, uint64_t sequence)
{
    spar__keyed name = name_of(text, sequence);
    if (!claim_key(&claims->texts, name.high, name.low))
        return false;
    if (text->kind != SPAR__TEXT_VOTER)
        return true;
    spar__keyed voter = voter_of(text);
    if (claim_key(&claims->voters, voter.high, voter.low))
        return true;
    give_back(&claims->texts, name.high, name.low);
    return false;
}

static void give_text_back(batch_claims *claims, const spar__store_text *text, uint64_t sequence)
{
    spar__keyed name = name_of(text, sequence), voter = voter_of(text);
    give_back(&claims->texts, name.high, name.low);
    if (text->kind == SPAR__TEXT_VOTER)
        give_back(&claims->voters, voter.high, voter.low);
}

static spar_status claim(batch_claims *claims, size_t i, const spar__store_entry *entry, uint64_t sequence)
{
    spar__unique_key key = spar__unique_key_of(entry->event);
    size_t claimed = 0;
    if (claims->taken[i] || (key.kind && !claim_key(&claims->keys[key.kind], key.high, key.low)))
        return SPAR_CONFLICT;
    while (claimed < entry->n_texts && claim_text(claims, &entry->text[claimed], sequence))
        claimed++;
    if (claimed == entry->n_texts)
        return SPAR_OK;
    while (claimed-- > 0)
        give_text_back(claims, &entry->text[claimed], sequence);
    if (key.kind)
        give_back(&claims->keys[key.kind], key.high, key.low);
    return SPAR_CONFLICT;
}

/* --- append --- */

/* Rows on their way: they are sent a few hundred at a time. */
typedef struct batch_tail {
    spar__postgres *self;
    uint64_t experiment, sequence, screen; /* of the last event; the highest screen */
    unsigned char hash[SPAR_HASH_SIZE];
    spar__pg_array event[6]; /* sequence, key, high, low, body, hash */
    spar__pg_array text[5];  /* kind, owner, version, salt, bytes */
} batch_tail;

static void free_rows(spar__pg_array *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__pg_array_free(&array[i]);
}

/* The queue is flushed before it is full. */
static spar_status make_room(spar__postgres *self, spar_error *err)
{
    return self->flushed || self->n_queued + 8 <= SPAR__PG_QUEUE ? SPAR_OK : spar__pg_flush(self, "append", err);
}

static spar_status send_events(batch_tail *tail, spar_error *err)
{
    spar__pg_array *e = tail->event;
    spar_status status = e->n ? make_room(tail->self, err) : SPAR_OK;
    if (!status && e->n) {
        spar__pg_queue(tail->self, SPAR__SQL_events, "iaaaaaa", (int64_t)tail->experiment, &e[0], &e[1], &e[2], &e[3],
                       &e[4], &e[5]);
        spar__pg_expect(tail->self, e->n);
    }
    free_rows(e, 6);
    return status;
}

static spar_status send_texts(batch_tail *tail, spar_error *err)
{
    spar__pg_array *t = tail->text;
    spar_status status = t->n ? make_room(tail->self, err) : SPAR_OK;
    if (!status && t->n) {
        spar__pg_queue(tail->self, SPAR__SQL_texts, "iaaaaa", (int64_t)tail->experiment, &t[0], &t[1], &t[2], &t[3],
                       &t[4]);
        spar__pg_expect(tail->self, t->n);
    }
    free_rows(t, 5);
    return status;
}

static spar_status add_event(batch_tail *tail, const spar_event *event, const unsigned char *bytes, size_t length,
                             spar_error *err)
{
    spar__unique_key key = spar__unique_key_of(event);
    spar__pg_array *e = tail->event;
    spar__chain_next(tail->hash, bytes, length, tail->hash);
    spar__pg_add_number(&e[0], ++tail->sequence);
    spar__pg_add_number(&e[1], key.kind);
    spar__pg_add_number(&e[2], key.high);
    spar__pg_add_number(&e[3], key.low);
    spar__pg_add_bytes(&e[4], bytes, length);
    spar__pg_add_bytes(&e[5], tail->hash, sizeof tail->hash);
    if (key.kind == SPAR__KEY_SCREEN && key.high > tail->screen)
        tail->screen = key.high;
    return e->n < SPAR__PG_CHUNK && e[4].bytes.length < SPAR__PG_PIECE ? SPAR_OK : send_events(tail, err);
}

static spar_status add_text(batch_tail *tail, const spar__store_text *text, spar_error *err)
{
    spar__pg_array *t = tail->text;
    spar__pg_add_number(&t[0], text->kind);
    spar__pg_add_number(&t[1], spar__text_owner(text, tail->sequence));
    spar__pg_add_number(&t[2], text->version);
    spar__pg_add_bytes(&t[3], text->salt, sizeof text->salt);
    spar__pg_add_bytes(&t[4], text->bytes, text->length);
    return t->n < SPAR__PG_CHUNK && t[4].bytes.length < SPAR__PG_PIECE ? SPAR_OK : send_texts(tail, err);
}

static spar_status add_entry(batch_tail *tail, batch_claims *claims, size_t i, spar__store_entry *entry,
                             spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length;
    spar_status status = spar__entry_encode(entry, tail->sequence + 1, &bytes, &length);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (!status)
        status = claim(claims, i, entry, tail->sequence + 1);
    if (status) {
        spar__entry_refuse(entry, status);
        spar_bytes_free(bytes);
        return SPAR_OK;
    }
    status = add_event(tail, entry->event, bytes, length, err);
    memcpy(entry->hash, tail->hash, sizeof entry->hash);
    spar_bytes_free(bytes);
    for (size_t j = 0; j < entry->n_texts && !status; j++)
        status = add_text(tail, &entry->text[j], err);
    return status;
}

/* The rest of the rows, and the new end of the log. */
static spar_status finish(batch_tail *tail, spar_error *err)
{
    spar_status status = send_events(tail, err);
    if (!status)
        status = send_texts(tail, err);
    if (status)
        return status;
    spar__pg_queue(tail->self, SPAR__SQL_grow, "iibi", (int64_t)tail->experiment, (int64_t)tail->sequence,
                   (const void *)tail->hash, sizeof tail->hash,
                   tail->screen > INT64_MAX ? (int64_t)0 : (int64_t)tail->screen);
    spar__pg_expect(tail->self, 1);
    return SPAR_OK;
}

static spar_status add_all(batch_tail *tail, batch_claims *claims, size_t n, spar__store_entry *entry, spar_error *err)
{
    spar__postgres *self = tail->self;
    spar_status status = SPAR_OK;
    tail->sequence = self->end.sequence;
    memcpy(tail->hash, self->end.hash, sizeof tail->hash);
    for (size_t i = 0; i < n && !status; i++)
        status = add_entry(tail, claims, i, &entry[i], err);
    if (!status && tail->sequence == self->end.sequence) { /* all are refused */
        spar__pg_leave(self);
        return SPAR_OK;
    }
    if (!status)
        status = finish(tail, err);
    return spar__pg_end(self, status, "append", err);
}

/* Takes the lock, where it is not held, and looks up what is taken. */
static spar_status prepare(spar__postgres *self, uint64_t experiment, batch_claims *claims, spar_error *err)
{
    bool locked = self->base.locked != 0;
    size_t first = locked ? 0 : AFTER_LOCK;
    if (!locked)
        begin_locked(self, experiment);
    if (!claims_ask(self, experiment, claims) && locked)
        return SPAR_OK;
    spar_status status = spar__pg_flush(self, "append", err);
    if (!status && !locked)
        status = take_head(self, LOCK_AT, experiment, &self->end, err);
    return status ? status : claims_take(self, first, claims, err);
}

static spar_status append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry, spar_error *err)
{
    batch_tail tail = {.self = (spar__postgres *)store, .experiment = experiment};
    batch_claims *claims = NULL;
    spar_status status = spar__pg_ready(tail.self, err);
    if (status)
        return status;
    if (claims_new(n, entry, &claims))
        status = spar__fail_memory(err);
    if (!status)
        status = prepare(tail.self, experiment, claims, err);
    if (status)
        spar__pg_leave(tail.self);
    else
        status = add_all(&tail, claims, n, entry, err);
    claims_free(claims);
    free_rows(tail.event, 6);
    free_rows(tail.text, 5);
    return status;
}

/* --- numbers of screens --- */

/* The more are asked for before the next append, the more are fetched at once. */
static spar_status fetch_screens(spar__postgres *self, uint64_t experiment, spar_error *err)
{
    int64_t n = self->screen_of == experiment ? self->screen_fetch : 1;
    self->screen_of = 0;
    spar__pg_queue(self, SPAR__SQL_screens, "ii", (int64_t)experiment, n);
    spar_status status = spar__pg_flush(self, "number a screen", err);
    if (status)
        return status;
    const PGresult *rows = spar__pg_result(self, 0);
    if (PQntuples(rows) != (int)n)
        return spar__fail_no_experiment(&self->base, experiment, err);
    for (int64_t i = 0; i < n; i++)
        self->screen[n - 1 - i] = spar__pg_number(rows, (int)i, 0);
    self->screen_of = experiment;
    self->n_screens = (size_t)n;
    self->screen_fetch = 2 * n < SPAR__PG_SCREENS ? 2 * n : SPAR__PG_SCREENS;
    return SPAR_OK;
}

static spar_status next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (!status && (self->screen_of != experiment || self->n_screens == 0))
        status = fetch_screens(self, experiment, err);
    *number = status ? 0 : self->screen[--self->n_screens];
    return status;
}

/* --- dropping texts --- */

static spar_status delete_texts(spar__postgres *self, uint64_t experiment, size_t n, const spar__text_key *key,
                                size_t *deleted, spar_error *err)
{
    spar__pg_array k[3] = {0};
    for (size_t i = 0; i < n; i++) {
        spar__pg_add_number(&k[0], key[i].kind);
        spar__pg_add_number(&k[1], key[i].owner);
        spar__pg_add_number(&k[2], key[i].version);
    }
    spar__pg_queue(self, SPAR__SQL_text_drop, "iaaa", (int64_t)experiment, &k[0], &k[1], &k[2]);
    for (size_t i = 0; i < 3; i++)
        spar__pg_array_free(&k[i]);
    spar_status status = spar__pg_flush(self, "drop a text", err);
    *deleted = status ? 0 : spar__pg_changes(self, 0);
    return status;
}

static spar_status text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                             spar__text_dropped *dropped, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    size_t deleted = 0;
    spar_status status = enter(store, experiment, err);
    if (status)
        return status;
    if (n)
        status = delete_texts(self, experiment, n, key, &deleted, err);
    if (!status && !deleted) {
        spar__pg_leave(self);
        return SPAR_OK;
    }
    if (!status)
        spar__pg_queue(self, SPAR__SQL_note_drop, "i", (int64_t)experiment);
    status = spar__pg_end(self, status, "drop a text", err);
    dropped->n = status ? 0 : deleted;
    return status;
}

/* --- the class --- */

static spar_status open_postgres(spar__store *store, const char *url, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_read_url(self, url, err);
    return status ? status : spar__pg_connect(self, err);
}

static void close_postgres(spar__store *store)
{
    spar__postgres *self = (spar__postgres *)store;
    spar__pg_disconnect(self); /* the server rolls back */
    for (size_t i = 0; i < SPAR__SQL_COUNT; i++)
        spar__free(self->text[i]);
    spar__free(self->url);
    spar__free(self->schema);
}

extern const spar__store_class spar__store_postgres;
const spar__store_class spar__store_postgres = {
    .name = "postgres",
    .brief = "a PostgreSQL database, for any number of servers",
    .scheme = {"postgresql", "postgres"},
    .url = true,
    .size = sizeof(spar__postgres),
    .open = open_postgres,
    .close = close_postgres,
    .run = spar__pg_call,
    .number = spar__pg_column_number,
    .bytes = spar__pg_column_bytes,
    .begin = enter,
    .end = leave,
    .append = append,
    .next_screen = next_screen,
    .look = look,
    .text_drop = text_drop,
    .backup = spar__pg_backup,
    .check = spar__pg_check,
};
