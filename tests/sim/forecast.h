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

/* The median screens of a decision for one truth, by the simulator. */
__attribute__((unused)) static double realised(const double *truth, const char *policy, size_t m, uint64_t runs)
{
    char env[400] = "utility(values=";
    size_t used = strlen(env);
    for (size_t k = 0; k < PILOT_OPTIONS; k++)
        used += (size_t)snprintf(env + used, sizeof env - used, "%s%.6f", k ? ":" : "", truth[k]);
    (void)snprintf(env + used, sizeof env - used, ",link=logit)");
    const char *policies[] = {policy};
    spar_plan plan = {.size = sizeof plan,
                      .env = env,
                      .feedback = "winner(rule=luce)",
                      .policies = policies,
                      .n_policies = 1,
                      .m = m,
                      .rounds = 20000,
                      .runs = runs,
                      .seed = 77,
                      .threads = 1,
                      .stop = "best(delta=0.05,end=1)"};
    spar_results *results = NULL;
    spar_error err = {0};
    if (spar_simulate(&plan, &results, &err)) {
        printf("Bail out! %s\n", err.text);
        abort();
    }
    double median = spar_results_decided_by(results, 0, 20000) > 0.5
                        ? spar_results_decided(results, 0, SPAR_STAT_MEDIAN)
                        : INFINITY;
    spar_results_free(results);
    return median;
}

#endif
