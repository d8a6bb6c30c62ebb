/* one_sided.h - Thompson sampling picks one arm a round, and an opponent the other: "one-sided/fixed-linear". */
#ifndef SPAR_PAPER_CLAIMS_ONE_SIDED_H
#define SPAR_PAPER_CLAIMS_ONE_SIDED_H

#include "paper/paper.h"

/* The opponent: the data of the claims below. */
typedef struct spar__opponent {
    const char *name, *title;
    bool fixed; /* it draws an arm uniformly in every round; otherwise it does so with a probability that falls like
                   1 / sqrt(1 + t / 1000), and else takes the best arm */
    spar__custom_run *run;
} spar__opponent;

extern const spar__opponent spar__opponent_fixed, spar__opponent_moving;

/* A run against each of them: the player learns from duels alone, one a round. */
spar__custom_run spar__one_sided_fixed, spar__one_sided_moving;

#define SPAR__ONE_SIDED_TEST                                                                                           \
    "The player's own regret, sum over rounds of phi(b_1, b_t), mean over runs, on arith with three links (quick: "    \
    "linear), a million rounds. "

spar_status spar__one_sided_plan(const void *data, spar__paper *paper, spar_error *err);
spar_status spar__one_sided_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);
spar_status spar__one_sided_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err);

#endif
