#include "paper/claims/one_sided.h"

const spar__claim spar__claim_corollary = {
    .name = "corollary",
    .title = "Thompson sampling against an opponent that converges (Corollary 1)",
    .says = "Under approximate linearity, Thompson sampling against a drifting but converging distribution of arms "
            "converges to the best arm.",
    .test = SPAR__ONE_SIDED_TEST
    "The opponent draws uniformly with probability 1 / sqrt(1 + t / 1000), else it takes the best "
    "arm. The regret of a round must fall more than five-fold from the decade up to 1e5 to the decade up "
    "to 1e6 (growth like ln t: ten-fold, like sqrt t: three-fold), and regret over ln t must level "
    "off: with 2 standard errors the last decade is less than 1.5 times as steep as the decade before. Holds "
    "when both are true for every link, in part when only the first is or only for some links. No rate is "
    "claimed: the slope stays far above the bound, because what was learned from the opponent's first "
    "arms has to be unlearned.",
    .plan = spar__one_sided_plan,
    .judge = spar__one_sided_judge,
    .draw = spar__one_sided_draw,
    .data = &spar__opponent_moving,
};
