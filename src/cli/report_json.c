#include "cli/report.h"

#include "base/alloc.h"
#include "text/json.h"

static void add_text(spar__json *json, const char *key, const char *text)
{
    spar__json_key(json, key);
    spar__json_string(json, text);
}

static void add_count(spar__json *json, const char *key, uint64_t value)
{
    spar__json_key(json, key);
    spar__json_unsigned(json, value);
}

static void add_number(spar__json *json, const char *key, double value)
{
    spar__json_key(json, key);
    spar__json_number(json, value);
}

static spar_status add_checkpoints(const spar__trial *trial, size_t policy, spar__json *json)
{
    spar__json_key(json, "checkpoints");
    spar__json_begin_array(json);
    for (size_t c = 0; c < trial->results->n_checkpoints; c++) {
        spar_summary at;
        spar_status status = spar__score_at(trial, policy, c, &at);
        if (status)
            return status;
        spar__json_begin_object(json);
        add_count(json, "t", trial->results->checkpoint[c]);
        add_number(json, "mean", at.mean);
        add_number(json, "sd", at.sd);
        add_number(json, "median", at.median);
        add_number(json, "q05", at.q05);
        add_number(json, "q95", at.q95);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    return SPAR_OK;
}

static void add_comparison(const spar_difference *worse, spar__json *json)
{
    spar__json_key(json, "worse_than_best");
    spar__json_begin_object(json);
    add_number(json, "mean", worse->mean);
    add_number(json, "se", worse->se);
    spar__json_end_object(json);
}

static spar_status add_policy(const spar__trial *trial, size_t policy, const spar__score *score, spar__json *json)
{
    spar__json_begin_object(json);
    add_text(json, "policy", trial->plan.policies[policy]);
    if (trial->results->interrupted)
        add_count(json, "runs_complete", score->regret.n);
    add_number(json, "mean", score->regret.mean);
    add_number(json, "sd", score->regret.sd);
    add_number(json, "median", score->regret.median);
    add_number(json, "se", score->regret.se);
    add_comparison(&score->worse, json);
    add_number(json, "best_share", score->best_share);
    add_number(json, "set_size", score->set_size);
    add_number(json, "mean_per_slot_x_m", score->per_slot);
    add_number(json, "seconds", score->seconds);
    spar_status status = add_checkpoints(trial, policy, json);
    spar__json_end_object(json);
    return status;
}

static spar_status add_trial(const spar__trial *trial, spar__json *json)
{
    const spar_plan *plan = &trial->plan;
    spar__json_begin_object(json);
    add_text(json, "env", plan->env);
    add_count(json, "m", plan->m);
    add_text(json, "feedback", plan->feedback);
    add_count(json, "rounds", plan->rounds);
    add_count(json, "runs", plan->runs);
    add_count(json, "seed", plan->seed);
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

spar_status spar__report_json(const spar__trial *trials, size_t n, bool list, spar__buf *out)
{
    spar__json json = {.out = out};
    spar_status status = SPAR_OK;
    if (list)
        spar__json_begin_array(&json);
    for (size_t i = 0; !status && i < n; i++)
        status = add_trial(&trials[i], &json);
    if (list)
        spar__json_end_array(&json);
    spar__buf_adds(out, "\n");
    return status;
}
