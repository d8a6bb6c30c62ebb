/* tally.h - what happened to each arm of one run. */
#ifndef SPAR_SIM_TALLY_H
#define SPAR_SIM_TALLY_H

#include "sim/sim.h"

/* Starts zeroed. */
typedef struct spar__tallies {
    size_t n;
    spar__arm_tally *arm;
} spar__tallies;

/* Counts a round that was learned. Grows with the policy's table of arms. */
spar_status spar__tallies_add(spar__tallies *tally, const spar_arms *arms, const spar_round *round,
                              const spar_feedback *feedback);
void spar__tallies_free(spar__tallies *tally);

#endif
