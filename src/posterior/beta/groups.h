/* groups.h - arms with the same counts, kept once.
 *
 * A group is a pair (a,b) that some arms have, with what is known of Beta(a,b) at each of eight thresholds: S, D and
 * its scale (survival.h) and the rate -log(1 - S). Groups are found by their pair in a hash table, made when the first
 * arm comes and dropped when the last one leaves. */
#ifndef SPAR_POSTERIOR_BETA_GROUPS_H
#define SPAR_POSTERIOR_BETA_GROUPS_H

#include "posterior/beta/beta.h"

#include <stdint.h>

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

#endif
