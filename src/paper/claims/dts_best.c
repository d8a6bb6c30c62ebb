#include "paper/claims/judge.h"
#include "paper/claims/standing.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    spar__standing s;
    spar_status status = spar__standing_measure("DTS", paper, &s, &out->numbers, err);
    bool leads = s.leads[0] && s.leads[1], mostly = 2 * s.first[0] > s.scenes && 2 * s.first[1] > s.scenes;
    if (!status && s.scenes)
        out->verdict = spar__verdict_of((size_t)leads + mostly, 2);
    return status;
}

const spar__claim spar__claim_dts_best = {
    .name = "dts-best",
    .title = "Double Thompson Sampling is the best with two arms a round",
    .says = "DTS is the best policy on logit/arith and fairly consistently so elsewhere, though not by much given the "
            "spread of runs.",
    .test = "DTS must have the lowest regret of all policies on logit/arith, and in more than half of the scenarios; "
            "both by median and by mean. Holds with both, in part with one; needs the full form. How sure the order "
            "on logit/arith is, the paired difference of means tells.",
    .figure = "grid",
    .judge = judge,
};
