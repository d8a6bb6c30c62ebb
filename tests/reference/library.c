/* library.c - a match played by the library, through its public functions alone. */
#include "reference/versus.h"

#include "sampler/rng.h"
#include "types/round.h"

#include <spar/spar.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct table {
    spar_env *env;
    spar_user *user;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    char policy[192];
} table;

static void give_up(const char *what, const char *why)
{
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

static table table_open(const match *m)
{
    table t = {0};
    char env[2048], feedback[128];
    spar_error err = {0};
    match_env(m, env, sizeof env);
    match_feedback(m, feedback, sizeof feedback);
    match_policy(m, t.policy, sizeof t.policy);
    if (spar_env_new(env, &t.env, &err) || spar_user_new(feedback, t.env, &t.user, &err))
        give_up(env, err.text);
    if (spar_scratch_new(&t.scratch) || spar_round_new(m->m, &t.round) || spar_feedback_new(m->m, &t.feedback))
        give_up(env, "no memory");
    return t;
}

static void table_close(table *t)
{
    spar_feedback_free(t->feedback);
    spar_round_free(t->round);
    spar_scratch_free(t->scratch);
    spar_user_free(t->user);
    spar_env_free(t->env);
}

static ref_result one_run(const match *m, table *t, uint64_t seed, uint64_t run)
{
    enum { PURPOSE = 77 };
    ref_result total = {0, 0};
    spar_error err = {0};
    spar_world *world = NULL;
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, seed, run, PURPOSE);
    if (spar_world_new(t->env, seed, run, &world, &err) ||
        spar_policy_new(t->policy, spar_world_arms(world), m->m, m->rounds, &rng, &policy, &err))
        give_up(t->policy, err.text);
    for (uint64_t i = 1; i <= m->rounds; i++) {
        if (spar_policy_choose(policy, t->scratch, &rng, t->round, NULL) ||
            spar_user_answer(t->user, world, i, t->round, t->feedback) ||
            spar_policy_learn(policy, t->round, t->feedback, NULL))
            give_up(t->policy, "a round failed");
        for (size_t j = 0; j < t->round->m; j++) {
            double gap = spar_world_gap(world, i, t->round->arm[j]);
            total.regret += gap;
            total.best_pulls += gap < 1e-9; /* in a symmetric world several arms are best, up to rounding */
        }
    }
    spar_policy_free(policy);
    spar_world_free(world);
    return total;
}

outcome play_library(const match *m)
{
    table t = table_open(m);
    outcome o = outcome_new(m->runs);
    uint64_t seed = match_seed(m);
    for (size_t run = 0; run < m->runs; run++)
        outcome_put(&o, run, one_run(m, &t, seed, run));
    table_close(&t);
    return o;
}
