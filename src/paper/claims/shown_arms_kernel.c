#include "paper/claims/shown.h"

const spar__claim spar__claim_shown_arms_kernel = {
    .name = "shown-arms-kernel",
    .title = "Regret hardly grows with the number of dependent arms shown",
    .says = "KernelSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
            "number does.",
    .test =
        SPAR__SHOWN_TEST " A run has only 100 rounds here, so that the first ones, before anything is known, have much "
                         "weight.",
    .plan = spar__shown_plan,
    .judge = spar__shown_judge,
    .draw = spar__shown_draw,
    .data = &spar__shown_kernel,
};
