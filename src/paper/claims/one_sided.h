/* one_sided.h - one Thompson player who picks an arm against somebody else's: "one-sided/fixed-linear". */
#ifndef SPAR_PAPER_CLAIMS_ONE_SIDED_H
#define SPAR_PAPER_CLAIMS_ONE_SIDED_H

#include "paper/paper.h"

/* Against whom. FIXED draws an arm uniformly in every round; MOVING does so with a probability that falls like
 * 1 / sqrt(1 + t / 1000) and else takes the best arm. */
typedef enum spar__opponent { SPAR__OPPONENT_FIXED, SPAR__OPPONENT_MOVING } spar__opponent;

#define SPAR__ONE_SIDED_TEST                                                                                           \
    "The player's own regret, sum over rounds of phi(b_1, b_t), mean over runs, on arith with three links (quick: "    \
    "linear), a million rounds. "

spar_status spar__one_sided_stage(spar__opponent opponent, spar__paper *paper, spar_error *err);
spar_status spar__one_sided_judge(spar__opponent opponent, const spar__paper *paper, spar__finding *out,
                                  spar_error *err);
spar_status spar__one_sided_draw(spar__opponent opponent, const spar__paper *paper, spar__buf *svg, spar_error *err);

#endif
