/* restore.h - a log from a file into a store, event by event: the same bytes, the same chain, the same texts. */
#ifndef SPAR_LIVE_RESTORE_H
#define SPAR_LIVE_RESTORE_H

#include "live/history.h"
#include "text/json.h"

typedef enum spar__restore_target {
    SPAR__RESTORE_NEW,  /* there is no experiment of that name, or one without events */
    SPAR__RESTORE_SAME, /* the experiment of the file: the two begin with the same event */
    SPAR__RESTORE_OTHER /* another experiment */
} spar__restore_target;

/* What is at the place? Nothing is made. */
spar_status spar__restore_look(const char *place, spar__history *history, spar__restore_target *target,
                               spar_error *err);

typedef struct spar__restore_job {
    bool all_names; /* also of voters who are there without a name */
    bool as_is;     /* the history is one of a store, and frozen: its chain is checked, not what it says; names go with
                     * the first event of their voter */
    spar__exchange_progress progress;
    void *context;
    uint64_t events, added, names; /* out: in the file; new ones; names of voters that are new */
    uint64_t left_out;             /* out: names of voters who are there without one: they may have been forgotten */
    bool whole;                    /* out: the file has its last line, and it fits */
} spar__restore_job;

/* Into a new experiment, or into the same one, to which the events are added that it does not have yet. The file is
 * checked before the first event is written: chain, texts, and whether the log can be folded. SPAR_CONFLICT if the
 * experiment has gone another way. SPAR_INTERRUPTED: what was added stays, and the same file goes on from there. */
spar_status spar__restore(spar__restore_job *job, const char *place, spar__history *history, spar_error *err);

/* What it did, as an object. */
void spar__restore_json(const spar__restore_job *job, spar__json *json);

#endif
