/* Two arms a round, dependent arms, against a model of whole pairs. */
#include "paper/claims/beats.h"

static const spar__beats beats = {
    .policy = "KernelSelfSparring",
    .rivals = (const char *const[]){"BOPPER", NULL},
    .settings = (const char *const[]){"kernel/forrester", NULL},
};

const spar__claim spar__claim_beats_bopper = {
    .name = "beats-bopper",
    .title = "KernelSelfSparring beats BOPPER",
    .says = "With two dependent arms a round the regret of KernelSelfSparring is much lower than that of BOPPER on "
            "Forrester.",
    .test = SPAR__BEATS_TEST
    " Less regret alone would prove little: here even random play has a little less than BOPPER, which "
    "with its length of 1 does not see a narrow peak.",
    .figure = "kernel",
    .judge = spar__beats_judge,
    .data = &beats,
};
