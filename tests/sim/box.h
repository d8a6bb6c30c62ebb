/* box.h - how good is the point that a policy thinks best, after some rounds in a continuous space? */
#ifndef SPAR_TESTS_SIM_BOX_H
#define SPAR_TESTS_SIM_BOX_H

#include "base/order.h"
#include "sim/game.h"
#include "tap.h"
#include "types/arms.h"

typedef struct box_game {
    const char *env, *policy;
    size_t m;
    uint64_t rounds;
} box_game;

/* The utility of the arm with the highest score after the rounds of one run. */
static double box_play(const box_game *box, uint64_t run)
{
    spar_plan plan = {.size = sizeof(spar_plan), .env = box->env, .m = box->m, .rounds = box->rounds, .seed = 2};
    game g = game_open(&plan, box->policy, run, 7);
    for (uint64_t t = 1; t <= plan.rounds; t++)
        game_play(&g, t);
    const spar_arms *arms = spar_policy_arms(g.policy);
    double *score = calloc(arms->n, sizeof *score), value;
    size_t best = 0;
    if (!score || spar_policy_score(g.policy, g.scratch, spar_arms_count(spar_policy_arms(g.policy)), score, NULL))
        abort();
    for (size_t i = 1; i < arms->n; i++)
        best = score[i] > score[best] ? i : best;
    value = spar_world_utility_at(g.world, arms->x + best * arms->dim);
    free(score);
    game_close(&g);
    return value;
}

/* The median over runs of how far below `best` that is, as a part of `range`; the worst one too. */
static double box_median(const box_game *box, size_t runs, double best, double range, double *worst)
{
    double off[64];
    for (size_t run = 0; run < runs; run++)
        off[run] = (best - box_play(box, run)) / range;
    qsort(off, runs, sizeof *off, spar__by_value);
    *worst = off[runs - 1];
    return (off[(runs - 1) / 2] + off[runs / 2]) / 2;
}

#endif
