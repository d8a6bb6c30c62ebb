/* verify.h - the inside of a verification.
 *
 * First the log is read from end to end (scan.c): chain, form, and what the events say about each other; then the texts
 * are compared with their hashes (scan_texts.c); then the log is folded once, and on the way every screen is drawn
 * again and every snapshot compared (refold.c). */
#ifndef SPAR_LIVE_VERIFY_H
#define SPAR_LIVE_VERIFY_H

#include "live/live.h"
#include "live/window.h"

#include "base/order.h"

enum { SPAR__MOST_FINDINGS = 100 };

struct spar_verification {
    char **finding;
    size_t n_findings, more; /* of which there are texts, and not */
    uint64_t events, screens, other, removed;
    unsigned char head[SPAR_HASH_SIZE];
};

/* A screen to be drawn again: by basis, then by its own number in the log. */
typedef struct spar__redraw {
    uint64_t basis, sequence;
} spar__redraw;

/* A text that an event has the hash of. */
typedef struct spar__hashed_text {
    spar__text_kind kind;
    uint32_t version;
    uint64_t owner, sequence;
    unsigned char hash[SPAR_HASH_SIZE];
    bool met; /* it is in the store */
} spar__hashed_text;

typedef struct spar__verify {
    spar_verification *report;
    spar__store *store;
    uint64_t experiment;
    spar_event *event, *drawn;
    const unsigned char *noted; /* the head of an earlier time, or NULL */
    bool noted_found;
    spar_progress_fn progress;
    void *context;
    uint64_t end;                       /* the last event */
    unsigned char last[SPAR_HASH_SIZE]; /* what the store has for the event before */

    spar__key_table asked;   /* screens: number of the screen event */
    spar__key_table answers; /* (screen, revision): number of the answer event */
    spar__key_table undos;   /* the same: number of the undo event */
    spar__key_table keys;    /* of imports */
    uint32_t settings;
    spar__redraw *redraw;
    size_t n_redraw, redraw_room;
    spar__hashed_text *text;
    size_t n_text, text_room;
    spar__hashed_text *stray; /* texts that no event knows of, so far */
    size_t n_stray, stray_room;
    bool texts_unread; /* not all could be read: which of them are missing is not known */
} spar__verify;

/* Notes what is wrong. */
spar_status spar__verify_find(spar__verify *verify, spar_error *err, const char *format, ...) SPAR__PRINTF(3, 4);

/* SPAR_INTERRUPTED if progress says so; share of the whole work. */
spar_status spar__verify_progress(const spar__verify *verify, double share, spar_error *err);

/* Makes room for one more of n items. */
spar_status spar__verify_reserve(void **items, size_t n, size_t *room, size_t size, spar_error *err);

spar_status spar__verify_scan(spar__verify *verify, spar_error *err);
spar_status spar__verify_texts(spar__verify *verify, spar_error *err);

/* At the end of the log: texts that are not there, and that no command removes. */
spar_status spar__verify_missing(spar__verify *verify, const spar__fold *state, spar_error *err);
spar_status spar__verify_fold(spar__verify *verify, spar_error *err);

#endif
