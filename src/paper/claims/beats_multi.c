/* Several arms a round, independent arms: the two figures on synthetic utilities. */
#include "paper/claims/beats.h"

static const spar__beats beats = {
    .policy = "IndSelfSparring",
    .rivals = (const char *const[]){"MultiSparring", "MDB", NULL},
    .settings = (const char *const[]){"multi/linear-1good", "multi/linear-arith", NULL},
    .per_slot = true,
};

const spar__claim spar__claim_beats_multi = {
    .name = "beats-multi",
    .title = "IndSelfSparring beats MultiSparring and MDB",
    .says = "With four arms a round on linear/1good and linear/arith, the regret of IndSelfSparring is much lower than "
            "that of "
            "MultiSparring and MDB.",
    .test = SPAR__BEATS_TEST
    " Regret is the sum over the arms shown, as in the paper; MDB itself chooses how many it shows, so "
    "its regret per slot is given as well.",
    .figure = "multi",
    .judge = spar__beats_judge,
    .data = &beats,
};
