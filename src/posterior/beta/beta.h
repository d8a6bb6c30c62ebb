/* beta.h - the belief beta, and how its files fit together.
 *
 *     theta_i ~ Beta(a + S_i, b + F_i), independent
 *
 * W. R. Thompson, On the likelihood that one unknown probability exceeds another in view of the evidence of two
 * samples, Biometrika 1933; as used by Sui, Zhuang, Burdick, Yue, Multi-dueling Bandits with Dependent Arms, UAI 2017.
 *
 * A reward r in [0,1] of weight w adds w r to S_i and w (1 - r) to F_i, without rounding. These two numbers of each arm
 * are the whole belief. The rest of this folder answers one question fast: draw all theta, which arm has the largest?
 * Thompson sampling asks it once for every slot of every round.
 *
 * There are three ways to answer. All have exactly the same law, that of drawing every arm, so the choice between them
 * is a matter of time alone:
 *
 *     every arm  (beta.c) is drawn, in vectors, and the largest taken: O(K) a slot, some 20 ns an arm. Works always,
 * and is the only way where a prior a or b is below 1. lazily     (beta.c) for up to 64 arms. Keeps a threshold c and
 * the probability that the leader alone exceeds it. One uniform number usually says that this happened, and then no
 * Beta is drawn at all. Once one arm is clearly best, a round of 4 slots and 16 arms takes 0.2 us instead of more
 * than 1. by a tree  (threshold_tree.c) for more arms. Thresholds c_0 > c_1 > ... and a tree of sums find the few arms
 * that exceed the first one, and only these are drawn: O(log K) a slot. A round of 4 slots takes a few microseconds
 * with 1,000 arms and with 100,000; drawing every arm takes 0.1 and 10 ms.
 *
 * Different arms for several slots (best_distinct): the lazy way serves the first slot, the others draw every arm; the
 * tree serves all of them, by leaving out the rates of the arms that are taken, and places its thresholds so that the
 * arms behind the leaders have several too.
 *
 * Both need P(theta_i > c) of every arm at fixed thresholds. That is an incomplete Beta function, which takes
 * microseconds; but after one more win or loss it follows from the value before by a few multiplications (survival.h).
 * So thresholds are kept as long as they serve, and an observation costs next to nothing. Where many arms have the same
 * counts, as at the start, these values are kept once for all of them (groups.c).
 *
 * Both ways turn themselves off, and every arm is drawn, where they do not pay: lazy while no arm leads clearly, both
 * when weights are not whole numbers (the recurrence takes whole wins and losses) or counts exceed 1e10. They try again
 * later, after pauses that grow. All this is decided in settle from the state alone, never in best: asking changes
 * nothing, and a replayed log gives the same state. What was reached by recurrence differs from what would be computed
 * again in its last bits, so it is saved with the belief. */
#ifndef SPAR_POSTERIOR_BETA_BETA_H
#define SPAR_POSTERIOR_BETA_BETA_H

#include "posterior/posterior.h"

#include <stdint.h>

/* The arms as the ways see them. */
typedef struct spar__beta_view {
    size_t n, live;
    const double *a, *b;
    const bool *alive;
    size_t turned; /* whose flag changed last */
} spar__beta_view;

/* For tests: every arm is drawn from now on, or no longer; and, up to 64 arms, this threshold at once. */
void spar__beta_plain(spar__posterior *self, bool plain);
void spar__beta_threshold(spar__posterior *self, double c);

/* --- groups.c: arms with the same counts, kept once ---
 *
 * A group is a pair (a,b) that some arms have, with what is known of Beta(a,b) at each of eight thresholds: S, D and
 * its scale (survival.h) and the rate -log(1 - S). Groups are found by their pair in a hash table, made when the first
 * arm comes and dropped when the last one leaves. */

enum { SPAR__LEVELS = 8 };
#define SPAR__NO_GROUP UINT32_MAX

typedef struct spar__group {
    double a, b;
    double S[SPAR__LEVELS], D[SPAR__LEVELS], scale[SPAR__LEVELS], rate[SPAR__LEVELS];
    uint32_t members; /* 0: free, and next is the next free one */
    uint32_t next;
    bool cold; /* S is negligible at every threshold, and kept as S = D = 0 */
} spar__group;

typedef struct spar__groups {
    spar__group *group;
    uint32_t used, room, free, count; /* places ever used, places, first free one, groups */
    uint32_t *slot;                   /* hash table: a group or none; slots is a power of 2 */
    size_t slots;
} spar__groups;

void spar__groups_free(spar__groups *self);
spar_status spar__groups_reserve(spar__groups *self, size_t more); /* room for that many new groups */
void spar__groups_clear(spar__groups *self);

/* The group of (a,b), one more arm in it; SPAR__NO_GROUP when it is new and there is no room. *made: it is new and
 * has its pair, but nothing else. */
uint32_t spar__groups_join(spar__groups *self, double a, double b, bool *made);
void spar__groups_leave(spar__groups *self, uint32_t g);

/* Computes S, D and the rates of a group at thresholds c: directly, or by recurrence from another group, if whole wins
 * and losses lead from that one to this; false when it had to be done directly. */
void spar__group_start(spar__group *group, const double *c);
bool spar__group_follow(spar__group *group, const spar__group *from, const double *c);

/* S, D and the scale have been set: the rates. */
void spar__group_rate(spar__group *group);

/* --- threshold_tree.c --- */

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

/* Computes all sums again. */
void spar__ladder_sum(spar__ladder *self);

void spar__ladder_archive(spar__ladder *self, const spar__beta_view *view, spar__archive *ar);

enum { SPAR__LAZY_ARMS = 64 }; /* up to here the lazy way serves, else the tree */

#endif
