#include "paper/claims/standing.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__standing_judge("IndSelfSparring", paper, out, err);
}

const spar__claim spar__claim_competitive = {
    .name = "competitive",
    .title = "IndSelfSparring is competitive with two arms a round",
    .says =
        "In the original setting of two arms a round IndSelfSparring is competitive with the best policies there are.",
    .test = SPAR__STANDING_TEST,
    .figure = "grid",
    .judge = judge,
};
