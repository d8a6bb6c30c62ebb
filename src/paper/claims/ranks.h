/* ranks.h - claims about the rank of a policy among those with two arms a round, over the 15 scenarios. */
#ifndef SPAR_PAPER_CLAIMS_RANKS_H
#define SPAR_PAPER_CLAIMS_RANKS_H

#include "paper/paper.h"

typedef struct spar__scenario_rank {
    const char *policy; /* label */
    bool mostly_lowest; /* to hold, it must also have the lowest median in more than half of the scenarios */
} spar__scenario_rank;

/* The judge of such a claim; its data is a spar__scenario_rank. */
spar_status spar__rank_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);

#endif
