/* ladder.h - the argmax of many independent Betas at a cost that hardly grows with their number: see
 * ladder.c. The groups that it works with are those of groups.h. */
#ifndef SPAR_POSTERIOR_BETA_LADDER_H
#define SPAR_POSTERIOR_BETA_LADDER_H

#include "posterior/beta/groups.h"

enum { SPAR__LADDER_FAN = 16, SPAR__LADDER_DEPTH = 8 };
enum { SPAR__LADDER_PAUSE = 64, SPAR__LADDER_PAUSES = 12 }; /* the first pause, in settles, and how often it doubles */

/* Rates of 16 children, threshold by threshold. */
typedef struct spar__ladder_node {
    double rate[SPAR__LEVELS][SPAR__LADDER_FAN];
} spar__ladder_node;

typedef struct spar__ladder {
    bool on;                /* else every arm is to be drawn */
    bool distinct;          /* draws are of several different arms: thresholds must serve without the best, too */
    double c[SPAR__LEVELS]; /* thresholds, falling */
    double debt;            /* nanoseconds that better thresholds would have saved, about */
    double loss;            /* and those that drawing every arm would have, because of steps that cannot be followed */
    double pause;           /* settles until it is built again, when it is off because of these or of memory; else 0 */
    double pauses;          /* how often it paused */

    spar__groups groups;
    uint32_t *group; /* of each arm; SPAR__NO_GROUP when it has retired */
    size_t n, room;  /* arms, and places for them */
    size_t inside;   /* arms that have a group */

    /* The tree: children of floor 0 are blocks of 16 arms, those of floor t + 1 are the nodes of floor t; one node on
     * the top floor. total is the sum of its children. */
    size_t floors, at[SPAR__LADDER_DEPTH + 1]; /* where each floor begins in node */
    spar__ladder_node *node;
    double total[SPAR__LEVELS];

    uint32_t *touched; /* arms observed since the last settle, perhaps some twice */
    size_t n_touched, touched_room;
} spar__ladder;

void spar__ladder_free(spar__ladder *self);

/* Room for a round that observes that many arms. */
spar_status spar__ladder_reserve(spar__ladder *self, size_t arms);

/* Builds everything from the counts; off afterwards if that fails. */
void spar__ladder_build(spar__ladder *self, const spar__beta_view *view);

/* Off, and as if it had never been on. */
void spar__ladder_leave(spar__ladder *self);

/* Arms came or retired; room is that of their table. On failure everything is as usable as before. */
spar_status spar__ladder_resize(spar__ladder *self, const spar__beta_view *view, size_t room);

void spar__ladder_touch(spar__ladder *self, const spar__beta_view *view, size_t arm); /* before a and b change */
void spar__ladder_settle(spar__ladder *self, const spar__beta_view *view);

/* Does a draw cost less than drawing every arm? Not where many arms came or went since the last settle. */
bool spar__ladder_pays(const spar__ladder *self);

/* m best arms; only while on. */
spar_status spar__ladder_best(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm);

/* Different arms for the first *done of m slots, each the best of a draw without those before it; fewer than m where
 * the others are better drawn from all arms. Only while on. */
spar_status spar__ladder_best_distinct(const spar__ladder *self, spar_scratch *scratch, spar_rng *rng, size_t m,
                                       size_t *arm, size_t *done);

/* The rung where a draw with these total rates begins. */
size_t spar__ladder_first(const double *total);

/* New thresholds c. */
void spar__ladder_set_thresholds(spar__ladder *self);

/* Computes all sums again. */
void spar__ladder_sum(spar__ladder *self);

void spar__ladder_archive(spar__ladder *self, const spar__beta_view *view, spar__archive *ar);

#endif
