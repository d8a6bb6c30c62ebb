/* set.c - spar set: what can be changed while an experiment runs. */
#include "cli/common.h"
#include "cli/experiment.h"
#include "live/live.h"
#include "live/text_limits.h"
#include "text/json.h"

#include <string.h>

/* As the enumerations count them. */
static const char *const results_name[] = {
    [SPAR_RESULTS_MANAGERS] = "managers", [SPAR_RESULTS_AFTER_VOTE] = "after_vote", [SPAR_RESULTS_PUBLIC] = "public"};

static spar_status change(const spar__settings *settings, spar_experiment *experiment, spar_error *err)
{
    const char *question = spar__setting_text(settings, "question"), *access = spar__setting_text(settings, "access");
    uint64_t m = spar__setting_number(settings, "m");
    spar_status status =
        question ? spar_experiment_set_question(experiment, *question ? question : NULL, err) : SPAR_OK;
    if (!status && m)
        status = spar_experiment_set_slots(experiment, (size_t)m, err);
    for (size_t i = 0; i < sizeof results_name / sizeof *results_name && !status; i++)
        if (spar__setting_is(settings, "results", results_name[i]))
            status = spar_experiment_set_results(experiment, (spar_results_for)i, err);
    if (!status && access)
        status = spar_experiment_set_access(experiment,
                                            strcmp(access, "open") == 0 ? SPAR_ACCESS_OPEN : SPAR_ACCESS_INVITED, err);
    return status;
}

static void print_settings(const spar_experiment *experiment, bool as_json, spar__buf *out)
{
    const char *question = spar_experiment_question(experiment),
               *results = results_name[spar_experiment_results(experiment)],
               *access = spar_experiment_access(experiment) == SPAR_ACCESS_OPEN ? "open" : "invited";
    size_t m = spar_experiment_slots(experiment);
    if (as_json) {
        spar__json json = {.out = out};
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "question", question);
        spar__json_add_unsigned(&json, "m", m);
        spar__json_add_string(&json, "results", results);
        spar__json_add_string(&json, "access", access);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
        return;
    }
    spar__buf_adds(out, "question  ");
    spar__buf_add_printable(out, question ? question : "(none)");
    spar__buf_printf(out, "\nm         %zu\nresults   %s\naccess    %s\n", m, results, access);
}

static spar_status set(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    bool any = false;
    for (size_t i = 0; i < settings->n; i++)
        any |= settings->setting[i].n > 0 && settings->setting[i].option->kind != SPAR__OPTION_SWITCH;
    spar_status status =
        spar__experiment_of(settings, any ? SPAR_EXPERIMENT_WRITE : SPAR_EXPERIMENT_READ, &experiment, err);
    if (!status)
        status = change(settings, experiment, err);
    if (!status)
        print_settings(experiment, spar__setting_number(settings, "json") != 0, out);
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {
    {.name = "question",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "Q",
     .help = "what people are asked; '' for no question",
     .may_be_empty = true},
    SPAR__COUNT_OPTION("m", "M", NULL, SPAR__SCREEN_LEAST, SPAR__SCREEN_MOST,
                       "options on a screen, until the first one is asked"),
    SPAR__CHOICE_OPTION("results", "R", NULL, "managers|after_vote|public", "who may see the standings on the web"),
    SPAR__CHOICE_OPTION("access", "A", NULL, "open|invited", "who may vote on the web"),
    SPAR__SWITCH_OPTION("json", "print the settings as JSON"),
    {.name = NULL},
};

static const spar__fixed_option fixed[] = {{"space", spar__axes_fixed}, {.name = NULL}};

const spar__command spar__command_set = {
    .name = "set",
    .brief = "Show the settings of an experiment, or change them",
    .operands = "FILE [OPTIONS]",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .fixed = fixed,
    .example = "spar set tea.db --question 'Which tea do you like best?'",
    .run = set,
};
