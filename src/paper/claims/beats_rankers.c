/* Several arms a round, where arms are rankers of documents. */
#include "paper/claims/beats.h"

static const spar__beats beats = {
    .policy = "IndSelfSparring",
    .rivals = (const char *const[]){"MultiSparring", "MDB", NULL},
    .settings = (const char *const[]){"rankers/letor", "rankers/matrix", "rankers/generated", NULL},
    .per_slot = true,
};

const spar__claim spar__claim_beats_rankers = {
    .name = "beats-rankers",
    .title = "IndSelfSparring beats MDB and MultiSparring on rankers",
    .says = "With four rankers a round, out of random sets of 16, the regret of IndSelfSparring is much lower than "
            "that of MDB "
            "(and MultiSparring).",
    .test = SPAR__BEATS_TEST " Regret is the sum over the rankers shown; the regret per slot is given as well.",
    .figure = "rankers",
    .judge = spar__beats_judge,
    .data = &beats,
};
