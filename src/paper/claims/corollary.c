#include "paper/claims/one_sided.h"

const spar__claim spar__claim_corollary = {
    .name = "corollary",
    .title = "One side against an opponent who settles (Corollary 1)",
    .says = "Under approximate linearity, Thompson sampling against a drifting but converging distribution of arms "
            "converges to the best arm.",
    .test = SPAR__ONE_SIDED_TEST
    "The opponent draws uniformly with probability 1 / sqrt(1 + t / 1000), else plays the best "
    "arm. What a round costs must fall more than five-fold from the decade up to 1e5 to the decade up "
    "to 1e6 (growth like ln t: ten-fold, like sqrt t: three-fold), and regret over ln t must level "
    "off: with 2 standard errors the last decade is less than half steeper than the decade before. Holds "
    "with both for every link, in part with the first alone or for some. No rate is "
    "claimed: the slope stays far above the bound, as what was learned against the early opponent "
    "has to be unlearned.",
    .plan = spar__one_sided_plan,
    .judge = spar__one_sided_judge,
    .draw = spar__one_sided_draw,
    .data = &spar__opponent_moving,
};
