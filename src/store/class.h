/* class.h - what a kind of store is made of. Only the files of src/store see this.
 *
 * The functions of store.h check what can be checked for every kind (modes, names, the lock) and call the one of the
 * same name here. A class file has one const struct at its foot and one line in stores.def. */
#ifndef SPAR_STORE_CLASS_H
#define SPAR_STORE_CLASS_H

#include "store/store.h"

#include <stdatomic.h>

struct spar__store {
    const spar__store_class *cls;
    char *name;            /* for messages; made by open */
    spar__store_mode mode; /* open may lower what it was given, never raise it */
    uint64_t locked;       /* the experiment whose lock this store holds, 0: none */
    bool lapsed;           /* see spar__store_lapsed */
    unsigned patience;     /* milliseconds; 0: as all */
};

/* What the log may hold once only. Two words say it: of an import the first 16 bytes of the SHA-256 of its key, which
 * may be any bytes; else screen and revision. */
typedef enum spar__once_kind {
    SPAR__ONCE_NONE,
    SPAR__ONCE_SCREEN,
    SPAR__ONCE_ANSWER,
    SPAR__ONCE_UNDO,
    SPAR__ONCE_IMPORT,
    SPAR__ONCE_KINDS
} spar__once_kind;

typedef struct spar__once {
    spar__once_kind kind;
    uint64_t high, low;
} spar__once;

struct spar__store_class {
    const char *name, *brief;
    const char *scheme[3]; /* "sqlite": the place begins with "sqlite:", which is taken off unless `url` is set */
    bool url;              /* open gets the place with its scheme */
    size_t size;

    /* Another class, where a server has the place and writing goes through it; NULL: there is none. */
    spar_status (*stand_in)(const char *place, const spar__store_class **cls, spar_error *err);
    spar_status (*open)(spar__store *store, const char *place, spar_error *err); /* close is called if it fails, too */
    void (*close)(spar__store *store);                                           /* also gives up all locks */
    spar_status (*experiments)(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err);
    /* The number of one, 0: there is none of that name. NULL: it is looked for among all. */
    spar_status (*find)(spar__store *store, const char *name, uint64_t *experiment, spar_error *err);
    spar_status (*create)(spar__store *store, const char *name, uint64_t *experiment, spar_error *err);
    spar_status (*lock)(spar__store *store, uint64_t experiment, spar_error *err);
    void (*unlock)(spar__store *store, uint64_t experiment);
    /* Gives up the lock if it was held (store->locked), whatever happens. */
    spar_status (*append)(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry, spar_error *err);
    spar_status (*next_screen)(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);
    spar_status (*head)(spar__store *store, uint64_t experiment, uint64_t *sequence, unsigned char hash[SPAR_HASH_SIZE],
                        spar_error *err);
    /* NULL: head and text_drops, one after the other. */
    spar_status (*look)(spar__store *store, uint64_t experiment, spar__store_mark *mark, spar_error *err);
    spar_status (*read)(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to, spar__store_event_fn fn,
                        void *context, spar_error *err);
    spar_status (*locate)(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence,
                          spar_error *err);
    spar_status (*wait)(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds, bool *news,
                        spar_error *err);

    spar_status (*text_get)(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                            uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                            size_t *length, spar_error *err);
    spar_status (*text_each)(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                             void *context, spar_error *err);
    spar_status (*text_put)(spar__store *store, uint64_t experiment, const spar__store_text *text, spar_error *err);
    /* Gives up the lock like append. */
    spar_status (*text_drop)(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                             spar__text_dropped *dropped, spar_error *err);
    spar_status (*text_drops)(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);
    spar_status (*voter)(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                         spar_error *err);

    spar_status (*snapshot_put)(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                const unsigned char *bytes, size_t length, spar_error *err);
    spar_status (*snapshot_get)(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length, spar_error *err);
    spar_status (*snapshot_list)(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence, size_t *n,
                                 spar_error *err);
    spar_status (*snapshot_keep)(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                 spar_error *err);
    spar_status (*secret_put)(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                              spar_error *err);
    spar_status (*secret_add)(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err);
    spar_status (*secret_swap)(spar__store *store, const spar__store_secret was_now[2], spar_error *err);
    spar_status (*secret_get)(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                              spar_error *err);
    spar_status (*secret_each)(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                               spar_error *err);
    spar_status (*secret_drop)(spar__store *store, const char *name, spar_error *err);

    spar_status (*backup)(spar__store *store, const char *path, spar_error *err);
    spar_status (*check)(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err);
    spar_status (*hold)(spar__store *store, spar_error *err);
};

/* The kind of a place, and how much of it is its scheme; NULL, with a sentence: there is none. */
const spar__store_class *spar__store_class_of(const char *place, size_t *skip, spar_error *err);

spar__once spar__once_of(const spar_event *event);
spar__once spar__once_about(spar_event_kind kind, uint64_t number, uint32_t revision); /* not for imports */
spar__once spar__once_import(const unsigned char key[SPAR_HASH_SIZE]);

/* The owner of a text that comes with an event: for a source, the sequence number of that event. */
uint64_t spar__text_owner(const spar__store_text *text, uint64_t sequence);

/* Stamps the event of an entry with its sequence number, which is taken back (0) if it is refused, and encodes it. */
spar_status spar__entry_encode(spar__store_entry *entry, uint64_t sequence, unsigned char **bytes, size_t *length);
void spar__entry_refuse(spar__store_entry *entry, spar_status status);

/* What secret_swap fails with where another one is there. */
spar_status spar__secret_fail_other(const spar__store *store, const spar__store_secret *was, spar_error *err);

/* Is it one of those that are kept? */
bool spar__snapshot_listed(uint64_t sequence, size_t n, const uint64_t *list);

/* A copy with a 0 byte after its end; NULL: out of memory. */
unsigned char *spar__bytes_copy(const void *bytes, size_t length);

extern atomic_uint spar__store_patience; /* milliseconds to wait for a lock: 10,000, but for tests and hurry */
unsigned spar__patience_of(const spar__store *store);

#endif
