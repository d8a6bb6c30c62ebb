/* window.h - the events of a log by number, in any order: a stretch of them is kept in memory. */
#ifndef SPAR_LIVE_WINDOW_H
#define SPAR_LIVE_WINDOW_H

#include "base/buf.h"
#include "store/store.h"

enum { SPAR__LOG_WINDOW = 1024 }; /* events that are read at once */

typedef struct spar__log_window_event {
    size_t at, length; /* in the bytes of the window */
    unsigned char hash[SPAR_HASH_SIZE];
} spar__log_window_event;

typedef struct spar__log_window {
    spar__store *store;
    uint64_t experiment;
    uint64_t first; /* the number of the first event in it */
    size_t n;
    spar__buf bytes;
    spar__log_window_event event[SPAR__LOG_WINDOW];
} spar__log_window;

/* Borrowed until the next call. SPAR_UNKNOWN: the log has no such event, or cannot be read so far. */
spar_status spar__log_window_get(spar__log_window *window, uint64_t sequence, const unsigned char **bytes,
                                 size_t *length, const unsigned char **hash, spar_error *err);

#endif
