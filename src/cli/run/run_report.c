/* run_report.c - what `spar run` prints and writes: the table, JSON, CSV, and the times apart. Every form takes the
 * scores of the policies, sums over the complete runs; the cost is that of sorting the runs at every checkpoint. */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/run/run.h"
#include "cli/terminal.h"
#include "num/elementary.h"
#include "sim/sim.h"
#include "spar_version.h"
#include "text/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DROPS = 9 };

spar_status spar__score_at(const spar__trial *trial, size_t policy, size_t checkpoint, spar__summary *out)
{
    spar_status status = spar__results_summary(trial->results, policy, checkpoint, out);
    if (!status && out->n == 0)
        *out = (spar__summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    return status;
}

static spar_status score_of(const spar__trial *trial, size_t policy, spar__score *out)
{
    const spar_results *results = trial->results;
    spar_status status = spar__score_at(trial, policy, results->n_checkpoints, &out->regret);
    if (status)
        return status;
    for (size_t r = 0; r < spar__results_reach(results); r++) {
        const spar__run_numbers *run = &results->run[policy * results->runs + r];
        if (!run->complete)
            continue;
        out->best_share += run->best_share;
        out->set_size += run->set_size;
        out->per_slot += run->per_slot;
        out->seconds += run->seconds;
        out->rounds += (double)run->played;
    }
    double n = (double)out->regret.n; /* without runs: 0 / 0, NaN */
    out->best_share /= n;
    out->set_size /= n;
    out->per_slot /= n;
    return SPAR_OK;
}

typedef struct mean_place {
    double mean;
    size_t policy;
} mean_place;

/* Policies without a complete run come last, equal ones stay in order. */
static int compare_means(const void *a, const void *b)
{
    const mean_place *x = a, *y = b;
    if (isnan(x->mean) != isnan(y->mean))
        return isnan(x->mean) ? 1 : -1;
    if (x->mean < y->mean || x->mean > y->mean)
        return x->mean < y->mean ? -1 : 1;
    return x->policy < y->policy ? -1 : x->policy > y->policy;
}

spar_status spar__scores_of(const spar__trial *trial, spar__score **score, size_t **order)
{
    size_t n = trial->plan.n_policies;
    *score = spar__alloc(n, sizeof **score);
    *order = spar__alloc(n, sizeof **order);
    mean_place *place = spar__alloc(n, sizeof *place);
    spar_status status = *score && *order && place ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        status = score_of(trial, i, *score + i);
    for (size_t i = 0; !status && i < n; i++)
        place[i] = (mean_place){(*score)[i].regret.mean, i};
    if (!status)
        qsort(place, n, sizeof *place, compare_means);
    for (size_t i = 0; !status && i < n; i++)
        (*order)[i] = place[i].policy;
    spar__free(place);
    if (!status)
        (*score)[**order].best = true;
    for (size_t i = 0; !status && i < n; i++) {
        spar__difference *worse = &(*score)[i].worse;
        status = spar__results_difference(trial->results, i, **order, worse);
        if (!worse->n)
            worse->mean = worse->se = worse->worse = NAN;
    }
    if (status) {
        spar__free(*score);
        spar__free(*order);
        *score = NULL;
        *order = NULL;
    }
    return status;
}

/* --- the table --- */

static void add_number(spar__text_table *table, double value, int places)
{
    if (isnan(value))
        spar__text_table_add(table, "-");
    else
        spar__text_table_add(table, "%.*f", places, value);
}

/* Is every other policy shown to be worse than the one of least mean? */
static bool all_sure(const spar__score *score, size_t n)
{
    bool sure = true;
    for (size_t i = 0; i < n; i++)
        sure &= score[i].best || isnan(score[i].worse.mean) || spar__difference_sure(&score[i].worse);
    return sure;
}

static void add_comparison_cell(spar__text_table *table, const spar__score *score, bool sure, int places)
{
    const spar__difference *d = &score->worse;
    if (isnan(d->mean))
        spar__text_table_add(table, "-");
    else if (score->best)
        spar__text_table_add(table, sure ? "best" : "lowest");
    else if (spar__difference_sure(d))
        spar__text_table_add(table, "worse by %.*f +- %.*f", places, d->mean, places, d->se);
    else if (d->n > 1)
        spar__text_table_add(table, "may be chance: %.*f +- %.*f", places, d->mean, places, d->se);
    else
        spar__text_table_add(table, "one run: %.*f", places, d->mean);
}

static double nanoseconds(const spar__score *score)
{
    return 1e9 * score->seconds / score->rounds;
}

static void add_share(spar__text_table *table, double share)
{
    if (isnan(share))
        spar__text_table_add(table, "-");
    else
        spar__text_table_add(table, "%.1f %%", 100 * share);
}

static spar_status decision_cells(const spar__trial *trial, size_t policy, spar__text_table *table)
{
    spar__decisions d;
    uint64_t t = 0;
    spar_status status = spar__results_decisions(trial->results, policy, &d);
    if (!status && trial->plan.identify)
        status = spar__results_identified(trial->results, policy, &t);
    if (status)
        return status;
    if (trial->plan.stop) {
        if (d.screens.n)
            spar__text_table_add(table, "%.0f (%.0f-%.0f)", d.screens.median, d.screens.q05, d.screens.q95);
        else
            spar__text_table_add(table, "-");
        add_share(table, d.right);
        add_share(table, d.wrong);
        add_share(table, d.open);
    }
    if (trial->plan.identify && t)
        spar__text_table_add(table, "%" PRIu64, t);
    else if (trial->plan.identify)
        spar__text_table_add(table, "-");
    return SPAR_OK;
}

static spar_status add_rows(const spar__trial *trial, const spar__score *scores, const size_t *order,
                            spar__text_table *table)
{
    size_t n = trial->plan.n_policies;
    bool slow = false;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n; i++)
        slow |= nanoseconds(&scores[i]) >= 9999.5;
    const char *heads[] = {"policy", "regret", "se",   "against the best", "median",
                           "sd",     "5 %",    "95 %", "best share",       "set size"};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        spar__text_table_add(table, "%s", heads[k]);
    static const char *const decisions[] = {"decided at (5-95 %)", "right", "wrong", "open"};
    for (size_t k = 0; trial->plan.stop && k < sizeof decisions / sizeof *decisions; k++)
        spar__text_table_add(table, "%s", decisions[k]);
    if (trial->plan.identify)
        spar__text_table_add(table, "identified");
    spar__text_table_add(table, slow ? "us/round" : "ns/round");
    if (trial->results->interrupted)
        spar__text_table_add(table, "runs");
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        if (scores[i].regret.n)
            largest = fmax(largest, fmax(fabs(scores[i].regret.mean), fabs(scores[i].regret.q95)));
    int places = spar__text_table_places(largest);
    bool sure = all_sure(scores, n);
    for (size_t i = 0; !status && i < n; i++) {
        const spar__score *score = &scores[order[i]];
        const spar__summary *regret = &score->regret;
        spar__text_table_add(table, "%s", trial->plan.policies[order[i]]);
        add_number(table, regret->mean, places);
        add_number(table, regret->n > 1 ? regret->se : NAN, places + 1); /* unknown after one run */
        add_comparison_cell(table, score, sure, places);
        add_number(table, regret->median, places);
        add_number(table, regret->n > 1 ? regret->sd : NAN, places);
        add_number(table, regret->q05, places);
        add_number(table, regret->q95, places);
        add_number(table, score->best_share, 3);
        add_number(table, score->set_size, 2);
        status = decision_cells(trial, order[i], table);
        double time = nanoseconds(score);
        add_number(table, slow ? time / 1000 : time, slow ? 1 : 0);
        if (trial->results->interrupted)
            spar__text_table_add(table, "%zu", regret->n);
    }
    return status;
}

static const char *const kinds[] = {[SPAR_REGRET_SUM] = "",
                                    [SPAR_REGRET_WEAK] = ", weak regret",
                                    [SPAR_REGRET_BEST_FIXED] = ", regret to the best arm in hindsight",
                                    [SPAR_REGRET_BORDA] = ", Borda regret",
                                    [SPAR_REGRET_COPELAND] = ", Copeland regret",
                                    [SPAR_REGRET_VON_NEUMANN] = ", von Neumann regret"};

/* What is left out first where a terminal is narrow: set size, sd, quantiles, time, median, share, error, and
 * beside decisions the comparison. */
static spar__text_table make_table(const spar__trial *trial, size_t drop[DROPS])
{
    size_t decisions = 4 * (size_t)(trial->plan.stop != NULL) + trial->plan.identify, time = 10 + decisions;
    const size_t order[DROPS] = {9, 5, 6, 7, time, 4, 8, 2, 3};
    memcpy(drop, order, sizeof order);
    return (spar__text_table){.columns = time + (trial->results->interrupted ? 2 : 1),
                              .left = 1,
                              .width = spar__output_width(),
                              .n_drop = decisions ? DROPS : DROPS - 1,
                              .drop = drop};
}

spar_status spar__report_table(const spar__trial *trials, size_t n, bool styled, spar__buf *out)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        const spar__trial *trial = &trials[i];
        const spar_plan *plan = &trial->plan;
        spar__buf_adds(out, i ? "\n" : "");
        size_t start = out->length;
        spar__plan_text(plan, out);
        spar__buf_printf(out, "%" PRIu64 " run%s, seed %" PRIu64 "%s%s%s\n\n", plan->runs, spar__plural(plan->runs),
                         plan->seed, kinds[plan->regret], plan->stop ? ", stop " : "", plan->stop ? plan->stop : "");
        spar__fit(out, start, spar__output_width());
        spar__score *scores = NULL;
        size_t *order = NULL;
        status = spar__scores_of(trial, &scores, &order);
        if (!status) {
            size_t drop[DROPS];
            spar__text_table table = make_table(trial, drop);
            status = add_rows(trial, scores, order, &table);
            spar__text_table_print(&table, styled, out);
            start = out->length;
            spar__buf_adds(out, plan->n_policies > 1 ? spar__chance_note : "");
            spar__fit(out, start, table.width);
            spar__text_table_free(&table);
        }
        spar__free(scores);
        spar__free(order);
    }
    return status;
}

/* --- JSON --- */

static spar_status decision_json(const spar__trial *trial, size_t policy, spar__json *json)
{
    spar__decisions d;
    spar_status status = spar__results_decisions(trial->results, policy, &d);
    if (!status && trial->plan.stop) {
        spar__json_key(json, "decision");
        spar__json_begin_object(json);
        spar__json_add_number(json, "right", d.right);
        spar__json_add_number(json, "wrong", d.wrong);
        spar__json_add_number(json, "open", d.open);
        spar__json_key(json, "screens");
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "runs", d.screens.n);
        spar__json_add_number(json, "mean", d.screens.mean);
        spar__json_add_number(json, "median", d.screens.median);
        spar__json_add_number(json, "q05", d.screens.q05);
        spar__json_add_number(json, "q25", d.screens.q25);
        spar__json_add_number(json, "q75", d.screens.q75);
        spar__json_add_number(json, "q95", d.screens.q95);
        spar__json_end_object(json);
        spar__json_end_object(json);
    }
    if (status || !trial->plan.identify)
        return status;
    uint64_t t;
    status = spar__results_identified(trial->results, policy, &t);
    spar__json_key(json, "identified");
    spar__json_begin_object(json);
    spar__json_key(json, trial->plan.strongest ? "pl" : "copeland");
    spar__json_begin_object(json);
    if (t)
        spar__json_add_unsigned(json, "t", t);
    else
        spar__json_add_null(json, "t");
    spar__json_add_number(json, "right", spar_results_named_right(trial->results, policy, trial->plan.rounds));
    spar__json_end_object(json);
    spar__json_end_object(json);
    return status;
}

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
    spar__json_key(json, "worse_than_best");
    spar__json_begin_object(json);
    spar__json_add_number(json, "mean", score->worse.mean);
    spar__json_add_number(json, "se", score->worse.se);
    if (isnan(score->worse.mean))
        spar__json_add_null(json, "may_be_chance");
    else
        spar__json_add_boolean(json, "may_be_chance", !score->best && !spar__difference_sure(&score->worse));
    spar__json_end_object(json);
    spar__json_add_number(json, "best_share", score->best_share);
    spar__json_add_number(json, "set_size", score->set_size);
    spar__json_add_number(json, "mean_per_slot_x_m", score->per_slot);
    spar__json_add_number(json, "seconds", score->seconds);
    spar_status status = decision_json(trial, policy, json);
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

spar_status spar__report_json(const spar__trial *trials, size_t n, spar__buf *out)
{
    static const char *const units[][2] = {
        {"regret", "cumulative after all rounds, over the slots of a round; of a checkpoint after t rounds"},
        {"best_share", "share of the slots, over the last tenth of the rounds"},
        {"set_size", "slots a round"},
        {"seconds", "CPU time of all runs"},
        {"t", "rounds"},
    };
    spar__json json = {.out = out};
    spar_status status = SPAR_OK;
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_add_string(&json, "regret", spar__regret_name(trials[0].plan.regret));
    spar__json_key(&json, "units"); /* what the numbers are in */
    spar__json_begin_object(&json);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        spar__json_add_string(&json, units[i][0], units[i][1]);
    spar__json_end_object(&json);
    spar__json_key(&json, "environments");
    spar__json_begin_array(&json);
    for (size_t i = 0; !status && i < n; i++)
        status = add_trial(&trials[i], &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return status;
}

spar_status spar__report_timing(const spar__trial *trials, size_t n, spar__buf *out)
{
    spar__json json = {.out = out};
    spar_status status = SPAR_OK;
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_key(&json, "environments");
    spar__json_begin_array(&json);
    for (size_t i = 0; !status && i < n; i++) {
        const spar_plan *plan = &trials[i].plan;
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "env", plan->env);
        spar__json_add_unsigned(&json, "m", plan->m);
        spar__json_key(&json, "policies");
        spar__json_begin_array(&json);
        for (size_t k = 0; !status && k < plan->n_policies; k++) {
            spar__score score = {0};
            status = score_of(&trials[i], k, &score);
            spar__json_begin_object(&json);
            spar__json_add_string(&json, "policy", plan->policies[k]);
            spar__json_add_number(&json, "seconds", score.seconds);
            spar__json_add_number(&json, "ns_per_round", nanoseconds(&score));
            spar__json_end_object(&json);
        }
        spar__json_end_array(&json);
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return status;
}

/* --- CSV --- */

static void add_names(spar__csv_writer *csv, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__csv_text(csv, names[i]);
}

/* The columns of a grid, where there is one. */
static void add_grid_names(const spar__run_grid *grid, spar__csv_writer *csv)
{
    if (!grid || !grid->many)
        return;
    spar__csv_text(csv, "m");
    add_names(csv, (const char *const *)grid->param, grid->n_params);
}

static void add_grid_values(const spar__trial *trial, size_t policy, spar__csv_writer *csv)
{
    const spar__run_grid *grid = trial->grid;
    if (!grid || !grid->many)
        return;
    spar__csv_integer(csv, (int64_t)trial->plan.m);
    for (size_t k = 0; k < grid->n_params; k++) {
        const char *value = grid->value[policy * grid->n_params + k];
        spar__csv_text(csv, value ? value : "");
    }
}

static spar_status add_curve(const spar__trial *trial, size_t policy, spar__csv_writer *csv)
{
    for (size_t c = 0; c < trial->results->n_checkpoints; c++) {
        spar__summary at;
        spar_status status = spar__score_at(trial, policy, c, &at);
        if (status)
            return status;
        spar__csv_text(csv, trial->plan.env);
        spar__csv_text(csv, trial->plan.policies[policy]);
        add_grid_values(trial, policy, csv);
        spar__csv_integer(csv, (int64_t)trial->results->checkpoint[c]);
        const double values[] = {at.mean, at.sd, at.se, at.median, at.q05, at.q25, at.q75, at.q95};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            spar__csv_number(csv, values[k]);
        uint64_t t = trial->results->checkpoint[c];
        if (trial->plan.stop)
            spar__csv_number(csv, spar_results_decided_by(trial->results, policy, t));
        if (trial->plan.identify)
            spar__csv_number(csv, spar_results_named_right(trial->results, policy, t));
        spar__csv_end_row(csv);
    }
    return SPAR_OK;
}

spar_status spar__report_curves_csv(const spar__trial *trials, size_t n, spar__buf *out)
{
    static const char *const head[] = {"env", "policy", "t", "mean", "sd", "se", "median", "q05", "q25", "q75", "q95"};
    spar__csv_writer csv = {.out = out};
    add_names(&csv, head, 2);
    add_grid_names(trials[0].grid, &csv);
    add_names(&csv, head + 2, sizeof head / sizeof *head - 2);
    if (trials[0].plan.stop)
        spar__csv_text(&csv, "decided");
    if (trials[0].plan.identify)
        spar__csv_text(&csv, "named_right");
    spar__csv_end_row(&csv);
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; !status && k < trials[i].plan.n_policies; k++)
            status = add_curve(&trials[i], k, &csv);
    return status;
}

/* Without times: two equal runs write the same file. */
static void add_runs(const spar__trial *trial, size_t policy, spar__csv_writer *csv)
{
    const spar_results *results = trial->results;
    for (size_t r = 0; r < spar__results_reach(results); r++) {
        const spar__run_numbers *run = &results->run[policy * results->runs + r];
        if (!run->complete)
            continue;
        spar__csv_text(csv, trial->plan.env);
        spar__csv_text(csv, trial->plan.policies[policy]);
        add_grid_values(trial, policy, csv);
        spar__csv_integer(csv, (int64_t)r);
        const double values[] = {run->regret, run->per_slot, run->best_share, run->best_pulls, run->set_size};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            spar__csv_number(csv, values[k]);
        if (trial->plan.stop) {
            /* Where --stop was given; both are empty while it is open. */
            spar__csv_number(csv, run->decided ? (double)run->decided : (double)NAN);
            spar__csv_number(csv, run->decided ? (double)run->right : (double)NAN);
        }
        spar__csv_end_row(csv);
    }
}

spar_status spar__report_runs_csv(const spar__trial *trials, size_t n, spar__buf *out)
{
    static const char *const head[] = {"env",        "policy",     "run",      "regret",  "per_slot",
                                       "best_share", "best_pulls", "set_size", "decided", "right"};
    spar__csv_writer csv = {.out = out};
    add_names(&csv, head, 2);
    add_grid_names(trials[0].grid, &csv);
    add_names(&csv, head + 2, sizeof head / sizeof *head - 2 - (trials[0].plan.stop ? 0 : 2));
    spar__csv_end_row(&csv);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < trials[i].plan.n_policies; k++)
            add_runs(&trials[i], k, &csv);
    return SPAR_OK;
}
