#include "paper/policies.h"

const spar__paper_policy spar__vanilla_policies[SPAR__VANILLA_POLICIES] = {
    {"IndSelfSparring", "ind_self_sparring(eta=3.5)"},
    {"DTS", "dts(eta=2.5)"},
    {"RMED1", "rmed1"},
    {"RUCB", "rucb"},
    {"MergeRUCB", "merge_rucb"},
    {"Sparring-UCB1", "sparring/ucb1"},
    {"Sparring-EXP3", "sparring/exp3"},
    {"BTM", "beat_the_mean"},
    {"IF", "interleaved_filter"},
};

const spar__paper_policy spar__multi_policies[SPAR__MULTI_POLICIES] = {
    {"IndSelfSparring", "ind_self_sparring"},
    {"MultiSparring", "sparring/ucb1"},
    {"MDB", "mdb"},
};

const spar__paper_policy spar__kernel_policies[SPAR__KERNEL_POLICIES] = {
    {"KernelSelfSparring", "kernel_self_sparring"},
    {"GP-Sparring", "gp_sparring"},
    {"BOPPER", "bopper"},
};
