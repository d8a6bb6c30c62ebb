/* known.h - imported answers of a log by their keys. */
#ifndef SPAR_LIVE_KNOWN_H
#define SPAR_LIVE_KNOWN_H

#include "live/live.h"

typedef struct spar__known_keys { /* all zero: the log was not read yet */
    spar__key_table key;          /* the count is the sequence number of the event */
    uint64_t upto;                /* the last event that was read */
    spar_event *event;            /* working memory */
} spar__known_keys;

void spar__known_keys_fini(spar__known_keys *known);

/* A row whose key is there already. */
typedef struct spar__known_row {
    const spar_event *event; /* what would have been appended */
    uint64_t number;         /* of the row, for messages */
    bool labelled;           /* its voter has no name, but a label that an export made */
} spar__known_row;

/* Has the event with that key the same options, answer and voter? SPAR_CONFLICT with a sentence if something differs. A
 * voter cannot be compared where one side only has the name: it was removed, or an export left it out. */
spar_status spar__known_compare(spar_experiment *experiment, spar__known_keys *known, const spar__known_row *row,
                                spar_error *err);

#endif
