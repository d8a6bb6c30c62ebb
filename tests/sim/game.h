/* game.h - one run of a plan by hand: all that it takes, a round, the end. */
#ifndef SPAR_TESTS_SIM_GAME_H
#define SPAR_TESTS_SIM_GAME_H

#include "sampler/rng.h"

#include <spar/spar.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct game {
    spar_env *env;
    spar_user *user;
    spar_world *world;
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng rng; /* the policy's */
} game;

/* The policy knows the horizon; its luck is the stream `purpose` of the run. */
static game game_open(const spar_plan *plan, const char *policy, uint64_t run, uint64_t purpose)
{
    game g = {0};
    spar_error err = {0};
    spar_rng_seed(&g.rng, plan->seed, run, purpose);
    if (spar_env_new(plan->env, &g.env, &err) || spar_user_new(plan->feedback, g.env, &g.user, &err) ||
        spar_world_new(g.env, plan->seed, run, &g.world, &err) || spar_scratch_new(&g.scratch) ||
        spar_policy_new(policy, spar_world_arms(g.world), plan->m, plan->rounds, &g.rng, &g.policy, &err) ||
        spar_round_new(plan->m, &g.round) || spar_feedback_new(plan->m, &g.feedback)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return g;
}

static void game_play(game *g, uint64_t t)
{
    if (spar_policy_choose(g->policy, g->scratch, &g->rng, g->round, NULL) ||
        spar_user_answer(g->user, g->world, t, g->round, g->feedback) ||
        spar_policy_learn(g->policy, g->round, g->feedback, NULL))
        abort();
}

static void game_close(game *g)
{
    spar_feedback_free(g->feedback);
    spar_round_free(g->round);
    spar_scratch_free(g->scratch);
    spar_policy_free(g->policy);
    spar_world_free(g->world);
    spar_user_free(g->user);
    spar_env_free(g->env);
}

#endif
