/* live.h - the inside of an experiment: a log in a store, its fold, and the texts beside it.
 *
 * Every change goes one way: take the store's lock, fold what others have added, check, append, fold the new events
 * from the store like those of others. So memory never holds what is not on disk, and a state that went wrong for want
 * of memory is thrown away and read again. */
#ifndef SPAR_LIVE_LIVE_H
#define SPAR_LIVE_LIVE_H

#include "live/fold.h"
#include "store/store.h"

#include <spar/experiment.h>

#include <stdatomic.h>

/* An option as it is now, looked up when it is needed. */
typedef struct spar__live_option {
    uint32_t version;  /* that was looked up; 0: none yet */
    spar_option *text; /* NULL: redacted */
    bool hashed;       /* its image */
    unsigned char image[SPAR_HASH_SIZE];
} spar__live_option;

/* Voters whose names were looked up lately, by a part of the SHA-256 of the name. */
enum { SPAR__LIVE_VOTERS = 512 };

typedef struct spar__live_name {
    uint64_t high, low, voter; /* voter 0: none */
} spar__live_name;

struct spar_experiment {
    char *place; /* for messages */
    spar__store *store;
    bool borrowed; /* the store is somebody else's */
    uint64_t id;   /* in the store */
    bool writes;
    spar__fold *state;                /* NULL: to be computed from the log */
    double folded;                    /* nanoseconds of the monotonic clock: it was at the end of the log then */
    spar_event *event;                /* working memory */
    uint64_t snapshot;                /* events in the newest snapshot that is known */
    size_t snapshot_size;             /* bytes; 0: not known */
    double slow;                      /* nanoseconds of CPU time that slow folding took from there on */
    double snapshot_after;            /* nanoseconds of the monotonic clock: no other one before */
    double snapshot_took;             /* nanoseconds, of the one that is under way */
    struct spar__snapshot_work *work; /* a snapshot that is under way (snapshot_work.h); NULL: none */
    bool served;                      /* others wait for this thread: a large snapshot is squeezed by another */
    spar__live_option *option;
    size_t n_options;
    uint64_t drops; /* of texts, when options and voters were looked up */
    spar__live_name voter[SPAR__LIVE_VOTERS];
    struct {
        spar_item *text;         /* NULL: redacted */
        uint32_t index, version; /* that was looked up; version 0: none yet */
    } item;
    char *question;
    uint32_t question_of;      /* settings that were looked up; 0: none yet */
    struct spar__batch *spare; /* the memory of an earlier batch (batch.c); NULL: none */
};

/* --- the log (log.c) --- */

/* Brings the state to the end of the log; an older snapshot serves where an answer was undone. */
spar_status spar__live_refresh(spar_experiment *experiment, spar_error *err);

/* A state to start from: the newest that is kept of fewer events than `limit` (0: of any number), or an empty one. */
spar_status spar__live_start(spar_experiment *experiment, uint64_t limit, spar_error *err);

/* Folds the events behind the state up to `to`, without the answers that were undone among them. After a failure the
 * state is somewhere between. *too_new: an undo names an answer that the state had before, so one of fewer events is
 * needed. progress may be NULL. */
spar_status spar__live_fold(spar_experiment *experiment, uint64_t to, spar_progress_fn progress, void *context,
                            bool *too_new, spar_error *err);

/* Reads the event of that kind about a screen (and of that revision, but for a screen) into `out`; SPAR_UNKNOWN. */
spar_status spar__live_find(spar_experiment *experiment, spar_event_kind kind, uint64_t number, uint32_t revision,
                            spar_event *out, spar_error *err);

/* How often the answer to a screen was undone, as of the state: an answered screen is looked up in the log. */
spar_status spar__live_revision(spar_experiment *experiment, uint64_t number, uint32_t *revision, spar_error *err);

/* An event that was read from the store. */
spar_status spar__live_decode(spar_event *event, uint64_t sequence, const unsigned char *bytes, size_t length,
                              spar_error *err);

/* --- writing (write.c) --- */

/* Takes the lock and folds what others have added; end gives the lock up (commit has done so). */
spar_status spar__live_begin(spar_experiment *experiment, spar_error *err);
void spar__live_end(spar_experiment *experiment);

/* Appends one event with its texts, stamped with the time, and folds it. The lock is given up. */
spar_status spar__live_commit(spar_experiment *experiment, spar_event *event, size_t n_texts,
                              const spar__store_text *text, spar_error *err);

/* A text with a new salt, and its HMAC if that is wanted. The bytes are not copied. */
spar_status spar__live_text(spar__text_kind kind, uint64_t owner, uint32_t version, const void *bytes, size_t length,
                            spar__store_text *text, unsigned char hash[SPAR_HASH_SIZE], spar_error *err);

int64_t spar__live_now(void); /* microseconds UTC */

/* --- voters (voter.c) --- */

/* The number of a voter, 0 for no name; an unknown name gets a new number, and *text what is to be stored with the next
 * event (*n_texts counts it). */
spar_status spar__live_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar__store_text *text,
                             size_t *n_texts, spar_error *err);

/* The same without making one: SPAR_UNKNOWN. */
spar_status spar__live_known_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar_error *err);

/* --- texts (texts.c) --- */

/* The option as it is now; *out NULL: redacted. A text that is there and cannot be read is an error. */
spar_status spar__live_option_get(spar_experiment *experiment, size_t arm, const spar_option **out, spar_error *err);

/* The item as it is now, new (spar_item_free); *out NULL: redacted. */
spar_status spar__live_item_get(spar_experiment *experiment, uint32_t index, spar_item **out, spar_error *err);

/* Looks the question up, so that spar_experiment_question cannot fail. */
spar_status spar__live_question_get(spar_experiment *experiment, spar_error *err);

/* --- texts that are removed (forget.c) --- */

/* Options are looked up again if texts were removed since (spar__store_text_drops is another number), by whomever. */
void spar__live_heed_drops(spar_experiment *experiment, uint64_t drops);

/* --- snapshots (snapshot.c) --- */

/* The newest state of at most that many events (0: any number) that can be trusted; *out NULL if there is none. */
spar_status spar__snapshot_load(spar_experiment *experiment, uint64_t limit, spar__fold **out, spar_error *err);

/* Writes one if it is time, or now. What goes wrong is ignored: a snapshot only makes starting faster. The lock is not
 * held. Where the experiment is served, take only begins a large one, and the next take or collect that finds it
 * squeezed writes it. */
void spar__snapshot_take(spar_experiment *experiment);
void spar__snapshot_collect(spar_experiment *experiment);
void spar__snapshot_write(spar_experiment *experiment);

/* That many events were folded since a moment of this thread's clock. */
void spar__snapshot_note(spar_experiment *experiment, uint64_t events, double start);

/* What is kept of a state: its bytes, squeezed, also of a copy of it, unless that is stopped (squeeze.h); and back.
 * SPAR_UNSUPPORTED: an older program has written it. */
spar_status spar__snapshot_bytes(spar__fold *state, unsigned char **bytes, size_t *length, spar_error *err);
spar_status spar__snapshot_squeeze(const spar__fold_parts *parts, const atomic_bool *stop, unsigned char **bytes,
                                   size_t *length);
spar_status spar__snapshot_read(const unsigned char *bytes, size_t length, spar__fold **out, spar_error *err);

extern uint64_t spar__snapshot_every; /* events between two small ones: 4,096, but for tests */
extern size_t spar__snapshot_large;   /* bytes of a state that takes a while to squeeze: 65,536, but for tests */

/* Drops those of events from .. to - 1: they hold an answer that was undone. */
void spar__snapshot_drop(spar_experiment *experiment, uint64_t from, uint64_t to);

/* Refused where the experiment is NULL or only read. */
spar_status spar__live_check(const spar_experiment *experiment, spar_error *err);

#endif
