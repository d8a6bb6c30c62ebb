/* standing.h - how a policy stands among those with two arms a round, over the 15 scenarios of links and utilities. */
#ifndef SPAR_PAPER_CLAIMS_STANDING_H
#define SPAR_PAPER_CLAIMS_STANDING_H

#include "paper/paper.h"

/* Medians decide because tails are heavy: a few runs that never recover can double a mean. Means are told as well. */
typedef struct spar__standing {
    size_t scenes, near[2], first[2], second[2]; /* by median, by mean; near: at most twice the least of the others */
    double worst[2];                             /* the largest own / least of the others */
    char where[2][64];
} spar__standing;

/* Measures it and tells the numbers; no scenes: nothing was played. */
spar_status spar__standing_measure(const char *label, const spar__paper *paper, spar__standing *out, spar__buf *numbers,
                                   spar_error *err);

#endif
