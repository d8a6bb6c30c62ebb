#include "paper/claims/ranks.h"

const spar__claim spar__claim_competitive = {
    .name = "competitive",
    .title = "IndSelfSparring is competitive with two arms a round",
    .says = "In the original setting of two arms a round IndSelfSparring is competitive with the best known policies.",
    .test =
        "In a scenario the policy is among the best when its median regret is at most twice the lowest median of the "
        "other policies. Holds when that is true in at least 80 % of the scenarios, in part in at least half. Medians "
        "decide because tails are heavy: a few runs that never recover can double a mean. Means are given as well.",
    .figure = "grid",
    .judge = spar__rank_judge,
    .data = &(const spar__scenario_rank){.policy = "IndSelfSparring"},
};
