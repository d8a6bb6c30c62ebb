/* forecast.h - how many answers will a decision take? Before the start, from a guess of how different the options are,
 * or on the way, from the standings.
 *
 *     spar_forecast_new(8, &forecast, &err);
 *     spar_forecast_set_sd(forecast, 1);
 *     spar_forecast_add(forecast, "focus/self_sparring(distinct=1)", 4, &err);
 *     spar_forecast_run(forecast, NULL, NULL, &err);
 *     screens = spar_forecast_screens(forecast, 0, 0.5);
 *
 * Truths are drawn, and for each the policy plays against simulated people who choose by the law of Plackett and Luce,
 * until the rule of <spar/decide.h> says which option is best. It is the policy and the rule that a real experiment
 * runs. What is assumed: people choose by this law, all alike and independently; the options differ as the truths do;
 * no option comes or goes; answers that say nothing (ties, skips) are a fixed share.
 *
 * Threads: one thread at a time. NULL is refused unless said otherwise: see status.h. */
#ifndef SPAR_FORECAST_H
#define SPAR_FORECAST_H

#include <spar/decide.h>
#include <spar/policy.h>
#include <spar/sim.h>
#include <spar/standings.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_forecast spar_forecast;

/* A forecast for that many options, at least 2, without a case. */
SPAR_API spar_status spar_forecast_new(size_t options, spar_forecast **out, spar_error *err);
SPAR_API void spar_forecast_free(spar_forecast *forecast); /* NULL is fine */

/* What the truths are, in log-odds; the last of these that was called counts. sd: strengths are N(0, sd^2), fresh
 * for every truth (the default, with 1). steps: 0, -gap, -2 gap and so on. values: these
 * strengths, one an option. standings: draws of the live options from a
 * computed posterior, at least two of them; their number becomes the number of options. */
SPAR_API spar_status spar_forecast_set_sd(spar_forecast *forecast, double sd, spar_error *err);
SPAR_API spar_status spar_forecast_set_steps(spar_forecast *forecast, double gap, spar_error *err);
SPAR_API spar_status spar_forecast_set_values(spar_forecast *forecast, const double *values, spar_error *err);
SPAR_API spar_status spar_forecast_set_standings(spar_forecast *forecast, const spar_standings *standings,
                                                 spar_error *err);

/* Defaults: 200 truths, at most 20,000 screens each, delta 0.05, no silent answers, feedback "winner(rule=luce)", seed
 * 1, one thread per core (0). Of a share in [0,1) of the screens the answer says nothing. */
SPAR_API spar_status spar_forecast_set_truths(spar_forecast *forecast, size_t truths, spar_error *err);
SPAR_API spar_status spar_forecast_set_limit(spar_forecast *forecast, uint64_t screens, spar_error *err);
SPAR_API spar_status spar_forecast_set_delta(spar_forecast *forecast, double delta, spar_error *err);
SPAR_API spar_status spar_forecast_set_silent(spar_forecast *forecast, double share, spar_error *err);
SPAR_API spar_status spar_forecast_set_feedback(spar_forecast *forecast, const char *feedback, spar_error *err);
SPAR_API void spar_forecast_set_seed(spar_forecast *forecast, uint64_t seed);
SPAR_API void spar_forecast_set_threads(spar_forecast *forecast, size_t threads);

/* One more case to compare: a policy with m options on a screen. All cases play against the same truths. */
SPAR_API spar_status spar_forecast_add(spar_forecast *forecast, const char *policy, size_t m, spar_error *err);

/* The experiment has begun: for every truth a copy of its policy and of its decision goes on from where it is, and what
 * is counted are the screens from now on, until an option is shown to be best or those in the running to be practically
 * equal. Both are copied; delta is the decision's. This is the only case: its policy and m are those of the policy.
 * Truths are values or standings, which must be of the same options. */
SPAR_API spar_status spar_forecast_set_start(spar_forecast *forecast, const spar_decision *decision,
                                             const spar_policy *policy, spar_error *err);

/* After a start all truths are given up at the same number of screens: at the limit, or where they would play more than
 * `screens` in all (the default is 1,000,000), or when 9 of 10 are decided. That number, after a run. */
SPAR_API spar_status spar_forecast_set_work(spar_forecast *forecast, uint64_t screens, spar_error *err);
SPAR_API uint64_t spar_forecast_horizon(const spar_forecast *forecast);

/* Plays all cases. progress (which may be NULL, as may context) is told how many of the runs are done; false ends it
 * early, which is no failure: the truths that every case has played count. */
SPAR_API spar_status spar_forecast_run(spar_forecast *forecast, spar_progress *progress, void *context,
                                       spar_error *err);

/* The cases, numbered from 0 in the order they were added: how many there are, and the policy and m of each. */
SPAR_API size_t spar_forecast_cases(const spar_forecast *forecast);
SPAR_API const char *spar_forecast_policy(const spar_forecast *forecast, size_t index); /* of a case; NULL: none */
SPAR_API size_t spar_forecast_slots(const spar_forecast *forecast, size_t index);
SPAR_API size_t spar_forecast_played(const spar_forecast *forecast); /* truths */

/* The number of screens after which a share of the truths was decided: infinity where that is beyond the limit, NaN
 * without a truth. The share that was decided after so many screens, and the share that was decided falsely. */
SPAR_API double spar_forecast_screens(const spar_forecast *forecast, size_t index, double share);
SPAR_API double spar_forecast_decided(const spar_forecast *forecast, size_t index, double screens);
SPAR_API double spar_forecast_wrong(const spar_forecast *forecast, size_t index);

#ifdef __cplusplus
}
#endif

#endif
