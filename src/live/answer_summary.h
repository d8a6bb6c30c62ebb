/* answer_summary.h - the answers of an experiment summed up: by the groups of their items, and by when they came. */
#ifndef SPAR_LIVE_ANSWER_SUMMARY_H
#define SPAR_LIVE_ANSWER_SUMMARY_H

#include "base/order.h"

#include <spar/experiment.h>

enum { SPAR__MOST_GROUPS = 100 }; /* that are told apart */

typedef struct spar__group_answers {
    uint64_t items, answers;   /* of whatever kind */
    spar_decision *decision;   /* records: how often each option was shown and chosen */
    spar_standings *standings; /* not computed */
} spar__group_answers;

/* How many groups the items have, without those that have none. */
size_t spar__live_group_count(const spar_experiment *experiment);

/* The name of a group, new (spar_text_free); NULL: every item of it was redacted. */
spar_status spar__live_group_name(spar_experiment *experiment, size_t group, char **out, spar_error *err);

/* One for each group, and a last one for items without a group and answers without an item; out has room for them.
 * Every answer that stands is in one of them. */
spar_status spar__live_groups(spar_experiment *experiment, bool without_flagged, spar__group_answers *out,
                              spar_error *err);
void spar__group_answers_free(spar__group_answers *group);

/* When answers came, and how many of them are flagged: read from the log, a part at a time.
 *
 * Times are labels of events, so nothing else depends on this. Answers that were taken back later stay where they came;
 * imported ones are not counted, for their events say when they were imported. */

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
