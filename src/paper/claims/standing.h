/* standing.h - how a policy stands among those with two arms a round, over the 15 scenarios of links and utilities. */
#ifndef SPAR_PAPER_CLAIMS_STANDING_H
#define SPAR_PAPER_CLAIMS_STANDING_H

#include "paper/paper.h"

#define SPAR__STANDING_TEST                                                                                            \
    "In a scenario the policy is among the best when its median regret is at most twice the lowest median of the "     \
    "other policies. Holds when that is so in at least 80 % of the scenarios, in part in at least half. Medians "      \
    "decide because tails are heavy: a few runs that never recover can double a mean. Means are told as well."

spar_status spar__standing_judge(const char *label, const spar__paper *paper, spar__finding *out, spar_error *err);

#endif
