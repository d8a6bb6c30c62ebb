/* status.c - spar status: what may be concluded from the answers so far. */
#include "cli/status/status.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/target.h"

#include <string.h>

static spar_status write_plot(const char *path, const spar__status_report *report, spar_error *err)
{
    spar__buf svg = {0};
    spar_status status = spar__status_plot(report, &svg) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__file_write(path, svg.text, svg.length, err);
    spar__buf_free(&svg);
    return status;
}

static spar_status print(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    spar__status_report report;
    bool without = spar__setting_text(settings, "without") != NULL;
    const char *plot = spar__setting_text(settings, "plot");
    if (spar__setting_number(settings, "json")) {
        spar__json json = {.out = out};
        spar__json_begin_object(&json);
        spar_status status = spar__status_json(experiment, without, &json, err);
        spar__json_end_object(&json);
        spar__buf_adds(out, "\n");
        if (status || !plot)
            return status;
    }
    spar_status status = spar__status_make(experiment, without, &report, err);
    if (status)
        return status;
    if (!spar__setting_number(settings, "json"))
        spar__status_text(&report, spar__layout_of_output(), out);
    if (plot) /* the text is printed even if this fails */
        status = write_plot(plot, &report, err);
    spar__status_free(&report);
    return status;
}

static spar_status status_of(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    if (spar__setting_is(settings, "plot", "-"))
        return spar__fail(err, SPAR_INVALID, "status: --plot takes a file, not '-'");
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status)
        status = spar__target_check(settings->operand[0], spar__setting_text(settings, "plot"), err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_READ, &experiment, err);
    if (!status)
        status = print(settings, experiment, out, err);
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__CHOICE_OPTION("without", "WHICH", NULL, "flagged", "leave these answers out"),
    SPAR__TEXT_OPTION("plot", "FILE.svg", "also write a picture there"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_status = {
    .name = "status",
    .brief = "Say what may be concluded from the answers so far, and what is still open",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "Look as often as you like: a statement is false with at most 5 % probability over the whole experiment\n"
             "(doc/deciding.md).",
    .example = "spar status tea.db",
    .run = status_of,
};
