/* Several arms a round, where arms are rankers of documents. */
#include "paper/claims/bouts.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    static const char *const scenes[] = {"rankers/letor", "rankers/matrix", "rankers/generated", NULL};
    static const char *const rivals[] = {"MultiSparring", "MDB", NULL};
    static const spar__bouts bouts = {.scene = scenes, .hero = "IndSelfSparring", .rival = rivals, .per_slot = true};
    return spar__bouts_judge(&bouts, paper, out, err);
}

const spar__claim spar__claim_beats_rankers = {
    .name = "beats-rankers",
    .title = "IndSelfSparring beats MDB and MultiSparring on rankers",
    .says = "With four rankers a round, out of random sets of 16, IndSelfSparring pays much less than MDB (and "
            "MultiSparring).",
    .test = SPAR__BOUTS_TEST " Regret is summed over the rankers shown; the cost per slot stands beside it.",
    .figure = "rankers",
    .judge = judge,
};
