/* memory.h - memory:NAME, a store in the memory of this process: shared by all who open the name, gone with the last.
 *
 * One mutex for each place guards everything in it. Events and names of experiments never change once they are there,
 * so that readers need the mutex only to find them; texts may be dropped, so readers get copies. */
#ifndef SPAR_STORE_MEMORY_H
#define SPAR_STORE_MEMORY_H

#include "base/order.h"
#include "store/class.h"

#include <pthread.h>

typedef struct spar__memory_event {
    unsigned char *bytes;
    size_t length;
    unsigned char hash[SPAR_HASH_SIZE];
} spar__memory_event;

typedef struct spar__memory_blob {
    char *name;                 /* of a secret */
    spar__store_snapshot about; /* of a snapshot */
    unsigned char *bytes;
    size_t length;
} spar__memory_blob;

typedef struct spar__memory_log {
    char *name;
    spar__memory_event *event;
    size_t n, room;
    spar__key_table once[SPAR__ONCE_KINDS]; /* count: number of the event; 0: taken back */
    spar__store_text **text;                /* sorted by kind, owner, version; bytes are ours */
    size_t n_texts, text_room;
    uint64_t drops;              /* of texts */
    spar__memory_blob *snapshot; /* by sequence */
    size_t n_snapshots;
    uint64_t last_screen;
    const spar__store *owner; /* of the lock */
} spar__memory_log;

typedef struct spar__memory_place {
    char *name;
    size_t users; /* guarded by the mutex of the registry */
    struct spar__memory_place *next;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* an append, or a lock given up */
    spar__memory_log **log;
    size_t n_logs;
    spar__memory_blob *secret;
    size_t n_secrets;
    const spar__store *holder;
} spar__memory_place;

typedef struct spar__memory {
    spar__store base; /* must come first */
    spar__memory_place *place;
} spar__memory;

void spar__memory_log_free(spar__memory_log *log);
void spar__memory_blobs_free(spar__memory_blob *blob, size_t n);

/* The log of an experiment; NULL and a sentence if there is none. The mutex is held. */
spar__memory_log *spar__memory_find(spar__store *store, uint64_t experiment, spar_error *err);

/* Locks the mutex, and waits until nobody else has the lock of the experiment. After a failure the mutex is free. */
spar_status spar__memory_enter(spar__store *store, uint64_t experiment, spar__memory_log **log, spar_error *err);

/* Waits for `changed`, at most until that moment (nanoseconds of the monotonic clock); false: it has come. */
bool spar__memory_sleep(spar__memory_place *place, double until);

/* Texts of a log. add copies; SPAR_CONFLICT: its name, or the name of a voter, is there. */
spar_status spar__memory_text_add(spar__memory_log *log, const spar__store_text *text, uint64_t owner);
void spar__memory_text_take_back(spar__memory_log *log, const spar__store_text *text, uint64_t owner);

/* The functions of the class that stand in other files. */
spar_status spar__memory_append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry,
                                spar_error *err);
spar_status spar__memory_text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                                  uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                                  size_t *length, spar_error *err);
spar_status spar__memory_text_each(spar__store *store, uint64_t experiment, spar__text_kind kind,
                                   spar__store_text_fn fn, void *context, spar_error *err);
spar_status spar__memory_text_put(spar__store *store, uint64_t experiment, const spar__store_text *text,
                                  spar_error *err);
spar_status spar__memory_text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                                   spar__text_dropped *dropped, spar_error *err);
spar_status spar__memory_text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err);
spar_status spar__memory_voter(spar__store *store, uint64_t experiment, const char *name, size_t length,
                               uint64_t *voter, spar_error *err);
spar_status spar__memory_snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                      const unsigned char *bytes, size_t length, spar_error *err);
spar_status spar__memory_snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                      spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length,
                                      spar_error *err);
spar_status spar__memory_snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence,
                                       size_t *n, spar_error *err);
spar_status spar__memory_snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                       spar_error *err);
spar_status spar__memory_secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                                    spar_error *err);
spar_status spar__memory_secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err);
spar_status spar__memory_secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                                    spar_error *err);
spar_status spar__memory_secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                                     spar_error *err);
spar_status spar__memory_secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err);
spar_status spar__memory_secret_drop(spar__store *store, const char *name, spar_error *err);

#endif
