#include "paper/claims/shown.h"

const spar__claim spar__claim_advantage_kernel = {
    .name = "advantage-kernel",
    .title = "The advantage grows with the number of dependent arms shown",
    .says = "The benefit of KernelSelfSparring over GP-Sparring increases with the number of arms compared at once.",
    .test = SPAR__ADVANTAGE_TEST,
    .plan = spar__shown_plan,
    .judge = spar__advantage_judge,
    .draw = spar__advantage_draw,
    .data = &spar__shown_kernel,
};
