#include "cli/run/report.h"

#include "text/csv.h"

#include <math.h>

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

/* Where --stop was given; both are empty while it is open. */
static void add_decision(const spar__run_numbers *run, spar__csv_writer *csv)
{
    spar__csv_number(csv, run->decided ? (double)run->decided : (double)NAN);
    spar__csv_number(csv, run->decided ? (double)run->right : (double)NAN);
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
        if (trial->plan.stop)
            add_decision(run, csv);
        spar__csv_end_row(csv);
    }
}

void spar__report_runs_csv(const spar__trial *trials, size_t n, spar__buf *out)
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
}
