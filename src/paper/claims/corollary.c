#include "paper/claims/one_sided.h"

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__one_sided_stage(SPAR__OPPONENT_MOVING, paper, err);
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__one_sided_judge(SPAR__OPPONENT_MOVING, paper, out, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__one_sided_draw(SPAR__OPPONENT_MOVING, paper, svg, err);
}

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
    .stage = stage,
    .judge = judge,
    .draw = draw,
};
