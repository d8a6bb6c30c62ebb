#include "cli/run/report.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "sim/gaps.h"
#include "sim/stats.h"
#include "spar_version.h"

#include <math.h>

static spar_status add_checkpoints(const spar__trial *trial, size_t policy, spar__json *json)
{
    spar__json_key(json, "checkpoints");
    spar__json_begin_array(json);
    for (size_t c = 0; c < trial->results->n_checkpoints; c++) {
        spar__summary at;
        spar_status status = spar__score_at(trial, policy, c, &at);
        if (status)
            return status;
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "t", trial->results->checkpoint[c]);
        spar__json_add_number(json, "mean", at.mean);
        spar__json_add_number(json, "sd", at.sd);
        spar__json_add_number(json, "median", at.median);
        spar__json_add_number(json, "q05", at.q05);
        spar__json_add_number(json, "q95", at.q95);
        uint64_t t = trial->results->checkpoint[c];
        if (trial->plan.stop)
            spar__json_add_number(json, "decided", spar_results_decided_by(trial->results, policy, t));
        if (trial->plan.identify)
            spar__json_add_number(json, "named_right", spar_results_named_right(trial->results, policy, t));
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    return SPAR_OK;
}

static void add_comparison(const spar__difference *worse, bool best, spar__json *json)
{
    spar__json_key(json, "worse_than_best");
    spar__json_begin_object(json);
    spar__json_add_number(json, "mean", worse->mean);
    spar__json_add_number(json, "se", worse->se);
    if (isnan(worse->mean))
        spar__json_add_null(json, "may_be_chance");
    else
        spar__json_add_boolean(json, "may_be_chance", !best && !spar__difference_sure(worse));
    spar__json_end_object(json);
}

/* Of --param, those that the policy knows. */
static void add_parameters(const spar__run_grid *grid, size_t policy, spar__json *json)
{
    if (!grid || !grid->n_params)
        return;
    spar__json_key(json, "parameters");
    spar__json_begin_object(json);
    for (size_t k = 0; k < grid->n_params; k++) {
        const char *value = grid->value[policy * grid->n_params + k];
        double number;
        if (value && spar__parse_double(value, &number))
            spar__json_add_number(json, grid->param[k], number);
    }
    spar__json_end_object(json);
}

static spar_status add_policy(const spar__trial *trial, size_t policy, const spar__score *score, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "policy", trial->plan.policies[policy]);
    add_parameters(trial->grid, policy, json);
    if (trial->results->interrupted)
        spar__json_add_unsigned(json, "runs_complete", score->regret.n);
    spar__json_add_number(json, "mean", score->regret.mean);
    spar__json_add_number(json, "sd", score->regret.sd);
    spar__json_add_number(json, "median", score->regret.median);
    spar__json_add_number(json, "se", score->regret.se);
    add_comparison(&score->worse, score->best, json);
    spar__json_add_number(json, "best_share", score->best_share);
    spar__json_add_number(json, "set_size", score->set_size);
    spar__json_add_number(json, "mean_per_slot_x_m", score->per_slot);
    spar__json_add_number(json, "seconds", score->seconds);
    spar_status status = spar__decision_json(trial, policy, json);
    if (!status)
        status = add_checkpoints(trial, policy, json);
    spar__json_end_object(json);
    return status;
}

static spar_status add_trial(const spar__trial *trial, spar__json *json)
{
    const spar_plan *plan = &trial->plan;
    spar__json_begin_object(json);
    spar__json_add_string(json, "env", plan->env);
    spar__json_add_unsigned(json, "m", plan->m);
    spar__json_add_string(json, "feedback", plan->feedback);
    spar__json_add_unsigned(json, "rounds", plan->rounds);
    spar__json_add_unsigned(json, "runs", plan->runs);
    spar__json_add_unsigned(json, "seed", plan->seed);
    if (plan->stop)
        spar__json_add_string(json, "stop", plan->stop);
    if (trial->results->note)
        spar__json_add_string(json, "note", trial->results->note);
    spar__json_key(json, "policies");
    spar__json_begin_array(json);
    spar__score *score = NULL;
    size_t *order = NULL;
    spar_status status = spar__scores_of(trial, &score, &order);
    for (size_t i = 0; !status && i < plan->n_policies; i++)
        status = add_policy(trial, i, &score[i], json);
    spar__free(score);
    spar__free(order);
    spar__json_end_array(json);
    spar__json_end_object(json);
    return status;
}

/* What the numbers are in. */
static void add_units(spar__json *json)
{
    static const char *const units[][2] = {
        {"regret", "cumulative after all rounds, over the slots of a round; of a checkpoint after t rounds"},
        {"best_share", "share of the slots, over the last tenth of the rounds"},
        {"set_size", "slots a round"},
        {"seconds", "CPU time of all runs"},
        {"t", "rounds"},
    };
    spar__json_key(json, "units");
    spar__json_begin_object(json);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        spar__json_add_string(json, units[i][0], units[i][1]);
    spar__json_end_object(json);
}

spar_status spar__report_json(const spar__trial *trials, size_t n, spar__buf *out)
{
    spar__json json = {.out = out};
    spar_status status = SPAR_OK;
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_add_string(&json, "regret", spar__regret_name(trials[0].plan.regret));
    add_units(&json);
    spar__json_key(&json, "environments");
    spar__json_begin_array(&json);
    for (size_t i = 0; !status && i < n; i++)
        status = add_trial(&trials[i], &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return status;
}
