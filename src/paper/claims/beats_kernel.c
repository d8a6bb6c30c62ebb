/* Two arms a round, dependent arms. */
#include "paper/claims/beats.h"

static const spar__beats beats = {
    .policy = "KernelSelfSparring",
    .rivals = (const char *const[]){"GP-Sparring", NULL},
    .settings = (const char *const[]){"kernel/gp", "kernel/forrester", "kernel/camel", NULL},
    .narrowly = true,
};

const spar__claim spar__claim_beats_kernel = {
    .name = "beats-kernel",
    .title = "KernelSelfSparring beats GP-Sparring",
    .says = "With two dependent arms a round the regret of KernelSelfSparring is much lower than that of GP-Sparring, "
            "on draws "
            "of a Gaussian process, Forrester and camel.",
    .test = SPAR__BEATS_TEST SPAR__BEATS_NARROWLY " With --quick there are too few runs to show a small difference.",
    .figure = "kernel",
    .judge = spar__beats_judge,
    .data = &beats,
};
