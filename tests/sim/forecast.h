/* forecast.h - a truth, a pilot on it, and what a forecast from the pilot says. */
#ifndef SPAR_TESTS_SIM_FORECAST_H
#define SPAR_TESTS_SIM_FORECAST_H

#include <spar/spar.h>

#include "tap.h"

#include <stdlib.h>

enum { PILOT_OPTIONS = 5 };

static double pilot_uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return ((double)(*state >> 12) + 0.5) * 0x1p-52;
}

/* Standings after that many random pairs, answered by the law of Plackett and Luce. */
__attribute__((unused)) static spar_standings *pilot_of(const double *truth, size_t answers, uint64_t *state)
{
    spar_standings *st = NULL;
    spar_answer *answer = NULL;
    if (spar_standings_new(PILOT_OPTIONS, &st, NULL) || spar_answer_new(&answer))
        abort();
    for (size_t i = 0; i < answers; i++) {
        size_t a = (size_t)(pilot_uniform(state) * PILOT_OPTIONS),
               b = (size_t)(pilot_uniform(state) * (PILOT_OPTIONS - 1));
        size_t shown[2] = {a, b + (b >= a)};
        double p = 1 / (1 + exp(truth[shown[1]] - truth[shown[0]]));
        spar_answer_set_winner(answer, pilot_uniform(state) < p ? 0 : 1);
        if (spar_standings_answer(st, 2, shown, NULL, answer, 0, 1, NULL))
            abort();
    }
    spar_answer_free(answer);
    if (spar_standings_compute(st, NULL))
        abort();
    return st;
}

/* One experiment as a service would run it: a policy, people, and a decision that looks after every answer. */
__attribute__((unused)) static double experiment(const double *truth, const char *spec, size_t m, uint64_t run,
                                                 uint64_t *state)
{
    spar_rng *rng = NULL;
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_decision *decision = NULL;
    if (spar_rng_new(7, run, 1, &rng) || spar_arms_new(PILOT_OPTIONS, 0, NULL, NULL, &arms) ||
        spar_policy_new(spec, arms, m, 0, rng, &policy, NULL) || spar_scratch_new(&scratch) ||
        spar_round_new(m, &round) || spar_feedback_new(m, &feedback) ||
        spar_decision_new(PILOT_OPTIONS, NULL, &decision, NULL))
        abort();
    double screens = INFINITY;
    for (size_t t = 1; t <= 20000 && isinf(screens); t++) {
        size_t shown[PILOT_OPTIONS], winner = 0;
        unsigned char outcome[PILOT_OPTIONS * PILOT_OPTIONS] = {0};
        double top = -INFINITY;
        if (spar_policy_choose(policy, scratch, rng, round, NULL))
            abort();
        for (size_t j = 0; j < m; j++) {
            shown[j] = spar_round_arm(round, j);
            double key = truth[shown[j]] - log(-log(pilot_uniform(state)));
            winner = key > top ? j : winner;
            top = key > top ? key : top;
        }
        (void)spar_feedback_winner(feedback, winner);
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++)
                outcome[j * m + k] = (unsigned char)(j == k ? SPAR_MISSING : spar_feedback_get(feedback, j, k));
        spar_ballot ballot = {.size = sizeof ballot, .m = m, .option = shown, .outcome = outcome};
        if (spar_policy_learn(policy, round, feedback, NULL) || spar_decision_answer(decision, &ballot, NULL))
            abort();
        if (spar_decision_verdict(decision) == SPAR_VERDICT_BEST)
            screens = (double)t;
    }
    spar_rng_free(rng);
    spar_arms_free(arms);
    spar_policy_free(policy);
    spar_scratch_free(scratch);
    spar_round_free(round);
    spar_feedback_free(feedback);
    spar_decision_free(decision);
    return screens;
}

/* The median screens to a decision for one truth. */
__attribute__((unused)) static double realised(const double *truth, const char *policy, size_t m, size_t runs,
                                               uint64_t *state)
{
    double at[400];
    for (size_t i = 0; i < runs; i++) {
        double x = experiment(truth, policy, m, i, state);
        size_t k = i;
        for (; k > 0 && at[k - 1] > x; k--)
            at[k] = at[k - 1];
        at[k] = x;
    }
    return at[(runs - 1) / 2];
}

#endif
