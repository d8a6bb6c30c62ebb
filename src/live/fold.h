/* fold.h - what a log amounts to: the fold of its events. It may be thrown away and computed again at any time.
 *
 * Texts are not part of it: a state can be kept in a snapshot, and forgetting a text needs no new one. */
#ifndef SPAR_LIVE_FOLD_H
#define SPAR_LIVE_FOLD_H

#include "base/buf.h"
#include "live/items.h"

#include <spar/decide.h>
#include <spar/event.h>
#include <spar/session.h>

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

/* fold_open.c: the open screens. find: the index in `open`, or n_open. add: for one that reserve has made room for.
 * remove: one that is not there is removed already. */
size_t spar__fold_find_open(const spar__fold *state, uint64_t number);
spar_status spar__fold_reserve_open(spar__fold *state);
void spar__fold_add_open(spar__fold *state, uint64_t number, uint64_t voter);
void spar__fold_remove_open(spar__fold *state, uint64_t number);

/* How many a voter has (0: all whose voter is not known); the first `most`, rising, go to number, which may be NULL. */
size_t spar__fold_open_of(const spar__fold *state, uint64_t voter, size_t most, uint64_t *number);

/* Links the screens of each voter, after the state was loaded. */
spar_status spar__fold_link_open(spar__fold *state);

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

#endif
