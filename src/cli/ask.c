/* ask.c - spar ask: what to show next. */
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/terminal.h"

#include <string.h>

static spar_status print_screen(spar_experiment *experiment, const spar_screen *screen, bool as_json, spar__buf *out,
                                spar_error *err)
{
    if (!as_json) {
        spar__screen_text(experiment, screen, spar__output_width(), spar__output_styled(), out);
        return SPAR_OK;
    }
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar_status status = spar__screen_json(experiment, screen, &json, err);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return status;
}

static spar_status ask_once(const spar__settings *settings, spar_experiment *experiment, spar__buf *out,
                            spar_error *err)
{
    const char *voter = spar__setting_text(settings, "voter");
    spar_screen *screen = NULL;
    spar_status status = spar_experiment_ask(experiment, voter ? voter : "", &screen, err);
    if (!status)
        status = print_screen(experiment, screen, spar__setting_number(settings, "json") != 0, out, err);
    spar_screen_free(screen);
    return status;
}

static spar_status ask(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    if (settings->n_operands == 2 && strcmp(settings->operand[1], "-") != 0)
        return spar__fail(err, SPAR_INVALID, "ask: did not expect '%.80s'; usage: spar ask %s", settings->operand[1],
                          settings->command->operands);
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status && settings->n_operands == 2)
        status = spar__pipe_run(experiment, "ask", spar__setting_text(settings, "voter"), err);
    else if (!status)
        status = ask_once(settings, experiment, out, err);
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__OPTION_VOTER,
    SPAR__SWITCH_OPTION("json", "print one line of JSON"),
    {.name = NULL},
};

const spar__command spar__command_ask = {
    .name = "ask",
    .brief = "Ask for a screen: which options somebody should compare next",
    .operands = "FILE [-] [OPTIONS]",
    .max_operands = 2,
    .options = options,
    .notes =
        "The screen has a number, under which 'spar tell' takes the answer, today or in a week.\n"
        "'spar ask FILE -' reads requests from standard input, one JSON object a line, and answers\n"
        "each with a line, until the input ends (doc/experiments.md):\n"
        "  {\"do\":\"ask\",\"voter\":\"ann\"}   {\"do\":\"tell\",\"screen\":1,\"winner\":\"A\"}   {\"do\":\"status\"}",
    .example = "spar ask tea.db --voter ann --json",
    .run = ask,
};
