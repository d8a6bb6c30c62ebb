/* live.h - the inside of an experiment: a log in a store, its fold, and the texts beside it.
 *
 * Every change goes one way: take the store's lock, fold what others have added, check, append, fold the new events. So
 * memory never holds what is not on disk, and a state that went wrong for want of memory is thrown away and read again.
 */
#ifndef SPAR_LIVE_LIVE_H
#define SPAR_LIVE_LIVE_H

#include "base/buf.h"
#include "live/items/items.h"
#include "store/store.h"

#include <spar/decide.h>
#include <spar/event.h>
#include <spar/experiment.h>
#include <spar/session.h>

#include <pthread.h>

/* --- the fold of a log (log/fold.c) ---
 *
 * It may be thrown away and computed again at any time. Texts are not part of it: a state can be kept in a snapshot,
 * and forgetting a text needs no new one. */

/* An open screen and whose it is. */
typedef struct spar__open_screen {
    uint64_t number, voter;
    uint64_t before, after; /* other open screens of this voter; 0: there is none, or the voter is not known */
} spar__open_screen;

/* The log knows which screens were answered: the session forgets all but the last, else it would grow for ever. */
enum { SPAR__FOLD_REMEMBERS = 1 };

typedef struct spar__fold {
    spar_session *session;
    spar_decision *decision;
    char *policy; /* NULL: no created event yet */
    uint64_t seed;
    uint32_t m; /* 0: no settings yet */
    uint8_t asks, results, access;
    bool question;     /* the last settings have one */
    uint32_t settings; /* how many settings events there were */
    uint32_t *version; /* of each option, from 1 */
    size_t n_options, options_room;
    spar__open_screen *open; /* by number */
    size_t n_open, open_room;
    size_t open_gap;        /* places in front of `open` that are free: the oldest is answered first, as a rule */
    spar__key_table asked;  /* for each known voter the one of their open screens from which `before` leads to all,
                               as the count; 0: none is open */
    spar__key_table voters; /* for each voter who answered (0: all that are not known), the last screen they answered,
                               as the count */
    spar__items items;
    uint64_t last; /* the last answered screen of all; 0: none */
    uint64_t screens, answers, undone, imported;
    uint64_t sequence;                  /* of the last event */
    unsigned char hash[SPAR_HASH_SIZE]; /* of the chain there */
    bool broken;                        /* half an event was applied: of no use but to be freed */
} spar__fold;

spar_status spar__fold_new(spar__fold **out);
void spar__fold_free(spar__fold *state); /* NULL is fine */

/* Applies one event. After a failure the state is as it was, or it is broken. SPAR_UNSUPPORTED: an undo of an answer
 * that is part of the state, which must be computed again without it. */
spar_status spar__fold_apply(spar__fold *state, const spar_event *event, const unsigned char hash[SPAR_HASH_SIZE],
                             spar_error *err);

/* The index of an open screen in `open`; n_open: it is not there. */
size_t spar__fold_find_open(const spar__fold *state, uint64_t number);

/* How many a voter has (0: all whose voter is not known); the first `most`, rising, go to number, which may be NULL. */
size_t spar__fold_open_of(const spar__fold *state, uint64_t voter, size_t most, uint64_t *number);

/* The whole state as bytes (spar__free), and back. Equal states have equal bytes. Those of an older program are
 * refused: SPAR_UNSUPPORTED. */
spar_status spar__fold_save(spar__fold *state, unsigned char **bytes, size_t *length, spar_error *err);
spar_status spar__fold_load(const unsigned char *bytes, size_t length, spar__fold **out, spar_error *err);

/* Saved in two steps: the parts are a copy of the state, and any thread can join them later. */
typedef struct spar__fold_parts {
    spar__buf counted, items;
    bool has_items;
    unsigned char *session, *decision;
    size_t session_length, decision_length;
} spar__fold_parts;

spar_status spar__fold_save_parts(spar__fold *state, spar__fold_parts *parts, spar_error *err); /* failed: nothing */
spar_status spar__fold_join(const spar__fold_parts *parts, unsigned char **bytes, size_t *length);
size_t spar__fold_parts_size(const spar__fold_parts *parts);
void spar__fold_parts_free(spar__fold_parts *parts);

/* --- an experiment --- */

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

/* A state that handles of several threads share; each has a store and texts of its own. Only the thread that the owner
 * lets fold changes it or puts another in its place, and holds the lock for writing then; it looks at it without a
 * lock, all others with the lock for reading. */
typedef struct spar__shared_fold {
    pthread_rwlock_t lock;
    spar__fold *state;
    uint64_t snapshot; /* events in the newest snapshot that is known */
} spar__shared_fold;

struct spar_experiment {
    char *place; /* for messages */
    spar__store *store;
    bool borrowed; /* the store is somebody else's */
    uint64_t id;   /* in the store */
    bool writes;
    spar__fold *state;                /* NULL: to be computed from the log */
    spar__shared_fold *shared;        /* whose state it is; NULL: its own */
    unsigned locks;                   /* of the shared one for writing, inside each other */
    double folded;                    /* nanoseconds of the monotonic clock: it was at the end of the log then */
    spar_event *event;                /* working memory */
    uint64_t snapshot;                /* events in the newest snapshot that is known */
    size_t snapshot_size;             /* bytes; 0: not known */
    double slow;                      /* nanoseconds of CPU time that slow folding took from there on */
    double snapshot_after;            /* nanoseconds of the monotonic clock: no other one before */
    double snapshot_took;             /* nanoseconds, of the one that is under way */
    struct spar__snapshot_work *work; /* a snapshot that is under way (snapshot.c); NULL: none */
    bool served;                      /* others wait for this thread: a large snapshot is compressed by another */
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

/* --- the log (log/event_log.c) --- */

/* Brings the state to the end of the log; an older snapshot serves where an answer was undone. */
spar_status spar__live_refresh(spar_experiment *experiment, spar_error *err);

/* Takes the state that is shared, to look at it. */
void spar__live_take_state(spar_experiment *experiment);

/* Event number `sequence` of the log, and the hash of the chain there; zeros where there is no such event. */
spar_status spar__live_read(spar_experiment *experiment, uint64_t sequence, spar_event *out, spar_error *err);
spar_status spar__log_hash_at(spar__store *store, uint64_t experiment, uint64_t sequence,
                              unsigned char hash[SPAR_HASH_SIZE], spar_error *err);

/* Reads the event of that kind about a screen (and of that revision, but for a screen) into `out`; SPAR_UNKNOWN. */
spar_status spar__live_find(spar_experiment *experiment, spar_event_kind kind, uint64_t number, uint32_t revision,
                            spar_event *out, spar_error *err);

/* How often the answer to a screen was undone, as of the state: an answered screen is looked up in the log. */
spar_status spar__live_revision(spar_experiment *experiment, uint64_t number, uint32_t *revision, spar_error *err);

/* An event that was read from the store. */
spar_status spar__live_decode(spar_event *event, uint64_t sequence, const unsigned char *bytes, size_t length,
                              spar_error *err);

/* --- writing --- */

/* Takes the lock and folds what others have added; end gives the lock up (commit has done so). */
spar_status spar__live_begin(spar_experiment *experiment, spar_error *err);
void spar__live_end(spar_experiment *experiment);

/* Appends events under the lock, which is given up, and folds those that were not refused. undone: the first answer
 * that one of them takes back; 0: none. */
spar_status spar__live_append(spar_experiment *experiment, size_t n, spar__store_entry *entry, uint64_t undone,
                              spar_error *err);

/* The same with one event and its texts, stamped with the time. */
spar_status spar__live_commit(spar_experiment *experiment, spar_event *event, size_t n_texts,
                              const spar__store_text *text, spar_error *err);

/* A text with a new salt, and its HMAC if that is wanted. The bytes are not copied. */
spar_status spar__live_text(spar__text_kind kind, uint64_t owner, uint32_t version, const void *bytes, size_t length,
                            spar__store_text *text, unsigned char hash[SPAR_HASH_SIZE], spar_error *err);

int64_t spar__live_now(void); /* microseconds UTC */

/* --- voters (experiment_get.c) --- */

/* A part of the SHA-256, as the key of a table: what people choose cannot fill one slot of it. */
void spar__hash_words(const void *bytes, size_t length, uint64_t word[2]);

/* The number of a voter, 0 for no name; an unknown name gets a new number, and *text what is to be stored with the next
 * event (*n_texts counts it). */
spar_status spar__live_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar__store_text *text,
                             size_t *n_texts, spar_error *err);

/* The same without making one: SPAR_UNKNOWN. */
spar_status spar__live_known_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar_error *err);

/* --- texts --- */

/* The option as it is now; *out NULL: redacted. A text that is there and cannot be read is an error. */
spar_status spar__live_option_get(spar_experiment *experiment, size_t arm, const spar_option **out, spar_error *err);

/* The item as it is now, new (spar_item_free); *out NULL: redacted. */
spar_status spar__live_item_get(spar_experiment *experiment, uint32_t index, spar_item **out, spar_error *err);

/* SHA-256 of the image of an option as it is now; NULL if it has none. Computed once for each version. Borrowed. */
const unsigned char *spar__live_image_hash(spar_experiment *experiment, size_t arm);

/* Looks the question up, so that spar_experiment_question cannot fail. */
spar_status spar__live_question_get(spar_experiment *experiment, spar_error *err);

/* --- texts that are removed (change.c) --- */

/* Options are looked up again if texts were removed since (spar__store_text_drops is another number), by whomever. */
void spar__live_heed_drops(spar_experiment *experiment, uint64_t drops);

/* --- snapshots (log/snapshot.c) --- */

/* The newest state of at most that many events (0: any number) that can be trusted; *out NULL if there is none. */
spar_status spar__snapshot_load(spar_experiment *experiment, uint64_t limit, spar__fold **out, spar_error *err);

/* Writes one if it is time, or now. What goes wrong is ignored: a snapshot only makes starting faster. The lock is not
 * held. Where the experiment is served, take only begins a large one, and the next take or collect that finds it
 * compressed writes it. */
void spar__snapshot_take(spar_experiment *experiment);
void spar__snapshot_collect(spar_experiment *experiment);
void spar__snapshot_write(spar_experiment *experiment);

/* That many events were folded since a moment of this thread's clock. */
void spar__snapshot_note(spar_experiment *experiment, uint64_t events, double start);

/* The end of one that is under way. */
void spar__snapshot_stop(spar_experiment *experiment);

/* Do the bytes of a snapshot hold this state? True also for those of an older program. */
spar_status spar__snapshot_compare(spar__fold *state, const unsigned char *bytes, size_t length, bool *same,
                                   spar_error *err);

/* Bytes made shorter, for snapshots, and back. *out is new (spar__free). SPAR_CORRUPT if they are no such result:
 * whatever the bytes are, nothing is read or written outside. */
spar_status spar__lz4_compress(const unsigned char *bytes, size_t length, unsigned char **out, size_t *compressed);
spar_status spar__lz4_decompress(const unsigned char *bytes, size_t length, unsigned char **out, size_t *expanded);

extern uint64_t spar__snapshot_every; /* events between two small ones: 4,096, but for tests */
extern size_t spar__snapshot_large;   /* bytes of a state that takes a while to compress: 65,536, but for tests */

/* Drops those of events from .. to - 1: they hold an answer that was undone. */
void spar__snapshot_drop(spar_experiment *experiment, uint64_t from, uint64_t to);

/* Refused where the experiment is NULL or only read. */
spar_status spar__live_check(const spar_experiment *experiment, spar_error *err);

/* --- opening (location.c) --- */

/* The store at a location; *name is new: what the location says after its #, or NULL. */
spar_status spar__location_open(const char *place, spar__store_mode mode, spar__store **store, char **name,
                                spar_error *err);

/* An experiment without a number and a state, on an open store; *name is what the place says behind #, or NULL. */
spar_status spar__live_new(const char *place, spar__store_mode mode, spar_experiment **out, char **name,
                           spar_error *err);

/* The experiment of that name on a store that stays the caller's, who closes it last. Several may share one, as long as
 * only one of them writes at a time. place: for messages. shared: whose state is its own, too; NULL: none. The caller
 * may fold, or the state needs nothing. */
spar_status spar__live_open_on(spar__store *store, const char *place, const char *name, bool writes,
                               spar__shared_fold *shared, spar_experiment **out, spar_error *err);

/* --- new experiments (create.c) --- */

/* Can the policy be built, and does it promise distinct options? */
spar_status spar__policy_serves(const char *policy, const spar_arms *arms, size_t m, spar_error *err);

/* Limits of a question's text and of m, for a new experiment and for one that is changed. */
spar_status spar__question_check(const char *question, spar_error *err);
spar_status spar__slots_check(size_t m, spar_error *err);

/* --- changes (change.c) --- */

/* What a settings event says, and the question. */
typedef struct spar__live_settings {
    const char *question; /* NULL: none */
    size_t m;
    spar_results_for results;
    spar_access access;
} spar__live_settings;

/* The event, and the text that goes with it where there is a question; number: of the settings event, from 1. */
spar_status spar__settings_event(spar_event *event, const spar__live_settings *settings, uint32_t number,
                                 spar__store_text *text, spar_error *err);

/* The event of an option in that version, and its text, whose bytes are in the record. */
spar_status spar__option_event(spar_event *event, const spar_option *option, size_t arm, uint32_t version,
                               spar__buf *record, spar__store_text *text, spar_error *err);

extern const char spar__axes_fixed[]; /* why a space stays as it is */

#endif
