/* tune.c - spar tune: choose a parameter of a policy over random instances. */
#include "cli/tune/tune.h"
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"
#include "policy/knob.h"

#include <inttypes.h>

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
    status = spar__tune_values_make(settings, knob.param, &trial->values, err);
    if (!status)
        status = make_specs(&knob, trial, err);
    spar__knob_free(&knob);
    trial->plan = spar__plan_of(settings, spar__setting_text(settings, "env"));
    trial->plan.policies = (const char *const *)trial->spec;
    trial->plan.n_policies = trial->values.n;
    return status;
}

static void free_trial(spar__tune_trial *trial)
{
    spar__tuning_free(&trial->tuning);
    for (size_t i = 0; trial->spec && i < trial->values.n; i++)
        spar__free(trial->spec[i]);
    spar__free(trial->spec);
    spar__tune_values_free(&trial->values);
}

/* What decides the search besides the cells of its first rung. */
static void describe(const spar__tune_trial *trial, spar__buf *out)
{
    spar__buf_printf(out, "tune by %s, up to %" PRIu64 " runs", trial->by == SPAR__TUNE_MEDIAN ? "median" : "mean",
                     trial->plan.runs);
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
    describe(trial, &about);
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
    spar__tune_csv(trial, &csv);
    spar_status status = spar__tune_plot(trial, &drawing);
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

static spar_status fail_interrupted(const spar__tuning *tuning, const spar__sweeping *sweeping, spar_error *err)
{
    return spar__fail(
        err, SPAR_INTERRUPTED, "interrupted; the report is on the %" PRIu64 " of %" PRIu64 " runs that were complete%s",
        count_complete(tuning), spar__tune_jobs(tuning->n, tuning->runs), spar__sweeping_continues(sweeping));
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
        spar__tune_json(trial, out);
    else
        spar__tune_text(trial, spar__output_styled(), out);
    if (dir && count_complete(&trial->tuning)) /* printed first: a full disk does not cost the results */
        status = write_files(trial, sweeping->settings, dir, err);
    if (!status && trial->tuning.interrupted)
        status = fail_interrupted(&trial->tuning, sweeping, err);
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
    free_trial(&trial);
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
