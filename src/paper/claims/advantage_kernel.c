#include "paper/claims/trends.h"

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__shown_stage(&spar__shown_kernel, paper, err);
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__advantage_judge(&spar__shown_kernel, paper, out, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__advantage_draw(&spar__shown_kernel, paper, svg, err);
}

const spar__claim spar__claim_advantage_kernel = {
    .name = "advantage-kernel",
    .title = "The advantage grows with the number of dependent arms shown",
    .says = "The benefit of KernelSelfSparring over GP-Sparring increases with the number of arms compared at once.",
    .test = SPAR__ADVANTAGE_TEST,
    .stage = stage,
    .judge = judge,
    .draw = draw,
};
