/* pace.h - when answers came, and how many of them are flagged: read from the log, a part at a time.
 *
 * Times are labels of events, so nothing else depends on this. Answers that were taken back later stay where they came;
 * imported ones are not counted, for their events say when they were imported. */
#ifndef SPAR_LIVE_PACE_H
#define SPAR_LIVE_PACE_H

#include "base/order.h"

#include <spar/experiment.h>

enum { SPAR__PACE_COLUMNS = 30 };

typedef struct spar__pace { /* all zero: nothing read */
    uint64_t seed;          /* of the experiment, to know it by */
    uint64_t read;          /* events */
    int64_t begin;          /* of the first column, in seconds since 1970 */
    int64_t width;          /* of a column, in seconds; 0: no answer yet */
    size_t n;               /* columns up to the last answer */
    uint64_t count[SPAR__PACE_COLUMNS];
    uint64_t flagged;      /* answers that were faster than somebody can read, and were not taken back */
    spar__key_table hasty; /* these */
} spar__pace;

/* Reads on, at most `most` events; of another experiment, or a log that has become shorter, from the start. */
spar_status spar__pace_read(spar__pace *pace, spar_experiment *experiment, uint64_t most, spar_error *err);
void spar__pace_fini(spar__pace *pace);

/* One answer, at that time in microseconds. */
void spar__pace_add(spar__pace *pace, int64_t microseconds);

#endif
