/* tune.c - spar tune: the values of a parameter that are tried (by sim/tune.c), and the report as a table, JSON, CSV
 * and a plot. Reports add to a buffer, whose owner checks buf->failed. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/spec.h"
#include "cli/common.h"
#include "cli/options.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "policy/policy.h"
#include "sim/sim.h"
#include "sim/sweep.h"
#include "text/csv.h"
#include "text/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values to try, ascending. */
typedef struct spar__tune_values {
    size_t n;
    double *value;
    size_t standard; /* index of the default of the parameter; n if it has none */
    bool log;        /* spaced by ratio */
} spar__tune_values;

/* From --values, from --from, --to, --steps and --log, or around the default, which is always one of them. */

/* A search and its result. */
typedef struct spar__tune_trial {
    const char *policy; /* without the parameter */
    const spar_param *param;
    spar__tune_values values;
    char **spec; /* the candidates: the policy at each value */
    spar__tune_by by;
    spar_plan plan; /* runs: of the last rung */
    spar__tuning tuning;
} spar__tune_trial;

/* The best by a statistic, the next best and the default; n: there is none. */
typedef struct spar__tune_verdict {
    size_t best, next, standard;
    spar__difference to_next, to_standard; /* how much worse these are than the best */
} spar__tune_verdict;

enum { MOST = 1000, FEW = 16, AROUND = 6 };

static void tune_values_free(spar__tune_values *values)
{
    spar__free(values->value);
    *values = (spar__tune_values){0};
}

/* To a few digits, for the reader; the search does not depend on them. */
static double rounded(double value, int digits)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* Adds the default, sorts, removes duplicates. */
static spar_status add_default(const spar_param *param, spar__tune_values *values, spar_error *err)
{
    double standard;
    bool has_standard = param->standard && spar__parse_double(param->standard, &standard);
    if (has_standard) {
        double *grown = spar__realloc(values->value, values->n, values->n + 1, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        values->value = grown;
        values->value[values->n++] = standard;
        values->log &= standard > 0;
    }
    values->n = spar__distinct(values->n, values->value);
    values->standard = 0;
    while (values->standard < values->n && !(has_standard && values->value[values->standard] == standard))
        values->standard++;
    return SPAR_OK;
}

static spar_status make_room(size_t n, spar__tune_values *values, spar_error *err)
{
    values->value = spar__alloc(n, sizeof *values->value);
    return values->value ? SPAR_OK : spar__fail_memory(err);
}

static spar_status from_list(const char *text, spar__tune_values *values, spar_error *err)
{
    size_t n = 1;
    for (const char *c = text; *c; c++)
        n += *c == ':';
    if (n > MOST)
        return spar__fail(err, SPAR_INVALID, "tune: %zu values are more than %d", n, MOST);
    spar_status status = make_room(n, values, err);
    char item[64];
    for (; !status && values->n < n; values->n++) {
        size_t length = strcspn(text, ":");
        (void)snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item - 1), text);
        if (!spar__parse_double(item, &values->value[values->n]))
            return spar__fail(err, SPAR_INVALID, "--values: '%s' is not a number; expected numbers such as 0.5:1:2.5",
                              item);
        text += length + 1;
    }
    return status;
}

/* Steps between two ends, which are not rounded. */
static spar_status between(double from, double to, size_t steps, bool whole, spar__tune_values *values, spar_error *err)
{
    spar_status status = make_room(steps, values, err);
    for (size_t i = 0; !status && i < steps; i++) {
        double share = (double)i / (double)(steps - 1);
        double value = values->log ? from * spar__pow(to / from, share) : from + share * (to - from);
        value = i == 0 ? from : i == steps - 1 ? to : rounded(value, 4);
        values->value[values->n++] = whole ? rint(value) : value;
    }
    return status;
}

static spar_status read_end(const spar__settings *settings, const char *name, double *out, spar_error *err)
{
    const char *text = spar__setting_text(settings, name);
    if (!text)
        return spar__fail(err, SPAR_INVALID, "tune: --from A and --to B go together; --%s is missing", name);
    if (!spar__parse_double(text, out))
        return spar__fail(err, SPAR_INVALID, "--%s: '%.80s' is not a number", name, text);
    return SPAR_OK;
}

static spar_status from_ends(const spar__settings *settings, const spar_param *param, spar__tune_values *values,
                             spar_error *err)
{
    double from, to;
    spar_status status = read_end(settings, "from", &from, err);
    if (!status)
        status = read_end(settings, "to", &to, err);
    if (status)
        return status;
    if (!(from < to))
        return spar__fail(err, SPAR_INVALID, "tune: --from %g is not below --to %g", from, to);
    if (values->log && from <= 0)
        return spar__fail(err, SPAR_INVALID, "tune: with --log both ends must be above 0, but --from is %g", from);
    return between(from, to, (size_t)spar__setting_number(settings, "steps"), param->kind == SPAR_PARAM_INTEGER, values,
                   err);
}

/* All integers of a short range; else an eighth to eight times the default, in steps of sqrt(2). */
static spar_status from_registry(const spar_param *param, spar__tune_values *values, spar_error *err)
{
    bool whole = param->kind == SPAR_PARAM_INTEGER;
    double standard = 0;
    if (whole && param->high - param->low < FEW) {
        spar_status status = make_room(FEW, values, err);
        for (double value = param->low; !status && value <= param->high; value++)
            values->value[values->n++] = value;
        return status;
    }
    if (!param->standard || !spar__parse_double(param->standard, &standard) || standard <= 0)
        return spar__fail(err, SPAR_INVALID,
                          "tune: %s has no positive default to search around; give --values, or --from and --to",
                          param->name);
    values->log = true;
    spar_status status = make_room(2 * AROUND + 1, values, err);
    for (int k = -AROUND; !status && k <= AROUND; k++) {
        double value = rounded(standard * spar__pow(2, 0.5 * k), 3);
        value = whole ? rint(value) : value;
        if (value >= param->low && value <= param->high)
            values->value[values->n++] = value;
    }
    return status;
}

static spar_status tune_values_make(const spar__settings *settings, const spar_param *param, spar__tune_values *out,
                                    spar_error *err)
{
    *out = (spar__tune_values){.log = spar__setting_number(settings, "log")};
    const char *values = spar__setting_text(settings, "values");
    bool ends = spar__setting_text(settings, "from") || spar__setting_text(settings, "to");
    spar_status status;
    if (param->kind != SPAR_PARAM_NUMBER && param->kind != SPAR_PARAM_INTEGER)
        status = spar__fail(err, SPAR_UNSUPPORTED, "tune: %s is not a number; compare its values with 'spar run'",
                            param->name);
    else if (values && ends)
        status = spar__fail(err, SPAR_INVALID, "tune: --values and --from, --to exclude each other");
    else if (!ends && spar__setting_of(settings, "steps")->source != SPAR__SOURCE_DEFAULT)
        status = spar__fail(err, SPAR_INVALID, "tune: --steps goes with --from and --to");
    else if (values)
        status = from_list(values, out, err);
    else if (ends)
        status = from_ends(settings, param, out, err);
    else
        status = from_registry(param, out, err);
    if (!status)
        status = add_default(param, out, err);
    if (!status && out->value[0] <= 0)
        out->log = false;
    if (status)
        tune_values_free(out);
    return status;
}

/* The table of the candidates and the sentences below it. */

static spar__tune_verdict tune_judge(const spar__tune_trial *trial, spar__tune_by by)
{
    const spar__tuning *tuning = &trial->tuning;
    spar__tune_verdict v = {.best = spar__tuning_best(tuning, by, SIZE_MAX), .next = tuning->n, .standard = tuning->n};
    if (v.best == tuning->n)
        return v;
    v.next = spar__tuning_best(tuning, by, v.best);
    if (v.next < tuning->n)
        spar__tuning_compare(tuning, v.next, v.best, &v.to_next);
    v.standard = trial->values.standard;
    if (v.standard < tuning->n)
        spar__tuning_compare(tuning, v.standard, v.best, &v.to_standard);
    return v;
}

/* Above two standard errors. */
static bool is_sure(const spar__difference *d, spar__tune_by by)
{
    return by == SPAR__TUNE_MEDIAN ? d->n && d->worse - 0.5 > 1 / sqrt((double)d->n) : spar__difference_sure(d);
}

/* By the statistic of the search: the mean difference, or the share of the runs. */
static void add_comparison(const spar__tune_trial *trial, size_t i, size_t best, int places, spar__text_table *table)
{
    spar__difference worse = {0};
    if (best < trial->tuning.n)
        spar__tuning_compare(&trial->tuning, i, best, &worse);
    bool sure = is_sure(&worse, trial->by);
    if (i == best)
        spar__text_table_add(table, "lowest");
    else if (!worse.n)
        spar__text_table_add(table, "-");
    else if (trial->by == SPAR__TUNE_MEDIAN)
        spar__text_table_add(table, "%s %.0f %%", sure ? "worse in" : "may be chance:", 100 * worse.worse);
    else
        spar__text_table_add(table, "%s %.*f +- %.*f", sure ? "worse by" : "may be chance:", places, worse.mean, places,
                             worse.se);
}

static void add_row(const spar__tune_trial *trial, size_t i, size_t best, int places, spar__text_table *table)
{
    char value[SPAR__NUMBER_SIZE];
    (void)spar__number_print(value, trial->values.value[i]);
    const spar__candidate *candidate = &trial->tuning.candidate[i];
    const spar__summary *s = &candidate->summary;
    spar__text_table_add(table, "%s%s", value, i == trial->values.standard ? " (default)" : "");
    const double numbers[] = {s->mean, s->se, s->median, s->q05, s->q95};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!s->n)
            spar__text_table_add(table, "-");
        else
            spar__text_table_add(table, "%.*f", k == 1 ? places + 1 : places, numbers[k]);
        if (k == 1)
            add_comparison(trial, i, best, places, table);
    }
    spar__text_table_add(table, "%zu", s->n);
    spar__text_table_add(table, "%zu of %zu", candidate->rung, trial->tuning.rungs);
}

static void add_table(const spar__tune_trial *trial, int places, bool styled, spar__buf *out)
{
    const char *heads[] = {"regret", "se", "against the best", "median", "5 %", "95 %", "runs", "rung"};
    static const size_t drop[] = {8, 5, 6, 4, 2}; /* rung, quantiles, median, error */
    spar__text_table table = {.columns = 9, .left = 1, .width = spar__output_width(), .n_drop = 5, .drop = drop};
    spar__text_table_add(&table, "%s", trial->param->name);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        spar__text_table_add(&table, "%s", heads[k]);
    size_t best = spar__tuning_best(&trial->tuning, trial->by, SIZE_MAX);
    for (size_t i = 0; i < trial->values.n; i++)
        add_row(trial, i, best, places, &table);
    spar__text_table_print(&table, styled, out);
    spar__text_table_free(&table);
    size_t start = out->length;
    if (trial->by == SPAR__TUNE_MEAN)
        spar__buf_adds(out, spar__chance_note);
    else
        spar__buf_adds(out, "worse in: share of the runs; within two standard errors of 50 % it may be chance\n");
    spar__fit(out, start, spar__output_width());
}

/* "it beats 2, the next, by 3.1 +- 1.2 (400 runs)"; by median: "in 61 % of 400 runs". Below two standard errors it says
 * that it may be chance. */
static void add_clause(const spar__tune_trial *trial, size_t other, const char *who, const spar__difference *d,
                       spar__tune_by by, int places, spar__buf *out)
{
    char value[SPAR__NUMBER_SIZE];
    (void)spar__number_print(value, trial->values.value[other]);
    bool median = by == SPAR__TUNE_MEDIAN;
    bool sure = is_sure(d, by);
    spar__buf_printf(out, sure ? "it beats %s, %s, " : "it is hardly ahead of %s, %s, ", value, who);
    if (median)
        spar__buf_printf(out, "in %.0f %% of %zu run%s", 100 * d->worse, d->n, spar__plural(d->n));
    else
        spar__buf_printf(out, "by %.*f +- %.*f (%zu run%s)", places, d->mean, places, d->se, d->n, spar__plural(d->n));
    spar__buf_adds(out, sure ? "" : ", which may be chance");
}

static void add_verdict_text(const spar__tune_trial *trial, const spar__tune_verdict *v, spar__tune_by by, int places,
                             spar__buf *out)
{
    char value[SPAR__NUMBER_SIZE];
    size_t n = trial->values.n;
    (void)spar__number_print(value, trial->values.value[v->best]);
    const spar__summary *s = &trial->tuning.candidate[v->best].summary;
    bool median = by == SPAR__TUNE_MEDIAN;
    bool sure = v->next == n || is_sure(&v->to_next, by);
    spar__buf_printf(out, "By %s %s%s is %s (%.*f)", median ? "median" : "mean", value,
                     v->best == v->standard ? ", the default," : "", sure ? "best" : "lowest", places,
                     median ? s->median : s->mean);
    if (v->next < n) {
        spar__buf_adds(out, ": ");
        bool both = v->next == v->standard;
        add_clause(trial, v->next, both ? "the next and the default" : "the next", &v->to_next, by, places, out);
    }
    if (v->standard < n && v->standard != v->best && v->standard != v->next) {
        spar__buf_adds(out, ";\n  ");
        add_clause(trial, v->standard, "the default", &v->to_standard, by, places, out);
    }
    spar__buf_adds(out, ".\n");
    if (n > 1 && v->best == n - 1 && trial->values.value[n - 1] < trial->param->high)
        spar__buf_adds(out, "  It is the largest value tried; a larger one may be better.\n");
    if (n > 1 && v->best == 0 && trial->values.value[0] > trial->param->low)
        spar__buf_adds(out, "  It is the smallest value tried; a smaller one may be better.\n");
}

static void tune_text(const spar__tune_trial *trial, bool styled, spar__buf *out)
{
    const spar_plan *plan = &trial->plan;
    double largest = 0;
    for (size_t i = 0; i < trial->tuning.n; i++)
        largest = fmax(largest, fabs(trial->tuning.candidate[i].summary.mean));
    int places = spar__text_table_places(largest);
    spar__buf_printf(out, "%s of ", trial->param->name);
    spar__buf_add_printable(out, trial->policy);
    spar__buf_adds(out, ", ");
    spar__plan_text(plan, out);
    spar__buf_printf(out, "up to %" PRIu64 " run%s, seed %" PRIu64 "\n\n", plan->runs, spar__plural(plan->runs),
                     plan->seed);
    add_table(trial, places, styled, out);
    spar__tune_verdict mean = tune_judge(trial, SPAR__TUNE_MEAN);
    spar__tune_verdict median = tune_judge(trial, SPAR__TUNE_MEDIAN);
    if (mean.best == trial->values.n)
        return;
    spar__buf_adds(out, "\n");
    size_t start = out->length;
    add_verdict_text(trial, &mean, SPAR__TUNE_MEAN, places, out);
    add_verdict_text(trial, &median, SPAR__TUNE_MEDIAN, places, out);
    if (mean.best != median.best)
        spar__buf_adds(out,
                       "Mean and median disagree: the regret has a heavy tail, a few runs that go wrong. The median "
                       "shows the\nusual run, the mean pays for the others.\n");
    spar__fit(out, start, spar__output_width());
}

/* JSON and CSV. */

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

static void add_verdict_json(const spar__tune_trial *trial, const char *key, spar__tune_by by, spar__json *json)
{
    spar__tune_verdict v = tune_judge(trial, by);
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

static void tune_json(const spar__tune_trial *trial, spar__buf *out)
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
    add_verdict_json(trial, "best_by_mean", SPAR__TUNE_MEAN, &json);
    add_verdict_json(trial, "best_by_median", SPAR__TUNE_MEDIAN, &json);
    spar__json_key(&json, "candidates");
    spar__json_begin_array(&json);
    size_t best = spar__tuning_best(&trial->tuning, trial->by, SIZE_MAX);
    for (size_t i = 0; i < trial->values.n; i++)
        add_candidate(trial, i, best, &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static void tune_csv(const spar__tune_trial *trial, spar__buf *out)
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

enum { MEAN, MEAN_LO, MEAN_HI, MEDIAN, MEDIAN_LO, MEDIAN_HI, ROWS };

static spar_status tune_plot(const spar__tune_trial *trial, spar__drawing *out)
{
    out->name = "Regret against a parameter";
    size_t n = trial->values.n;
    double *number = spar__alloc(n, ROWS * sizeof *number), *row[ROWS];
    if (!number)
        return SPAR_NOMEM;
    for (size_t k = 0; k < ROWS; k++)
        row[k] = number + k * n;
    for (size_t i = 0; i < n; i++) {
        const spar__summary *s = &trial->tuning.candidate[i].summary;
        const double values[ROWS] = {s->mean, s->mean - 2 * s->se, s->mean + 2 * s->se, s->median, s->q25, s->q75};
        for (size_t k = 0; k < ROWS; k++)
            row[k][i] = s->n ? values[k] : NAN;
    }
    const double *x = trial->values.value;
    const spar__series series[] = {
        {"mean \xC2\xB1 2 se", n, x, row[MEAN], row[MEAN_LO], row[MEAN_HI], 0, true},
        {"median, 25 to 75 %", n, x, row[MEDIAN], row[MEDIAN_LO], row[MEDIAN_HI], 0, true},
    };
    char title[200], subtitle[200], note[120];
    (void)snprintf(title, sizeof title, "%s of %.150s", trial->param->name, trial->policy);
    (void)snprintf(subtitle, sizeof subtitle, "%.100s, m = %zu, %.40s, %" PRIu64 " round%s", trial->plan.env,
                   trial->plan.m, trial->plan.feedback, trial->plan.rounds, spar__plural(trial->plan.rounds));
    (void)snprintf(note, sizeof note, "successive halving by %s: from %zu to %" PRIu64 " run%s%s",
                   trial->by == SPAR__TUNE_MEDIAN ? "median" : "mean", spar__tune_runs(n, trial->tuning.runs, 1),
                   trial->plan.runs, spar__plural(trial->plan.runs), trial->tuning.interrupted ? " (interrupted)" : "");
    spar__figure figure = {.title = title,
                           .subtitle = subtitle,
                           .x_label = trial->param->name,
                           .y_label = "cumulative regret",
                           .log_x = trial->values.log,
                           .n_series = 2,
                           .series = series,
                           .band_note = note};
    spar_status status = spar__draw_panels(&figure, 1, 1, out);
    spar__free(number);
    return status;
}

/* --- the command --- */

static spar_status make_specs(const spar__knob *knob, spar__tune_trial *trial, spar_error *err)
{
    trial->spec = spar__alloc(trial->values.n, sizeof *trial->spec);
    for (size_t i = 0; trial->spec && i < trial->values.n; i++) {
        spar__buf text = {0};
        spar__knob_write(knob, trial->values.value[i], &text);
        trial->spec[i] = text.failed ? NULL : spar__strdup(text.text);
        spar__buf_free(&text);
        if (!trial->spec[i])
            return spar__fail_memory(err);
    }
    return trial->spec ? SPAR_OK : spar__fail_memory(err);
}

static spar_status make_trial(const spar__settings *settings, spar__tune_trial *trial, spar_error *err)
{
    *trial = (spar__tune_trial){.policy = spar__setting_text(settings, "policy"),
                                .by = spar__setting_is(settings, "by", "median") ? SPAR__TUNE_MEDIAN : SPAR__TUNE_MEAN};
    spar__knob knob;
    spar_status status = spar__knob_new(trial->policy, spar__setting_text(settings, "param"), &knob, err);
    if (status)
        return status;
    trial->param = knob.param;
    status = tune_values_make(settings, knob.param, &trial->values, err);
    if (!status)
        status = make_specs(&knob, trial, err);
    spar__knob_free(&knob);
    trial->plan = spar__plan_of(settings, spar__setting_text(settings, "env"));
    trial->plan.policies = (const char *const *)trial->spec;
    trial->plan.n_policies = trial->values.n;
    return status;
}

static spar_status search(spar__tune_trial *trial, spar__sweeping *sweeping, spar_error *err)
{
    spar__progress_line progress;
    spar__buf about = {0};
    spar__progress_begin(&progress, "");
    spar__tune_lab lab = {.plan = trial->plan,
                          .total = spar__tune_jobs(trial->values.n, (size_t)trial->plan.runs) * trial->plan.rounds,
                          .sweep = &sweeping->sweep};
    lab.plan.progress = spar__progress_show;
    lab.plan.context = &progress;
    /* What decides the search besides the cells of its first rung. */
    spar__buf_printf(&about, "tune by %s, up to %" PRIu64 " runs", trial->by == SPAR__TUNE_MEDIAN ? "median" : "mean",
                     trial->plan.runs);
    sweeping->sweep.about = about.text;
    spar_status status = about.failed ? spar__fail_memory(err)
                                      : spar__tune(trial->values.n, (size_t)trial->plan.runs, trial->by,
                                                   spar__tune_simulate, &lab, &trial->tuning, err);
    spar__progress_end(&progress);
    sweeping->sweep.about = NULL;
    spar__buf_free(&about);
    if (sweeping->sweep.only_read && trial->tuning.interrupted)
        sweeping->reports = false;
    return status;
}

static spar_status write_files(const spar__tune_trial *trial, const spar__settings *settings, const char *dir,
                               spar_error *err)
{
    spar__buf csv = {0};
    spar__drawing drawing = {0};
    tune_csv(trial, &csv);
    spar_status status = tune_plot(trial, &drawing);
    if (status || csv.failed || drawing.svg.failed)
        status = spar__fail_memory(err);
    if (!status)
        status = spar__owner_sign(dir, settings, err);
    if (!status)
        status = spar__outdir_write(dir, "tune.csv", &csv, err);
    if (!status)
        status = spar__outdir_figure(dir, "tune", &drawing, "All numbers are in <code>tune.csv</code>.", err);
    spar__buf_free(&csv);
    spar__drawing_free(&drawing);
    return status;
}

static uint64_t count_complete(const spar__tuning *tuning)
{
    uint64_t complete = 0;
    for (size_t i = 0; i < tuning->n; i++)
        complete += tuning->candidate[i].summary.n;
    return complete;
}

static spar_status search_and_report(spar__tune_trial *trial, spar__sweeping *sweeping, spar__buf *out, spar_error *err)
{
    const char *dir = sweeping->out;
    spar_status status = SPAR_OK;
    if (dir && !sweeping->sweep.list && !spar__sweeping_helps())
        status = spar__owner_check(dir, sweeping->settings, err);
    if (!status)
        status = search(trial, sweeping, err);
    if (status || !sweeping->reports)
        return status;
    if (spar__setting_number(sweeping->settings, "json"))
        tune_json(trial, out);
    else
        tune_text(trial, spar__output_styled(), out);
    if (dir && count_complete(&trial->tuning)) /* printed first: a full disk does not cost the results */
        status = write_files(trial, sweeping->settings, dir, err);
    if (!status && trial->tuning.interrupted) {
        status = spar__fail(err, SPAR_INTERRUPTED,
                            "interrupted; the report is on the %" PRIu64 " of %" PRIu64 " runs that were complete%s",
                            count_complete(&trial->tuning), spar__tune_jobs(trial->tuning.n, trial->tuning.runs),
                            spar__sweeping_continues(sweeping));
    }
    return status;
}

static spar_status tune(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    if (!spar__setting_text(settings, "policy"))
        return spar__fail(err, SPAR_INVALID, "tune: no policy; give --policy P, see 'spar list policies'");
    if (!spar__setting_text(settings, "param"))
        return spar__fail(err, SPAR_INVALID, "tune: no parameter; give --param NAME, see 'spar list policies'");
    spar_status status = spar__check_out(settings, err);
    if (status)
        return status;
    spar__tune_trial trial;
    spar__sweeping sweeping;
    status = make_trial(settings, &trial, err);
    if (!status) {
        status = spar__sweeping_begin(&sweeping, settings, out, err);
        if (!status)
            status = search_and_report(&trial, &sweeping, out, err);
        status = spar__sweeping_end(&sweeping, status, false, err);
    }
    spar__tuning_free(&trial.tuning);
    for (size_t i = 0; trial.spec && i < trial.values.n; i++)
        spar__free(trial.spec[i]);
    spar__free(trial.spec);
    tune_values_free(&trial.values);
    return status;
}

static const spar__option options[] = {
    SPAR__TEXT_OPTION("policy", "P", "the policy, see 'spar list policies'"),
    SPAR__TEXT_OPTION("param", "NAME", "the parameter to choose, a number"),
    SPAR__TEXT_OPTION("values", "A:B:..", "the values to try; the default is added"),
    SPAR__TEXT_OPTION("from", "A", "instead of --values: the least value"),
    SPAR__TEXT_OPTION("to", "B", "and the largest"),
    SPAR__COUNT_OPTION("steps", "N", "9", 2, 1000, "how many values from --from to --to"),
    SPAR__SWITCH_OPTION("log", "steps of equal ratio; a logarithmic axis in the plot"),
    {.name = "env",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "E",
     .standard = "utility(set=uniform,link=logit)",
     .help = "the environment, preferably one with a fresh instance in every run"},
    SPAR__OPTION_M,
    SPAR__OPTION_FEEDBACK,
    SPAR__OPTION_ROUNDS,
    SPAR__COUNT_OPTION("runs", "N", "400", 1, 10000000, "runs of the last two values; the others get fewer"),
    SPAR__CHOICE_OPTION("by", "STATISTIC", "mean", "mean|median",
                        "the statistic of the regret that decides which values go on"),
    SPAR__OPTION_REGRET("what showing an arm costs, see 'spar run --help'"),
    SPAR__OPTION_SEED,
    SPAR__OPTION_THREADS,
    SPAR__TEXT_OPTION("out", "DIR", "also write tune.csv and the plot there, and continue what was interrupted there"),
    SPAR__OPTION_PART,
    SPAR__OPTION_PLAN_ONLY,
    SPAR__OPTION_JSON,
    {.name = NULL},
};

const spar__command spar__command_tune = {
    .name = "tune",
    .brief = "Choose a parameter of a policy over random instances",
    .operands = "--policy P --param NAME [--values A:B:.. | --from A --to B [--steps N] [--log]] [OPTIONS]",
    .options = options,
    .notes = "Without values: an eighth to eight times the default. All values play a few runs, the better half\n"
             "goes on with twice as many, until two are left. Run r of every value has the same environment and random "
             "numbers.\n"
             "Ctrl-C reports the runs that are complete; a second one ends at once.",
    .example = "spar tune --policy ind_self_sparring --param eta --rounds 1000 --runs 40",
    .run = tune,
};
