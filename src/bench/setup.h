/* setup.h - a policy, its environment and its simulated user, ready to play rounds. */
#ifndef SPAR_BENCH_SETUP_H
#define SPAR_BENCH_SETUP_H

#include "sampler/rng.h"

#include <spar/env.h>
#include <spar/policy.h>

typedef struct spar__bench_setup {
    spar_env *env;
    spar_world *world;
    spar_user *user;
    spar_policy *policy;
    spar_round *round;
    spar_feedback *feedback;
    spar_scratch *scratch;
    spar_rng rng;
    uint64_t t; /* rounds played */
} spar__bench_setup;

/* The seed is fixed: equal setups play equal rounds. Close it also after a failure. */
spar_status spar__bench_setup_open(spar__bench_setup *setup, const char *env, const char *policy, size_t m,
                                   uint64_t horizon, spar_error *err);
void spar__bench_setup_close(spar__bench_setup *setup);

/* Chooses, answers and learns until round `until` is done. */
spar_status spar__bench_setup_play(spar__bench_setup *setup, uint64_t until);

#endif
