/* Several arms a round, dependent arms. */
#include "paper/claims/bouts.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    static const char *const scenes[] = {"kernel-multi/forrester", "kernel-multi/camel", NULL};
    static const char *const rivals[] = {"GP-Sparring", NULL};
    static const spar__bouts bouts = {.scene = scenes, .hero = "KernelSelfSparring", .rival = rivals, .narrowly = true};
    return spar__bouts_judge(&bouts, paper, out, err);
}

const spar__claim spar__claim_beats_kernel_multi = {
    .name = "beats-kernel-multi",
    .title = "KernelSelfSparring beats GP-Sparring with four arms a round",
    .says =
        "With four dependent arms a round KernelSelfSparring pays much less than GP-Sparring on Forrester and camel.",
    .test = SPAR__BOUTS_TEST SPAR__BOUTS_NARROWLY,
    .figure = "kernel-multi",
    .judge = judge,
};
