#include "paper/claims/trends.h"

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__shown_stage(&spar__shown_independent, paper, err);
}

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__advantage_judge(&spar__shown_independent, paper, out, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__advantage_draw(&spar__shown_independent, paper, svg, err);
}

const spar__claim spar__claim_advantage = {
    .name = "advantage",
    .title = "The advantage grows with the number of arms shown",
    .says =
        "The benefit of IndSelfSparring over MultiSparring and MDB increases with the number of arms compared at once.",
    .test =
        SPAR__ADVANTAGE_TEST " MDB chooses by itself how many arms it shows and pays the same at every m: against it "
                             "only what IndSelfSparring gains counts.",
    .stage = stage,
    .judge = judge,
    .draw = draw,
};
