/* box.h - how good is the point that a policy thinks best, after some rounds in a continuous space? */
#ifndef SPAR_TESTS_SIM_BOX_H
#define SPAR_TESTS_SIM_BOX_H

#include "tap.h"

#include <spar/spar.h>

#include <stdlib.h>

typedef struct box_game {
    const char *env, *policy;
    size_t m;
    uint64_t rounds;
} box_game;

/* The utility of the arm with the highest score after the rounds of one run. */
static double box_play(const box_game *game, uint64_t run)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_user *user = NULL;
    spar_policy *policy = NULL;
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_error err = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 2, run, 7);
    if (spar_env_new(game->env, &env, &err) || spar_world_new(env, 2, run, &world, &err) ||
        spar_user_new(NULL, env, &user, &err) ||
        spar_policy_new(game->policy, spar_world_arms(world), game->m, game->rounds, &rng, &policy, &err) ||
        spar_scratch_new(&scratch) || spar_round_new(game->m, &round) || spar_feedback_new(game->m, &feedback)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    for (uint64_t t = 1; t <= game->rounds; t++)
        if (spar_policy_choose(policy, scratch, &rng, round) || spar_user_answer(user, world, t, round, feedback) ||
            spar_policy_learn(policy, round, feedback))
            abort();
    const spar_arms *arms = spar_policy_arms(policy);
    double *score = calloc(arms->n, sizeof *score), value;
    size_t best = 0;
    if (!score || spar_policy_score(policy, scratch, score))
        abort();
    for (size_t i = 1; i < arms->n; i++)
        best = score[i] > score[best] ? i : best;
    value = spar_world_utility_at(world, arms->x + best * arms->dim);
    free(score);
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_scratch_free(scratch);
    spar_policy_free(policy);
    spar_user_free(user);
    spar_world_free(world);
    spar_env_free(env);
    return value;
}

static int box_rising(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* The median over runs of how far below `best` that is, as a part of `range`; the worst one too. */
static double box_median(const box_game *game, size_t runs, double best, double range, double *worst)
{
    double off[64];
    for (size_t run = 0; run < runs; run++)
        off[run] = (best - box_play(game, run)) / range;
    qsort(off, runs, sizeof *off, box_rising);
    *worst = off[runs - 1];
    return (off[(runs - 1) / 2] + off[runs / 2]) / 2;
}

#endif
