/* status.c - spar status: what may be concluded from the answers so far. */
#include "cli/status/status.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "cli/outdir.h"
#include "cli/progress.h"

/* A picture into a file, or as name.svg and name.png into a folder; nothing where both are NULL. */
static spar_status write_plot(const spar__status_report *report, bool standings, const char *path, const char *dir,
                              spar_error *err)
{
    spar__buf svg = {0};
    if (!path && !dir)
        return SPAR_OK;
    spar_status status =
        (standings ? spar__status_plot_standings : spar__status_plot)(report, &svg) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && path)
        status = spar__file_write(path, svg.text, svg.length, err);
    if (!status && dir)
        status = spar__outdir_plot(dir, standings ? "standings" : "status", &svg, err);
    spar__buf_free(&svg);
    return status;
}

static void add_json(const spar__status_report *report, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__status_members(report, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static spar_status write_files(const spar__settings *settings, const spar__status_report *report, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    spar__buf json = {0};
    spar_status status = write_plot(report, false, spar__setting_text(settings, "plot"), dir, err);
    if (!status && dir && report->standings.standings)
        status = write_plot(report, true, NULL, dir, err);
    if (!status && dir) {
        add_json(report, &json);
        status = json.failed ? spar__fail_memory(err) : spar__outdir_write(dir, "status.json", &json, err);
    }
    spar__buf_free(&json);
    return status;
}

static spar_status print(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    spar__status_report report;
    spar__standings_how how = spar__standings_how_of(spar__setting_text(settings, "standings"));
    spar_status status =
        spar__status_make(experiment, spar__setting_text(settings, "without") != NULL, how, &report, err);
    if (status)
        return status;
    if (spar__setting_number(settings, "json"))
        add_json(&report, out);
    else
        spar__status_text(&report, spar__layout_of_output(), out);
    spar__stop_catch();                           /* files are written whole */
    status = write_files(settings, &report, err); /* the text is printed even if this fails */
    spar__status_free(&report);
    return status;
}

static spar_status check_files(const spar__settings *settings, spar_error *err)
{
    static const char *const written[] = {"status.json", "status.svg", "status.png", "standings.svg", "standings.png"};
    const char *dir = spar__setting_text(settings, "out");
    if (spar__setting_is(settings, "plot", "-"))
        return spar__fail(err, SPAR_INVALID, "status: --plot takes a file, not '-'");
    spar_status status = spar__check_out(settings, err);
    if (!status)
        status = spar__target_check(settings->operand[0], spar__setting_text(settings, "plot"), err);
    if (!status)
        status = spar__target_check_dir(settings->operand[0], dir, sizeof written / sizeof *written, written, err);
    return status;
}

static spar_status status_of(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    const char *dir = spar__setting_text(settings, "out");
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status)
        status = check_files(settings, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_READ, &experiment, err);
    if (!status && dir)
        status = spar__outdir_make(dir, err);
    if (!status)
        status = print(settings, experiment, out, err);
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__OPTION_STANDINGS,
    SPAR__CHOICE_OPTION("without", "WHICH", NULL, "flagged", "leave these answers out"),
    SPAR__TEXT_OPTION("plot", "FILE.svg", "also write a picture there"),
    SPAR__TEXT_OPTION("out", "DIR", "also write status.json, status.svg, status.png and the standings there"),
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
