/* JSON and CSV. */
#include "text/json.h"

#include "cli/tune/tune.h"
#include "text/csv.h"

#include <math.h>

static void add_difference(const spar__difference *d, spar__json *json)
{
    spar__json_add_unsigned(json, "runs", d->n);
    spar__json_add_number(json, "mean", d->mean);
    spar__json_add_number(json, "se", d->se);
    spar__json_add_number(json, "worse_share", d->worse);
}

/* How much worse another candidate is than the best; null if there is none. */
static void add_other(const spar__tune_trial *trial, const char *key, size_t other, const spar__difference *d,
                      spar__json *json)
{
    spar__json_key(json, key);
    if (other == trial->values.n) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_number(json, "value", trial->values.value[other]);
    add_difference(d, json);
    spar__json_end_object(json);
}

static void add_verdict(const spar__tune_trial *trial, const char *key, spar__tune_by by, spar__json *json)
{
    spar__tune_verdict v = spar__tune_judge(trial, by);
    spar__json_key(json, key);
    if (v.best == trial->values.n) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_number(json, "value", trial->values.value[v.best]);
    spar__json_add_string(json, "policy", trial->spec[v.best]);
    add_other(trial, "next", v.next, &v.to_next, json);
    add_other(trial, "default", v.standard, &v.to_standard, json);
    spar__json_end_object(json);
}

static void add_candidate(const spar__tune_trial *trial, size_t i, size_t best, spar__json *json)
{
    const spar__candidate *candidate = &trial->tuning.candidate[i];
    const spar__summary *s = &candidate->summary;
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"mean", s->mean}, {"sd", s->sd},   {"se", s->se},   {"median", s->median},
                   {"q05", s->q05},   {"q25", s->q25}, {"q75", s->q75}, {"q95", s->q95}};
    spar__json_begin_object(json);
    spar__json_add_number(json, "value", trial->values.value[i]);
    spar__json_add_string(json, "policy", trial->spec[i]);
    spar__json_add_unsigned(json, "rung", candidate->rung);
    spar__json_add_unsigned(json, "runs", s->n);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        spar__json_add_number(json, numbers[k].key, s->n ? numbers[k].value : NAN); /* NaN: null */
    spar__difference worse = {0};
    if (best < trial->values.n)
        spar__tuning_compare(&trial->tuning, i, best, &worse);
    spar__json_key(json, "worse_than_best");
    spar__json_begin_object(json);
    add_difference(&worse, json);
    spar__json_end_object(json);
    spar__json_end_object(json);
}

void spar__tune_json(const spar__tune_trial *trial, spar__buf *out)
{
    const spar_plan *plan = &trial->plan;
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "policy", trial->policy);
    spar__json_add_string(&json, "param", trial->param->name);
    spar__json_add_string(&json, "env", plan->env);
    spar__json_add_unsigned(&json, "m", plan->m);
    spar__json_add_string(&json, "feedback", plan->feedback);
    spar__json_add_unsigned(&json, "rounds", plan->rounds);
    spar__json_add_unsigned(&json, "runs", plan->runs);
    spar__json_add_unsigned(&json, "seed", plan->seed);
    spar__json_add_string(&json, "by", trial->by == SPAR__TUNE_MEDIAN ? "median" : "mean");
    spar__json_add_unsigned(&json, "rungs", trial->tuning.rungs);
    spar__json_add_boolean(&json, "interrupted", trial->tuning.interrupted);
    add_verdict(trial, "best_by_mean", SPAR__TUNE_MEAN, &json);
    add_verdict(trial, "best_by_median", SPAR__TUNE_MEDIAN, &json);
    spar__json_key(&json, "candidates");
    spar__json_begin_array(&json);
    size_t best = spar__tuning_best(&trial->tuning, trial->by, SIZE_MAX);
    for (size_t i = 0; i < trial->values.n; i++)
        add_candidate(trial, i, best, &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

void spar__tune_csv(const spar__tune_trial *trial, spar__buf *out)
{
    static const char *const head[] = {"value",  "policy", "rung", "runs", "mean", "sd",         "se",
                                       "median", "q05",    "q25",  "q75",  "q95",  "worse_mean", "worse_se"};
    spar__csv_writer csv = {.out = out};
    for (size_t k = 0; k < sizeof head / sizeof *head; k++)
        spar__csv_text(&csv, head[k]);
    spar__csv_end_row(&csv);
    size_t best = spar__tuning_best(&trial->tuning, trial->by, SIZE_MAX);
    for (size_t i = 0; i < trial->values.n && best < trial->values.n; i++) {
        const spar__candidate *candidate = &trial->tuning.candidate[i];
        const spar__summary *s = &candidate->summary;
        if (!s->n)
            continue;
        spar__difference worse;
        spar__tuning_compare(&trial->tuning, i, best, &worse);
        spar__csv_number(&csv, trial->values.value[i]);
        spar__csv_text(&csv, trial->spec[i]);
        spar__csv_integer(&csv, (int64_t)candidate->rung);
        spar__csv_integer(&csv, (int64_t)s->n);
        const double numbers[] = {s->mean, s->sd,  s->se,  s->median,  s->q05,
                                  s->q25,  s->q75, s->q95, worse.mean, worse.se};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            spar__csv_number(&csv, numbers[k]);
        spar__csv_end_row(&csv);
    }
}
