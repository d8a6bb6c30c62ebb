#include "paper/claims/trends.h"

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__shown_stage(&spar__shown_independent, paper, err);
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__shown_judge(&spar__shown_independent, paper, out, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__shown_draw(&spar__shown_independent, paper, svg, err);
}

const spar__claim spar__claim_shown_arms = {
    .name = "shown-arms",
    .title = "Regret hardly grows with the number of arms shown",
    .says = "IndSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
            "number does.",
    .test = SPAR__SHOWN_TEST,
    .stage = stage,
    .judge = judge,
    .draw = draw,
};
