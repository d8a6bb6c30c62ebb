/* run.c - spar run: policies against simulated users. */
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/list/list.h"
#include "cli/outdir.h"
#include "cli/progress.h"
#include "cli/run/report.h"
#include "cli/table.h"

#include <stdio.h>
#include <string.h>

/* The plan for one environment. */
static spar_plan make_plan(const spar__settings *settings, const char *env)
{
    const spar__setting *policies = spar__setting_of(settings, "policy");
    spar_plan plan = spar__plan_of(settings, env);
    plan.policies = (const char *const *)policies->text;
    plan.n_policies = policies->n;
    if (spar__setting_of(settings, "horizon")->n)
        plan.horizon = spar__setting_number(settings, "horizon");
    plan.stop = spar__setting_text(settings, "stop");
    plan.identify = spar__setting_number(settings, "identify");
    plan.strongest = spar__setting_is(settings, "readout", "pl");
    return plan;
}

/* Simulates one round: a fault in a later environment is reported before hours are spent on the first one, and before
 * --snapshots checks what it needs. */
static spar_status try_one_round(spar_plan plan, spar_error *err)
{
    plan.horizon = spar__plan_horizon(&plan);
    plan.rounds = plan.runs = plan.threads = 1;
    plan.n_snapshots = 0;
    spar_results *results = NULL;
    spar_status status = spar_simulate(&plan, &results, err);
    spar_results_free(results);
    return status;
}

/* Simulates until done or interrupted; the first *done trials have results. */
static spar_status simulate(spar__trial *trials, size_t n, size_t *done, spar_error *err)
{
    spar__stop_catch();
    for (*done = 0; *done < n && !(*done && spar__stop_wanted()); ++*done) {
        spar__trial *trial = &trials[*done];
        char what[80] = "";
        if (n > 1)
            (void)snprintf(what, sizeof what, "environment %zu of %zu  ", *done + 1, n);
        spar__progress_line progress;
        spar__progress_begin(&progress, what);
        trial->plan.progress = spar__progress_show;
        trial->plan.context = &progress;
        spar_status status = spar_simulate(&trial->plan, &trial->results, err);
        spar__progress_end(&progress);
        if (status)
            return status;
    }
    return SPAR_OK;
}

/* In JSON they are part of the report. */
static void print_notes(const spar__trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (trials[i].results->note)
            spar__note("%s: %s", trials[i].plan.env, trials[i].results->note);
}

static spar_status plot_snapshots(const spar__trial *trials, size_t i, size_t n, const char *dir, spar_error *err)
{
    const spar__trial *trial = &trials[i];
    spar_status status = SPAR_OK;
    if (trial->snapshots.dim > 2)
        spar__note("%s: arms with %zu features are not drawn; snapshots.csv has the numbers", trial->plan.env,
                   trial->snapshots.dim);
    for (size_t k = 0; !status && k < trial->plan.n_policies; k++) {
        char name[80];
        if (n > 1)
            (void)snprintf(name, sizeof name, "snapshots-%zu-%zu", i + 1, k + 1);
        else
            (void)snprintf(name, sizeof name, "snapshots-%zu", k + 1);
        spar__buf svg = {0};
        if (spar__snapshots_plot(&trial->snapshots, &trial->plan, k, &svg) || svg.failed)
            status = spar__fail_memory(err);
        else if (svg.length)
            status = spar__outdir_print(dir, name, &svg, err);
        spar__buf_free(&svg);
    }
    return status;
}

static spar_status write_snapshots(const spar__trial *trials, size_t n, const char *dir, spar_error *err)
{
    size_t dim = 0;
    for (size_t i = 0; i < n; i++)
        dim = trials[i].snapshots.dim > dim ? trials[i].snapshots.dim : dim;
    spar__buf csv = {0};
    spar__snapshots_csv_head(dim, &csv);
    for (size_t i = 0; i < n; i++)
        spar__snapshots_csv(&trials[i].snapshots, &trials[i].plan, dim, &csv);
    spar_status status = csv.failed ? spar__fail_memory(err) : spar__outdir_write(dir, "snapshots.csv", &csv, err);
    spar__buf_free(&csv);
    for (size_t i = 0; !status && i < n; i++)
        status = plot_snapshots(trials, i, n, dir, err);
    return status;
}

/* The plots of --stop and --identify. */
static spar_status write_shares(const spar__trial *trials, size_t n, const char *dir, const spar__plot_style *style,
                                spar_error *err)
{
    static const char *const names[] = {[SPAR__SHARE_DECIDED] = "decided", [SPAR__SHARE_NAMED_RIGHT] = "named-right"};
    const bool wanted[] = {trials[0].plan.stop != NULL, trials[0].plan.identify};
    spar_status status = SPAR_OK;
    for (unsigned kind = 0; !status && kind < 2; kind++) {
        spar__buf svg = {0};
        if (wanted[kind] && (spar__report_shares(trials, n, (spar__share_kind)kind, style, &svg) || svg.failed))
            status = spar__fail_memory(err);
        else if (wanted[kind])
            status = spar__outdir_print(dir, names[kind], &svg, err);
        spar__buf_free(&svg);
    }
    return status;
}

static spar_status write_files(const spar__trial *trials, size_t n, const char *dir, spar__plot_style style,
                               spar_error *err)
{
    spar__buf curves = {0}, runs = {0}, svg = {0};
    spar_status status = spar__report_curves_csv(trials, n, &curves);
    spar__report_runs_csv(trials, n, &runs);
    if (!status)
        status = spar__report_plot(trials, n, style, &svg);
    if (status || curves.failed || runs.failed || svg.failed)
        status = spar__fail_memory(err);
    if (!status)
        status = spar__outdir_write(dir, "curves.csv", &curves, err);
    if (!status)
        status = spar__outdir_write(dir, "runs.csv", &runs, err);
    if (!status)
        status = spar__outdir_print(dir, "regret", &svg, err);
    if (!status)
        status = write_shares(trials, n, dir, &style, err);
    if (!status && trials[0].snapshots.n_times)
        status = write_snapshots(trials, n, dir, err);
    spar__buf_free(&curves);
    spar__buf_free(&runs);
    spar__buf_free(&svg);
    return status;
}

static size_t count_complete(const spar__trial *trials, size_t done)
{
    size_t complete = 0;
    for (size_t i = 0; i < done; i++)
        for (size_t k = 0; k < trials[i].results->n_policies * trials[i].results->runs; k++)
            complete += trials[i].results->run[k].complete;
    return complete;
}

/* Where rounding cost a belief more than its last digits. */
static void warn_of_lost_digits(const spar__trial *trials, size_t n)
{
    static const double worth_saying = 1e-6;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < trials[i].results->n_policies; k++) {
            const spar__run_numbers *first = &trials[i].results->run[k * trials[i].results->runs];
            if (first->complete && !(first->accuracy <= worth_saying))
                spar__note("%s: its belief is accurate to about %.0e only; a larger noise= needs fewer digits",
                           trials[i].plan.policies[k], first->accuracy);
        }
}

/* The table comes before the files, so that a full disk does not lose the results of a long simulation. Without a
 * complete run no files are written, which could replace those of an earlier simulation. */
static spar_status report(const spar__trial *trials, size_t n, const spar__settings *settings, spar__buf *out,
                          spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    spar__plot_style style;
    spar_status status = spar__plot_style_of(settings, &style, err);
    if (status)
        return status;
    status = spar__setting_number(settings, "json") ? spar__report_json(trials, n, out)
                                                    : spar__report_table(trials, n, spar__output_styled(), out);
    if (status)
        return spar__fail_memory(err);
    warn_of_lost_digits(trials, n);
    return dir && count_complete(trials, n) ? write_files(trials, n, dir, style, err) : SPAR_OK;
}

static spar_status fail_interrupted(const spar__trial *trials, size_t done, size_t n, spar_error *err)
{
    size_t wanted = 0;
    for (size_t i = 0; i < n; i++)
        wanted += trials[i].plan.n_policies * (size_t)trials[i].plan.runs;
    return spar__fail(err, SPAR_INTERRUPTED, "interrupted; the report is on the %zu of %zu runs that were complete",
                      count_complete(trials, done), wanted);
}

static spar_status run(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const spar__setting *envs = spar__setting_of(settings, "env");
    const char *dir = spar__setting_text(settings, "out");
    bool snapshots = spar__setting_of(settings, "snapshots")->n > 0;
    if (!envs->n)
        return spar__fail(err, SPAR_INVALID, "run: no environment; give --env E, see 'spar list envs'");
    if (!spar__setting_of(settings, "policy")->n)
        return spar__fail(err, SPAR_INVALID, "run: no policy; give --policy P, see 'spar list policies'");
    spar__plot_style style; /* what is wrong with it is said before anything runs */
    spar_status status = spar__check_out(settings, err);
    if (!status)
        status = spar__plot_style_of(settings, &style, err);
    if (!status && snapshots && !dir)
        status = spar__fail(err, SPAR_INVALID, "run: --snapshots needs --out DIR for its files");
    if (status)
        return status;
    spar__trial *trials = spar__alloc(envs->n, sizeof *trials);
    status = trials ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; !status && i < envs->n; i++) {
        trials[i].plan = make_plan(settings, envs->text[i]);
        if (envs->n > 1 || snapshots)
            status = try_one_round(trials[i].plan, err);
        if (!status)
            status = spar__snapshots_open(&trials[i].snapshots, settings, &trials[i].plan, err);
    }
    if (!status && dir)
        status = spar__outdir_make(dir, err);
    size_t done = 0;
    if (!status)
        status = simulate(trials, envs->n, &done, err);
    if (!status && !spar__setting_number(settings, "json"))
        print_notes(trials, done);
    if (!status)
        status = report(trials, done, settings, out, err);
    if (!status && (done < envs->n || trials[done - 1].results->interrupted))
        status = fail_interrupted(trials, done, envs->n, err);
    for (size_t i = 0; trials && i < envs->n; i++) {
        spar_results_free(trials[i].results);
        spar__snapshots_free(&trials[i].snapshots);
    }
    spar__free(trials);
    return status;
}

/* The names that --env, --policy and --feedback take. */
static void list_names(spar__buf *out)
{
    size_t n;
    const spar__list_family *families = spar__list_families(&n);
    for (size_t i = 0; i < n; i++)
        spar__list_line(&families[i], out);
}

const spar__command spar__command_run = {
    .name = "run",
    .brief = "Simulate policies and report their regret",
    .operands = "[FILE.yaml] --env E --policy P [--policy P ...] [OPTIONS]",
    .max_operands = 1,
    .runfile = true,
    .options = spar__run_options,
    .notes = "FILE.yaml holds the same options: 'rounds: 20000', and lists under 'environments:' and 'policies:'.\n"
             "Ctrl-C reports the runs that are complete; a second one ends at once.\n\n"
             "--regret: what a round costs, over its slots\n"
             "  sum          P(best beats arm) - 1/2, best the arm that beats all others\n"
             "  weak         the least of these, not their sum\n"
             "  borda        how far the mean chance to win against the others is below the highest\n"
             "  copeland     how many others less an arm beats than the one that beats most, divided by n - 1\n"
             "  von_neumann  what the optimal mixed strategy wins against the arm\n"
             "  best_fixed   P(i beats arm) - 1/2, i the arm for which the sum over all rounds is largest\n"
             "Refused are sum and weak where no arm beats all others (a cycle); all others over a continuous space;\n"
             "and borda, copeland and von_neumann with rewards instead of comparisons, or more than 4096 arms.",
    .more_help = list_names,
    .example = "spar run --env 'utility(set=arith,link=linear)' --policy ind_self_sparring --policy sparring/ucb1 "
               "--m 4 --rounds 2000 --runs 20",
    .run = run,
};
