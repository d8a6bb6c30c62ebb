/* dts_state.h - what dts keeps about pairs of arms: functions of W, t and the arms that are live. dts.c says what for.
 */
#ifndef SPAR_POLICY_DTS_STATE_H
#define SPAR_POLICY_DTS_STATE_H

#include "policy/bounds.h"
#include "policy/direct/lanes.h"
#include "types/arms.h"

typedef struct spar__dts_state {
    const spar_arms *arms; /* borrowed */
    double alpha;
    spar_pair_counts counts; /* W */
    double x;                /* alpha log t of the round to come */
    size_t width;            /* n, rounded up to whole blocks of SPAR__LANES */
    size_t room;             /* for arms in the arrays, which are three blocks of memory */
    size_t known;            /* arms whose chances are right */
    double *behind;   /* room x room, spar__behind: U_ij > 1/2 iff x > this; infinite for an arm and itself, and for
                       * retired arms */
    double *ahead;    /* per arm: see above */
    uint16_t *chance; /* room x room, the first 16 bits of q_ij; 1 counts as all ones, and what follows is then 1 */
    uint16_t *closed; /* per arm 0, all ones for a retired one and beyond n */
    size_t *promise;  /* per arm, the sum of its chances against live arms */
    size_t *order;    /* the live arms, the most promising first, equal ones by their index */
    size_t *above;    /* per arm, its bounds above 1/2: that many until x is above `ahead`, the least of its other
                         thresholds */
} spar__dts_state;

/* Follows the arms, also from nothing; t = rounds + 1. On failure everything is as before. */
spar_status spar__dts_state_fit(spar__dts_state *self, uint64_t rounds);
void spar__dts_state_fini(spar__dts_state *self);

/* One more round of two slots, each win counting eta. */
void spar__dts_state_learn(spar__dts_state *self, const spar_round *round, const spar_feedback *feedback, double eta,
                           uint64_t rounds);

void spar__dts_state_archive(spar__dts_state *self, spar__archive *ar, uint64_t rounds);

/* q_ij; to the bit 1 - q_ji. */
double spar__dts_chance(const spar_pair_counts *counts, size_t i, size_t j);

#endif
