#include "paper/claims/shown.h"

const spar__claim spar__claim_shown_arms = {
    .name = "shown-arms",
    .title = "Regret hardly grows with the number of arms shown",
    .says = "IndSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
            "number does.",
    .test = SPAR__SHOWN_TEST,
    .plan = spar__shown_plan,
    .judge = spar__shown_judge,
    .draw = spar__shown_draw,
    .data = &spar__shown_independent,
};
