#include "paper/claims/trends.h"

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__shown_stage(&spar__shown_kernel, paper, err);
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__shown_judge(&spar__shown_kernel, paper, out, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__shown_draw(&spar__shown_kernel, paper, svg, err);
}

const spar__claim spar__claim_shown_arms_kernel = {
    .name = "shown-arms-kernel",
    .title = "Regret hardly grows with the number of dependent arms shown",
    .says = "KernelSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
            "number does.",
    .test = SPAR__SHOWN_TEST
    " Here a game has 100 rounds only, so that the first ones, before anything is known, weigh much.",
    .stage = stage,
    .judge = judge,
    .draw = draw,
};
