#include "paper/claims/one_sided.h"

const spar__claim spar__claim_lemma_3 = {
    .name = "lemma-3",
    .title = "Thompson sampling against a fixed opponent (Lemma 3)",
    .says =
        "Under approximate linearity, choosing one arm by Thompson sampling against a fixed distribution of arms has "
        "optimal regret.",
    .test = SPAR__ONE_SIDED_TEST
    "The opponent draws an arm uniformly in every round. The slope d regret / d ln t of the "
    "last decade must, with 2 standard errors, be less than 1.5 times as steep as the decade before, and "
    "below 1.5 times the bound of Lai and Robbins for the probabilities to win against that opponent, and not below "
    "half "
    "of it. Holds when all of this is true for every link, in part for some.",
    .plan = spar__one_sided_plan,
    .judge = spar__one_sided_judge,
    .draw = spar__one_sided_draw,
    .data = &spar__opponent_fixed,
};
