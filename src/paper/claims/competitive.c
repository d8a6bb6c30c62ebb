#include "paper/claims/standing.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    spar__standing s;
    spar_status status = spar__standing_measure("IndSelfSparring", paper, &s, &out->numbers, err);
    if (!status && s.scenes)
        out->verdict = 5 * s.near[0] >= 4 * s.scenes ? SPAR__HOLDS
                       : 2 * s.near[0] >= s.scenes   ? SPAR__HOLDS_IN_PART
                                                     : SPAR__DOES_NOT_HOLD;
    return status;
}

const spar__claim spar__claim_competitive = {
    .name = "competitive",
    .title = "IndSelfSparring is competitive with two arms a round",
    .says =
        "In the original setting of two arms a round IndSelfSparring is competitive with the best policies there are.",
    .test =
        "In a scenario the policy is among the best when its median regret is at most twice the lowest median of the "
        "other policies. Holds when that is so in at least 80 % of the scenarios, in part in at least half. Medians "
        "decide because tails are heavy: a few runs that never recover can double a mean. Means are told as well.",
    .figure = "grid",
    .judge = judge,
};
