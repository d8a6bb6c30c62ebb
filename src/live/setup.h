/* setup.h - what a new experiment is made of. */
#ifndef SPAR_LIVE_SETUP_H
#define SPAR_LIVE_SETUP_H

#include "base/buf.h"
#include "text/names.h"

#include <spar/experiment.h>

struct spar_setup {
    char *question, *policy; /* NULL: none; the default */
    size_t m;                /* 0: the default */
    spar_answer_kind asks;
    bool seeded;
    uint64_t seed;
    spar_results_for results;
    spar_access access;
    spar_option **option;
    size_t n, room;
    spar_axes *axes; /* NULL: the options are a list */
    bool against_last;
    spar_item **item; /* with arms, each id once */
    size_t n_items, items_room;
    spar__names item_ids;
};

#define SPAR__LIVE_POLICY "focus(live=1)/self_sparring(distinct=1)/thompson/beta"

/* A table of the options, without names; at least two arms, so that a policy can be tried. */
spar_status spar__setup_arms(const spar_setup *setup, spar_arms **out);

/* Slots of a question where the user did not say: as few as people can take in at a glance. */
size_t spar__setup_slots(const spar_setup *setup);

/* Can the policy be built, and does it promise distinct options? */
spar_status spar__policy_serves(const char *policy, const spar_arms *arms, size_t m, spar_error *err);

/* space_setup.c: the default policy of a space; appended. */
void spar__space_policy(const spar_axes *axes, spar__buf *out);

/* May the policy ask about this space, and are there enough settings in it? */
spar_status spar__space_serves(const char *policy, const spar_setup *setup, size_t m, spar_error *err);

/* features.c: the default policy where options have features; nothing where they have none, or are too many. */
void spar__features_policy(const spar_setup *setup, spar__buf *out);

/* Limits of a question's text and of m, for a new experiment and for one that is changed. */
spar_status spar__question_check(const char *question, spar_error *err);
spar_status spar__slots_check(size_t m, spar_error *err);

/* change.c: why a space stays as it is. */
extern const char spar__axes_fixed[];

#endif
