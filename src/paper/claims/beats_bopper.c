/* Two arms a round, dependent arms, against a model of whole pairs. */
#include "paper/claims/bouts.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    static const char *const scenes[] = {"kernel/forrester", NULL};
    static const char *const rivals[] = {"BOPPER", NULL};
    static const spar__bouts bouts = {
        .scene = scenes, .hero = "KernelSelfSparring", .rival = rivals, .per_slot = false};
    return spar__bouts_judge(&bouts, paper, out, err);
}

const spar__claim spar__claim_beats_bopper = {
    .name = "beats-bopper",
    .title = "KernelSelfSparring beats BOPPER",
    .says = "With two dependent arms a round KernelSelfSparring pays much less than BOPPER on Forrester.",
    .test =
        SPAR__BOUTS_TEST " To pay less is not enough: here even random play pays a little less than BOPPER, which with "
                         "its length of 1 does not see a narrow peak.",
    .figure = "kernel",
    .judge = judge,
};
