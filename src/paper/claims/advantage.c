#include "paper/claims/shown.h"

const spar__claim spar__claim_advantage = {
    .name = "advantage",
    .title = "The advantage grows with the number of arms shown",
    .says =
        "The benefit of IndSelfSparring over MultiSparring and MDB increases with the number of arms compared at once.",
    .test = SPAR__ADVANTAGE_TEST
    " MDB itself chooses how many arms it shows, and its regret is the same at every m: against it "
    "only what IndSelfSparring gains counts.",
    .plan = spar__shown_plan,
    .judge = spar__advantage_judge,
    .draw = spar__advantage_draw,
    .data = &spar__shown_independent,
};
