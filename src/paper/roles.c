#include "paper/roles.h"

const spar__role spar__vanilla_roles[SPAR__VANILLA_ROLES] = {
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

const spar__role spar__multi_roles[SPAR__MULTI_ROLES] = {
    {"IndSelfSparring", "ind_self_sparring"},
    {"MultiSparring", "sparring/ucb1"},
    {"MDB", "mdb"},
};

const spar__role spar__kernel_roles[SPAR__KERNEL_ROLES] = {
    {"KernelSelfSparring", "kernel_self_sparring"},
    {"GP-Sparring", "gp_sparring"},
    {"BOPPER", "bopper"},
};
