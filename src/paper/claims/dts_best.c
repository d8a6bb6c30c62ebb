#include "paper/claims/standing.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    return spar__standing_judge("DTS", paper, out, err);
}

const spar__claim spar__claim_dts_best = {
    .name = "dts-best",
    .title = "Double Thompson Sampling is best, or nearly so",
    .says = "DTS is the best policy on logit/arith and fairly consistently so elsewhere, though not by much given the "
            "spread of runs.",
    .test = SPAR__STANDING_TEST,
    .figure = "grid",
    .judge = judge,
};
