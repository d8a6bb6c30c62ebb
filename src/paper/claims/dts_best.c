#include "paper/claims/ranks.h"

const spar__claim spar__claim_dts_best = {
    .name = "dts-best",
    .title = "Double Thompson Sampling is best, or nearly so",
    .says =
        "With two arms a round DTS is the best policy on logit/arith and fairly consistently so elsewhere, though not "
        "by much given the spread of runs.",
    .test =
        "As for IndSelfSparring: near the best means a median of at most twice the lowest median of the others. Holds "
        "when DTS is near in at least 80 % of the scenarios and has the lowest median in more than half, in part when "
        "it is near in at least half. Means, and the paired difference on logit/arith, are given as well.",
    .figure = "grid",
    .judge = spar__rank_judge,
    .data = &(const spar__scenario_rank){.policy = "DTS", .mostly_lowest = true},
};
