/* Several arms a round, independent arms: the two figures on synthetic utilities. */
#include "paper/claims/bouts.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    static const char *const scenes[] = {"multi/linear-1good", "multi/linear-arith", NULL};
    static const char *const rivals[] = {"MultiSparring", "MDB", NULL};
    static const spar__bouts bouts = {.scene = scenes, .hero = "IndSelfSparring", .rival = rivals, .per_slot = true};
    return spar__bouts_judge(&bouts, paper, out, err);
}

const spar__claim spar__claim_beats_multi = {
    .name = "beats-multi",
    .title = "IndSelfSparring beats MultiSparring and MDB",
    .says = "With four arms a round on linear/1good and linear/arith, IndSelfSparring pays much less than "
            "MultiSparring and MDB.",
    .test = SPAR__BOUTS_TEST " Regret is the paper's, summed over the arms shown; MDB shows few or many as it likes, "
                             "so the cost per slot stands beside it.",
    .figure = "multi",
    .judge = judge,
};
