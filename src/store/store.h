/* store.h - logs at rest: the events of experiments, the texts that people wrote, snapshots, keys.
 *
 * One interface for every engine. A store holds experiments; each has a log of events 1, 2, 3, ... and a chain of
 * hashes: hash_n = SHA-256(hash_{n-1}, encoding of event n), hash_0 = 32 zero bytes (store/digest.h).
 *
 * The rules, which tests/contract/stores.c tries on every class:
 *
 * append: assigns sequence numbers and hashes and commits. When it returns SPAR_OK, every entry that has the status
 * SPAR_OK is on disk with its texts, in the order given, and the others left no trace (their sequence number is 0). An
 * entry is refused alone, with a status of its own: SPAR_CONFLICT if its screen number, its (screen, revision) of an
 * answer, its (screen, revision) of an undo, its import key, the name of one of its texts or the name of a voter in
 * them is there already; SPAR_INVALID if the event cannot be encoded. If append itself fails nothing of the batch was
 * acknowledged: part of it may be on disk, so the caller reads on from the last event it knows.
 *
 * read: gives events in order, without gaps, as they were when it began. What is damaged is an error that names the
 * event; it is never skipped silently.
 *
 * texts: are kept beside the log, each with a salt of its own; the event has HMAC(salt, text). A text that is dropped
 * is nowhere in the store any more, not in free pages either; but the files of a PostgreSQL server are its own. Where
 * others still read what was before, drop fails with SPAR_BUSY after the texts have gone from sight; the store
 * remembers that, and any later drop completes it.
 *
 * snapshots: only make starting faster; the store never looks into them.
 *
 * the lock: while this store holds it, only reading, next_screen, append and text_drop are allowed; new texts go with
 * the append. append and text_drop give it up, whatever happens.
 *
 * Conditions that no unique constraint can state (is the screen open? does the option exist?) are the caller's:
 * src/live checks them against its state, under the lock where that matters.
 *
 * Threads: one thread at a time for each store. Several stores, also of several processes, may be open on one place. */
#ifndef SPAR_STORE_STORE_H
#define SPAR_STORE_STORE_H

#include "base/error.h"

#include <spar/event.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__store spar__store;

typedef enum spar__store_mode {
    SPAR__STORE_READ,  /* nothing is written, also no migration and no write-ahead log */
    SPAR__STORE_WRITE, /* must be there */
    SPAR__STORE_CREATE /* made, readable by its owner only, if it is not there; else opened */
} spar__store_mode;

/* Whose text it is. A text is known by (kind, owner, version). */
typedef enum spar__text_kind {
    SPAR__TEXT_QUESTION = 1, /* owner 0, version: number of the settings event, from 1 */
    SPAR__TEXT_ARM = 2,      /* an option; owner: arm; version of the option */
    SPAR__TEXT_ITEM = 3,     /* owner: index of the item; version of the item */
    SPAR__TEXT_COMMENT = 4,  /* owner: screen; version: revision of the answer + 1 */
    SPAR__TEXT_VOTER = 5,    /* owner: voter; version 1: the name, which can be looked up */
    SPAR__TEXT_SOURCE = 6    /* owner: sequence number of an imported event; version 1: what the row said besides;
                              * owner 0 in an append: the number that the event gets */
} spar__text_kind;

#define SPAR__SALT_SIZE 32

typedef struct spar__store_text {
    spar__text_kind kind;
    uint64_t owner;
    uint32_t version;
    unsigned char salt[SPAR__SALT_SIZE];
    const unsigned char *bytes;
    size_t length;
} spar__store_text;

/* One event to append, with the texts that belong to it. */
typedef struct spar__store_entry {
    spar_event *event;            /* its sequence number is set by append; its time is the caller's */
    const spar__store_text *text; /* n_texts of them; one that is there already under its name is an error */
    size_t n_texts;
    spar_status status;                 /* out */
    unsigned char hash[SPAR_HASH_SIZE]; /* out: of the chain there; zeros if the store does not say it */
} spar__store_entry;

/* What a snapshot is a snapshot of. */
typedef struct spar__store_snapshot {
    uint64_t sequence; /* of the last event in it */
    uint32_t engine;   /* spar_session_engine() */
    unsigned char hash[SPAR_HASH_SIZE];
} spar__store_snapshot;

/* Opens FILE, sqlite:FILE, memory:NAME or another URL. No experiment is created. */
spar_status spar__store_open(const char *place, spar__store_mode mode, spar__store **out, spar_error *err);
void spar__store_close(spar__store *store); /* NULL is fine */

/* "tea.db#second": the place without the name of the experiment, and that name (NULL: none was given). Both are new. */
spar_status spar__store_split(const char *place, char **store, char **name, spar_error *err);

/* The place without the password of a URL, for messages; new, NULL: out of memory. */
char *spar__store_shown(const char *place);

/* What an experiment without a name is called where it is served: "tea" of "sqlite:dir/tea.db", and of
 * "postgresql://db.example.org/tea?sslmode=require". NULL: no memory. */
char *spar__store_stem(const char *place);

/* The secret with the name that it is called by instead: it came from a place of that name, and people have links. */
#define SPAR__STORE_ADDRESS "address"

/* What the store calls itself, for messages: the path, or the URL without its password. Borrowed. */
const char *spar__store_name(const spar__store *store);
const char *spar__store_class_name(const spar__store *store); /* "sqlite" */

/* The experiments: for each its number, which never changes, and its name, which may be empty. By number; a new one has
 * a larger number than all that were there before. Stops when fn fails. */
typedef spar_status (*spar__store_experiment_fn)(void *context, uint64_t experiment, const char *name);
spar_status spar__store_experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err);

/* SPAR_CONFLICT if there is one of that name. The lock must not be held. */
spar_status spar__store_create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err);

/* The number of the experiment of that name; name NULL: the only one. SPAR_UNKNOWN with a sentence that lists them. */
spar_status spar__store_find(spar__store *store, const char *name, uint64_t *experiment, spar_error *err);

/* The writer's lock: nobody else appends to the experiment until the next append, text_drop or unlock of this store.
 * Waits up to 10 seconds, then SPAR_BUSY. append and text_drop take it by themselves where it is not held. */
spar_status spar__store_lock(spar__store *store, uint64_t experiment, spar_error *err);
void spar__store_unlock(spar__store *store);

/* From now on all stores of the process wait for that many milliseconds, those who wait already, too; what it was. */
unsigned spar__store_hurry(unsigned milliseconds);

spar_status spar__store_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                               spar_error *err);

/* A number for the next screen that no other screen has or will have. Under the lock there are no gaps in SQLite. */
spar_status spar__store_next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);

/* The last event and its hash; 0 and zeros while there is none. */
spar_status spar__store_head(spar__store *store, uint64_t experiment, uint64_t *sequence,
                             unsigned char hash[SPAR_HASH_SIZE], spar_error *err);

/* All that shows whether something has changed since: the head, and the number of text_drops, in one step. */
typedef struct spar__store_mark {
    uint64_t sequence, drops;
    unsigned char hash[SPAR_HASH_SIZE];
} spar__store_mark;

spar_status spar__store_look(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err);

/* Events `from`, from + 1, ... up to and including `to` (0: the last), encoded, with the hash that the store has for
 * each: it is not recomputed here. Stops when fn fails, with its status. */
typedef spar_status (*spar__store_event_fn)(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                                            const unsigned char hash[SPAR_HASH_SIZE], spar_error *err);
spar_status spar__store_read(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                             spar__store_event_fn fn, void *context, spar_error *err);

/* The sequence number of the event of that kind which the log may hold once only: a screen by its number, an answer or
 * an undo by screen and revision. 0: there is none. */
spar_status spar__store_locate(spar__store *store, uint64_t experiment, spar_event_kind kind, uint64_t number,
                               uint32_t revision, uint64_t *sequence, spar_error *err);

/* Texts. get: SPAR_UNKNOWN where there is none (never written, or dropped); *bytes is new (spar__free), with a 0 byte
 * after its end. each: all of a kind (0: of all kinds), by owner and version. put: a text that belongs to no event (the
 * name of a voter); SPAR_CONFLICT if it is there. */
spar_status spar__store_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                 uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                                 size_t *length, spar_error *err);
typedef spar_status (*spar__store_text_fn)(void *context, const spar__store_text *text, spar_error *err);
spar_status spar__store_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                                  void *context, spar_error *err);
spar_status spar__store_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text,
                                 spar_error *err);

/* Drops the texts listed, all at once; those that are not there are passed over. What an earlier drop left undone is
 * completed, also with n = 0. `dropped` may be NULL; it is set where the texts are gone but old bytes of them remain
 * (SPAR_BUSY), too. */
typedef struct spar__text_key {
    spar__text_kind kind;
    uint64_t owner;
    uint32_t version; /* 0: all */
} spar__text_key;

typedef struct spar__text_dropped {
    size_t n;       /* texts that this call removed */
    bool completed; /* an earlier call had failed after its texts were removed; now nothing of them is left */
} spar__text_dropped;

spar_status spar__store_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                  spar__text_dropped *dropped, spar_error *err);

/* A number that is another one after each drop that removed something, by whomever: for those who keep copies. */
spar_status spar__store_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);

/* The voter whose name this is, *voter 0 if there is none. */
spar_status spar__store_voter(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                              spar_error *err);

/* Snapshots. get: the newest with sequence <= limit and that engine; SPAR_UNKNOWN if there is none; *bytes is new.
 * put: replaces one of the same sequence. list: the newest, at most that many, rising. keep: drops all but those whose
 * sequence is listed. */
spar_status spar__store_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                     const unsigned char *bytes, size_t length, spar_error *err);
spar_status spar__store_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                     spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                     spar_error *err);
spar_status spar__store_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                      size_t *n, spar_error *err);
spar_status spar__store_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                      spar_error *err);

/* Secrets of the whole store by name (the signing key): never exported, not part of any log. Names that begin with
 * "spar:" are the store's own: nobody else puts, lists or drops them. get: SPAR_UNKNOWN if there is none; *bytes is
 * new. put replaces. add: all of them in one commit, or none, with SPAR_CONFLICT, if one is there already. swap: puts
 * the second where the first stands, under the same name; SPAR_CONFLICT if that is not what is there. each: those whose
 * names begin with the prefix, by name; fn does not write to the store, and its first failure is the last call. drop:
 * one that is not there is dropped already. */
spar_status spar__store_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                   spar_error *err);
spar_status spar__store_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                   spar_error *err);
typedef struct spar__store_secret {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} spar__store_secret;
spar_status spar__store_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err);
spar_status spar__store_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err);
typedef spar_status (*spar__store_secret_fn)(void *context, const char *name, const unsigned char *bytes,
                                             size_t length);
spar_status spar__store_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                    spar_error *err);
spar_status spar__store_secret_drop(spar__store *store, const char *name, spar_error *err);

/* A number that is another one after each change of a secret, by whomever: for those who keep copies. */
spar_status spar__store_secret_version(spar__store *store, uint64_t *version, spar_error *err);

/* A copy of the whole store as it is at one moment, also while others write to it; readable by its owner only; refused
 * if there is something at path. */
spar_status spar__store_backup(spar__store *store, const char *path, spar_error *err);

/* Looks for damage below the events (pages, indices); fn gets a sentence for each finding. */
typedef void (*spar__store_finding_fn)(void *context, const char *sentence);
spar_status spar__store_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);

/* The lock that the server of a file holds for as long as it lives, until the store is closed: there is one server, or
 * it fails with SPAR_BUSY. Others may write meanwhile. Any number of servers may share other stores. */
spar_status spar__store_hold(spar__store *store, spar_error *err);

/* The family (class.h). */
typedef struct spar__store_class spar__store_class;
extern const spar__store_class *const spar__store_classes[]; /* ends with NULL */

#endif
