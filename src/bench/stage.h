/* stage.h - a policy and its user, set up to play round after round. */
#ifndef SPAR_BENCH_STAGE_H
#define SPAR_BENCH_STAGE_H

#include "sampler/rng.h"

#include <spar/env.h>
#include <spar/policy.h>

typedef struct spar__stage {
    spar_env *env;
    spar_world *world;
    spar_user *user;
    spar_policy *policy;
    spar_round *round;
    spar_feedback *feedback;
    spar_scratch *scratch;
    spar_rng rng;
    uint64_t t; /* rounds played */
} spar__stage;

/* Always the same seed: the same stage plays the same rounds. Close it also after a failure. */
spar_status spar__stage_open(spar__stage *stage, const char *env, const char *policy, size_t m, uint64_t horizon,
                             spar_error *err);
void spar__stage_close(spar__stage *stage);

/* Chooses, answers and learns until so many rounds were played in all. */
spar_status spar__stage_play(spar__stage *stage, uint64_t until);

#endif
