/* Several arms a round, dependent arms. */
#include "paper/claims/beats.h"

static const spar__beats beats = {
    .policy = "KernelSelfSparring",
    .rivals = (const char *const[]){"GP-Sparring", NULL},
    .settings = (const char *const[]){"kernel-multi/forrester", "kernel-multi/camel", NULL},
    .narrowly = true,
};

const spar__claim spar__claim_beats_kernel_multi = {
    .name = "beats-kernel-multi",
    .title = "KernelSelfSparring beats GP-Sparring with four arms a round",
    .says =
        "With four dependent arms a round the regret of KernelSelfSparring is much lower than that of GP-Sparring on "
        "Forrester and camel.",
    .test = SPAR__BEATS_TEST SPAR__BEATS_NARROWLY,
    .figure = "kernel-multi",
    .judge = spar__beats_judge,
    .data = &beats,
};
