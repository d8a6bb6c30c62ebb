#include "paper/claims/judge.h"
#include "paper/claims/standing.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    spar__standing s;
    spar_status status = spar__standing_measure("DTS", paper, &s, &out->numbers, err);
    if (!status && s.scenes) /* four fifths, a half */
        out->verdict = 5 * s.near[0] >= 4 * s.scenes && 2 * s.first[0] > s.scenes ? SPAR__HOLDS
                       : 2 * s.near[0] >= s.scenes                                ? SPAR__HOLDS_IN_PART
                                                                                  : SPAR__DOES_NOT_HOLD;
    return status;
}

const spar__claim spar__claim_dts_best = {
    .name = "dts-best",
    .title = "Double Thompson Sampling is best, or nearly so",
    .says =
        "With two arms a round DTS is the best policy on logit/arith and fairly consistently so elsewhere, though not "
        "by much given the spread of runs.",
    .test =
        "As for IndSelfSparring: near the best means a median of at most twice the lowest median of the others. Holds "
        "when DTS is near in at least 80 % of the scenarios and has the lowest median in more than half, in part when "
        "it is near in at least half. Means, and the paired difference on logit/arith, are told as well.",
    .figure = "grid",
    .judge = judge,
};
