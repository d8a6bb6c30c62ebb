/* item_groups.h - the answers of an experiment by the groups of their items. */
#ifndef SPAR_LIVE_ITEM_GROUPS_H
#define SPAR_LIVE_ITEM_GROUPS_H

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

#endif
