/* Two arms a round, dependent arms. */
#include "paper/claims/bouts.h"

static spar_status judge(const spar__paper *paper, spar__finding *out, spar_error *err)
{
    static const char *const scenes[] = {"kernel/gp", "kernel/forrester", "kernel/camel", NULL};
    static const char *const rivals[] = {"GP-Sparring", NULL};
    static const spar__bouts bouts = {.scene = scenes, .hero = "KernelSelfSparring", .rival = rivals, .narrowly = true};
    return spar__bouts_judge(&bouts, paper, out, err);
}

const spar__claim spar__claim_beats_kernel = {
    .name = "beats-kernel",
    .title = "KernelSelfSparring beats GP-Sparring",
    .says =
        "With two dependent arms a round KernelSelfSparring pays much less than GP-Sparring, on draws of a Gaussian "
        "process, Forrester and camel.",
    .test = SPAR__BOUTS_TEST SPAR__BOUTS_NARROWLY
    " With few runs a true difference may not show, so this needs the full form.",
    .figure = "kernel",
    .judge = judge,
};
