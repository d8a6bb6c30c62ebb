/* run.c - spar run: policies against simulated users. */
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/list/list.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/run/report.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"
#include "sim/plan_cells.h"

#include <stdio.h>
#include <string.h>

/* The plan for one environment and one m. */
static spar_plan make_plan(const spar__settings *settings, const spar__run_grid *grid, const char *env, size_t m)
{
    spar_plan plan = spar__plan_of(settings, env);
    plan.policies = (const char *const *)grid->policy;
    plan.n_policies = grid->n_policies;
    plan.m = m;
    if (spar__setting_of(settings, "horizon")->n)
        plan.horizon = spar__setting_number(settings, "horizon");
    plan.stop = spar__setting_text(settings, "stop");
    plan.identify = spar__setting_number(settings, "identify");
    plan.strongest = spar__setting_is(settings, "readout", "pl");
    return plan;
}

/* What is wrong with the plan is said before --snapshots checks what it needs. */
static spar_status make_trial(const spar__settings *settings, spar__trial *trial, spar_error *err)
{
    bool snapshots = spar__setting_of(settings, "snapshots")->n > 0;
    spar_status status = SPAR_OK;
    if (snapshots && !settings->merge)
        status = spar__simulate(&trial->plan, SPAR__SIMULATE_CHECK, NULL, err);
    return status ? status : spar__snapshots_open(&trial->snapshots, settings, &trial->plan, err);
}

static spar_status make_trials(const spar__settings *settings, const spar__run_grid *grid, spar__trial **trials,
                               size_t *n, spar_error *err)
{
    *n = grid->n_envs * grid->n_m;
    *trials = spar__alloc(*n, sizeof **trials);
    spar_status status = *trials ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; !status && i < *n; i++) {
        spar__trial *trial = &(*trials)[i];
        trial->plan = make_plan(settings, grid, grid->env[i / grid->n_m], grid->m[i % grid->n_m]);
        trial->grid = grid;
        status = make_trial(settings, trial, err);
    }
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

/* Of trials that were interrupted before they began, all but the first are left out. */
static size_t count_begun(const spar__trial *trials, size_t n)
{
    size_t begun = n;
    while (begun > 1 && trials[begun - 1].results->interrupted && !count_complete(&trials[begun - 1], 1))
        begun--;
    return begun;
}

static spar_status simulate(spar__sweeping *sweeping, spar__trial *trials, size_t n, spar_error *err)
{
    spar__plan_cells cells;
    spar__planned *planned = spar__alloc(n, sizeof *planned);
    if (!planned)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++)
        planned[i] = (spar__planned){.plan = &trials[i].plan, .observed = spar__snapshots_archive};
    spar_status status = spar__plan_cells_init(&cells, planned, n, err);
    if (!status)
        status = spar__sweeping_play(sweeping, &cells.cells, err);
    if (!status)
        status = spar__plan_cells_finish(&cells, err);
    for (size_t i = 0; !status && i < n; i++) {
        trials[i].results = planned[i].results;
        planned[i].results = NULL;
    }
    spar__plan_cells_fini(&cells);
    spar__free(planned);
    return status;
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
        spar__drawing drawing = {0};
        if (spar__snapshots_plot(&trial->snapshots, &trial->plan, k, &drawing) || drawing.svg.failed)
            status = spar__fail_memory(err);
        else if (drawing.svg.length)
            status = spar__outdir_figure(dir, name, &drawing, "All numbers are in <code>snapshots.csv</code>.", err);
        spar__drawing_free(&drawing);
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
        spar__drawing drawing = {0};
        if (wanted[kind] &&
            (spar__report_shares(trials, n, (spar__share_kind)kind, style, &drawing) || drawing.svg.failed))
            status = spar__fail_memory(err);
        else if (wanted[kind])
            status = spar__outdir_figure(dir, names[kind], &drawing,
                                         "When each run was decided is in <code>runs.csv</code>.", err);
        spar__drawing_free(&drawing);
    }
    return status;
}

/* A page of panels that nobody could read is not drawn. */
static bool is_drawn(const spar__trial *trials, size_t n)
{
    enum { MOST_PANELS = 100, MOST_LINES = 50 };
    if (n <= MOST_PANELS && (!trials[0].grid->many || trials[0].plan.n_policies <= MOST_LINES))
        return true;
    spar__note(
        "nothing is drawn for %zu panel%s of %zu lines, at most %d panels of %d lines are; the files have the numbers",
        n, n == 1 ? "" : "s", trials[0].plan.n_policies, MOST_PANELS, MOST_LINES);
    return false;
}

static spar_status write_files(const spar__trial *trials, size_t n, const char *dir, spar__plot_style style,
                               spar_error *err)
{
    static const char caption[] = "All numbers are in <code>curves.csv</code>, the final regret of every run is in "
                                  "<code>runs.csv</code>.";
    spar__buf curves = {0}, runs = {0};
    spar__drawing drawing = {0};
    bool drawn = is_drawn(trials, n);
    spar_status status = spar__report_curves_csv(trials, n, &curves);
    spar__report_runs_csv(trials, n, &runs);
    if (!status && drawn)
        status = spar__report_plot(trials, n, style, &drawing);
    if (status || curves.failed || runs.failed || drawing.svg.failed)
        status = spar__fail_memory(err);
    if (!status)
        status = spar__outdir_write(dir, "curves.csv", &curves, err);
    if (!status)
        status = spar__outdir_write(dir, "runs.csv", &runs, err);
    if (!status && drawn)
        status = spar__outdir_figure(dir, "regret", &drawing, caption, err);
    if (!status && drawn)
        status = write_shares(trials, n, dir, &style, err);
    if (!status && trials[0].snapshots.n_times)
        status = write_snapshots(trials, n, dir, err);
    spar__buf_free(&curves);
    spar__buf_free(&runs);
    spar__drawing_free(&drawing);
    return status;
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
    if (!dir || !count_complete(trials, n))
        return SPAR_OK;
    status = spar__owner_sign(dir, settings, err);
    return status ? status : write_files(trials, n, dir, style, err);
}

static spar_status fail_interrupted(const spar__sweeping *sweeping, const spar__trial *trials, size_t done, size_t n,
                                    spar_error *err)
{
    size_t wanted = 0;
    for (size_t i = 0; i < n; i++)
        wanted += trials[i].plan.n_policies * (size_t)trials[i].plan.runs;
    return spar__fail(err, SPAR_INTERRUPTED, "interrupted; the report is on the %zu of %zu runs that were complete%s",
                      count_complete(trials, done), wanted, spar__sweeping_continues(sweeping));
}

static spar_status check_settings(const spar__settings *settings, spar_error *err)
{
    if (!spar__setting_of(settings, "env")->n)
        return spar__fail(err, SPAR_INVALID, "run: no environment; give --env E, see 'spar list envs'");
    if (!spar__setting_of(settings, "policy")->n)
        return spar__fail(err, SPAR_INVALID, "run: no policy; give --policy P, see 'spar list policies'");
    spar__plot_style style; /* what is wrong with it is said before anything runs */
    spar_status status = spar__check_out(settings, err);
    if (!status)
        status = spar__plot_style_of(settings, &style, err);
    if (!status && spar__setting_of(settings, "snapshots")->n && !spar__setting_text(settings, "out"))
        status = spar__fail(err, SPAR_INVALID, "run: --snapshots needs --out DIR for its files");
    return status;
}

static spar_status play_and_report(spar__sweeping *sweeping, spar__trial *trials, size_t n, spar__buf *out,
                                   spar_error *err)
{
    const spar__settings *settings = sweeping->settings;
    spar_status status = SPAR_OK;
    if (sweeping->out && !sweeping->sweep.list && !spar__sweeping_helps())
        status = spar__owner_check(sweeping->out, sweeping->settings, err);
    if (!status)
        status = simulate(sweeping, trials, n, err);
    if (status || !sweeping->reports)
        return status;
    size_t done = count_begun(trials, n);
    if (!spar__setting_number(settings, "json"))
        print_notes(trials, done);
    status = report(trials, done, settings, out, err);
    if (!status && (done < n || trials[done - 1].results->interrupted))
        status = fail_interrupted(sweeping, trials, done, n, err);
    return status;
}

static spar_status run(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__sweeping sweeping;
    spar__run_grid grid;
    spar__trial *trials = NULL;
    size_t n = 0;
    spar_status status = check_settings(settings, err);
    if (status)
        return status;
    status = spar__sweeping_begin(&sweeping, settings, out, err);
    if (!status)
        status = spar__run_grid_make(settings, &grid, err);
    else
        grid = (spar__run_grid){0};
    if (!status)
        status = make_trials(settings, &grid, &trials, &n, err);
    if (!status)
        status = play_and_report(&sweeping, trials, n, out, err);
    for (size_t i = 0; trials && i < n; i++) {
        spar_results_free(trials[i].results);
        spar__snapshots_free(&trials[i].snapshots);
    }
    spar__free(trials);
    spar__run_grid_free(&grid);
    return spar__sweeping_end(&sweeping, status, false, err);
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
    .notes =
        "FILE.yaml holds the same options: 'rounds: 20000', lists under 'environments:', 'policies:' and 'm:', and\n"
        "'parameters:' with lists of values; all of them are combined. doc/sweeps.md has sweeps over many machines.\n"
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
