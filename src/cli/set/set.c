/* set.c - spar set: what can be changed while an experiment runs. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"
#include "live/text_limits.h"
#include "live/live.h"

#include <string.h>

static spar_results_for results_of(const char *name)
{
    return strcmp(name, "public") == 0       ? SPAR_RESULTS_PUBLIC
           : strcmp(name, "after_vote") == 0 ? SPAR_RESULTS_AFTER_VOTE
                                             : SPAR_RESULTS_MANAGERS;
}

static spar_status change(const spar__settings *settings, spar_experiment *experiment, spar_error *err)
{
    const char *question = spar__setting_text(settings, "question"), *results = spar__setting_text(settings, "results"),
               *access = spar__setting_text(settings, "access");
    uint64_t m = spar__setting_number(settings, "m");
    spar_status status =
        question ? spar_experiment_set_question(experiment, *question ? question : NULL, err) : SPAR_OK;
    if (!status && m)
        status = spar_experiment_set_slots(experiment, (size_t)m, err);
    if (!status && results)
        status = spar_experiment_set_results(experiment, results_of(results), err);
    if (!status && access)
        status = spar_experiment_set_access(experiment,
                                            strcmp(access, "open") == 0 ? SPAR_ACCESS_OPEN : SPAR_ACCESS_INVITED, err);
    return status;
}

static const char *results_name(const spar_experiment *experiment)
{
    static const char *const name[] = {"managers", "after_vote", "public"};
    return name[spar_experiment_results(experiment)];
}

static const char *access_name(const spar_experiment *experiment)
{
    return spar_experiment_access(experiment) == SPAR_ACCESS_OPEN ? "open" : "invited";
}

static void print_json(const spar_experiment *experiment, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "question", spar_experiment_question(experiment));
    spar__json_add_unsigned(&json, "m", spar_experiment_slots(experiment));
    spar__json_add_string(&json, "results", results_name(experiment));
    spar__json_add_string(&json, "access", access_name(experiment));
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static void print_settings(const spar_experiment *experiment, spar__buf *out)
{
    const char *question = spar_experiment_question(experiment);
    spar__buf_adds(out, "question  ");
    spar__buf_add_printable(out, question ? question : "(none)");
    spar__buf_printf(out, "\nm         %zu\nresults   %s\naccess    %s\n", spar_experiment_slots(experiment),
                     results_name(experiment), access_name(experiment));
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
    if (!status && spar__setting_number(settings, "json"))
        print_json(experiment, out);
    else if (!status)
        print_settings(experiment, out);
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
    .max_operands = 1,
    .options = options,
    .fixed = fixed,
    .example = "spar set tea.db --question 'Which tea do you like best?'",
    .run = set,
};
