/* run.h - one run of one policy: the rounds and what they cost. */
#ifndef SPAR_SIM_RUN_H
#define SPAR_SIM_RUN_H

#include "sampler/rng.h"
#include "sim/sim.h"
#include "sim/watch.h"
#include "types/arms.h"
#include "types/feedback.h"
#include "types/round.h"

#include <spar/env.h>
#include <spar/policy.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stream of a run's policy: "policy". Results depend on it through the seed: never to be changed. */
#define SPAR__PURPOSE_POLICY UINT64_C(0x706f6c696379)

/* Told from time to time how many rounds were played since it was last told; false stops the run. */
typedef bool spar__pulse(void *context, uint64_t rounds);

/* What all runs of a simulation share. It does not change while they run. */
typedef struct spar__lab {
    const spar_plan *plan;
    const spar_env *env;
    const spar_user *user;
    const spar__stop_rule *stop; /* NULL: none */
    const uint64_t *checkpoint;
    spar__pulse *pulse;
    spar_observer *observer; /* of the plan's snapshots, called with the context below */
    void *context;
} spar__lab;

/* The policy of a run, its rng started as the run will go on with it. The rng is the same for every policy, so that
 * adding one changes nothing for the others. */
spar_status spar__run_policy(const spar__lab *lab, size_t index, const spar_world *world, uint64_t run, spar_rng *rng,
                             spar_policy **out, spar_error *err);

/* What a worker uses again in every run; zeroed at first. No two workers share a cache line of it, wherever it lies:
 * memory from the heap has no more than the usual alignment. */
typedef struct spar__tools {
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    char apart[128 - 3 * sizeof(void *)];
} spar__tools;

void spar__tools_fini(spar__tools *tools);

/* Plays a run of the plan's policy number `index` and fills out (whose curve has room for all checkpoints);
 * out->complete stays false when it was stopped. */
spar_status spar__run(const spar__lab *lab, size_t index, uint64_t run, spar__tools *tools, spar__run_numbers *out,
                      spar_error *err);

#endif
