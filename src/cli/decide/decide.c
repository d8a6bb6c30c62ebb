/* decide.c - spar decide: what may be concluded from votes collected anywhere. */
#include "cli/decide/decide.h"
#include "base/file.h"
#include "base/number.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/progress.h"

#include <string.h>

static spar_status read_number(const spar__settings *settings, const char *name, double above, double most, bool closed,
                               double *out, spar_error *err)
{
    const char *text = spar__setting_text(settings, name);
    if (spar__parse_double(text, out) && *out > above && (*out < most || (closed && *out == most)))
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a number above %g, %s %g",
                      spar__setting_of(settings, name)->origin, text, above, closed ? "at most" : "below", most);
}

static spar_status make_settings(const spar__settings *settings, spar_decision_settings *out, spar_error *err)
{
    *out = (spar_decision_settings){.size = sizeof *out, .first_only = spar__setting_is(settings, "voters", "first")};
    spar_status status = read_number(settings, "delta", 0, 1, false, &out->delta, err);
    return status ? status : read_number(settings, "eps", 0, 20, true, &out->eps, err);
}

static spar_status check_files(const spar__settings *settings, spar_error *err)
{
    static const char *const written[] = {"decide.json", "decide.svg", "decide.png", "standings.svg", "standings.png"};
    const char *plot = spar__setting_text(settings, "plot"), *dir = spar__setting_text(settings, "out");
    if (plot && strcmp(plot, "-") == 0)
        return spar__fail(err, SPAR_INVALID, "decide: --plot takes a file, not '-'");
    spar_status status = spar__check_out(settings, err);
    if (!status)
        status = spar__target_check(settings->operand[0], plot, err);
    if (!status)
        status = spar__target_check_dir(settings->operand[0], dir, sizeof written / sizeof *written, written, err);
    return !status && dir ? spar__outdir_make(dir, err) : status;
}

static spar_status write_standings(const char *dir, const spar__decide_report *report, spar_error *err)
{
    spar__buf svg = {0};
    spar_status status = spar__decide_plot_standings(report, &svg) ? spar__fail_memory(err)
                                                                   : spar__outdir_plot(dir, "standings", &svg, err);
    spar__buf_free(&svg);
    return status;
}

static spar_status write_files(const spar__settings *settings, const spar__decide_report *report, spar_error *err)
{
    const char *plot = spar__setting_text(settings, "plot"), *dir = spar__setting_text(settings, "out");
    spar__buf svg = {0}, json = {0};
    if (!plot && !dir)
        return SPAR_OK;
    spar__decide_json(report, &json);
    spar_status status = spar__decide_plot(report, &svg) || json.failed ? spar__fail_memory(err) : SPAR_OK;
    if (!status && plot)
        status = spar__file_write(plot, svg.text, svg.length, err);
    if (!status && dir)
        status = spar__outdir_write(dir, "decide.json", &json, err);
    if (!status && dir)
        status = spar__outdir_plot(dir, "decide", &svg, err);
    if (!status && dir && report->standings.standings)
        status = write_standings(dir, report, err);
    spar__buf_free(&svg);
    spar__buf_free(&json);
    return status;
}

static spar_status check_voters(const spar__decide_report *report, spar_error *err)
{
    const spar__votes *votes = &report->votes;
    if (report->settings.first_only && !report->log && votes->n && !votes->one_each && !votes->voters.n)
        return spar__fail(err, SPAR_INVALID,
                          "%s: --voters first needs the names of voters: a column 'judge', or --columns voter=NAME",
                          report->source);
    return SPAR_OK;
}

static spar_status decide(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "decide: a file with votes is needed ('-' is standard input)");
    spar__decide_report report = {0};
    spar__votes_columns columns = {0};
    spar_status status = make_settings(settings, &report.settings, err);
    if (!status)
        status = spar__columns_of(settings, &columns, err);
    if (!status)
        status = check_files(settings, err);
    if (!status)
        status =
            spar__decide_read(settings->operand[0], spar__setting_text(settings, "format"), &columns, &report, err);
    if (!status)
        status = check_voters(&report, err);
    if (!status)
        status = spar__decide_judge(&report, err);
    if (!status)
        status = spar__decide_stand(&report, spar__standings_how_of(spar__setting_text(settings, "standings")), err);
    if (!status && spar__setting_number(settings, "json"))
        spar__decide_json(&report, out);
    else if (!status)
        spar__decide_text(&report, spar__layout_of_output(), out);
    spar__stop_catch(); /* files are written whole; until here a signal ends the command at once */
    if (!status)        /* printed even if a file cannot be written */
        status = write_files(settings, &report, err);
    spar__decide_report_free(&report);
    return status;
}

static const spar__option options[] = {
    {.name = "delta",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "D",
     .standard = "0.05",
     .help = "a false statement is made with at most this probability"},
    {.name = "eps",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "E",
     .standard = "0.2",
     .help = "what is practically the same, in log-odds"},
    SPAR__CHOICE_OPTION("voters", "WHICH", "all", "all|first",
                        "count all votes, or of each voter the first on each pair (and item)"),
    SPAR__OPTION_COLUMNS,
    SPAR__CHOICE_OPTION("format", "F", "auto", "auto|arena|lines|counts|preflib|csv|log", "the form of the file"),
    SPAR__OPTION_STANDINGS,
    SPAR__TEXT_OPTION("plot", "FILE.svg", "also write a picture there"),
    SPAR__TEXT_OPTION("out", "DIR", "also write decide.json, decide.svg, decide.png and the standings there"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_decide = {
    .name = "decide",
    .brief = "Say what may be concluded from votes: which option is best, or what is still open",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "FILE ('-' is standard input) holds votes in one of these forms:\n"
             "  arena    CSV with a header, or JSON objects: model_a, model_b, winner (model_a, model_b, tie,\n"
             "           tie (bothbad) or the winner's name; empty: skipped), and the voter in judge\n"
             "  lines    A > B    A = B    A > B = C > D\n"
             "  counts   a square of win counts: how often the row was preferred to the column\n"
             "  preflib  soc, soi, toc, toi from preflib.org\n"
             "  csv      rows of 'spar export --format csv', or with shown, kind and answer only\n"
             "  log      a live experiment (tea.db), or a log that 'spar export' wrote\n"
             "Rows and lines are votes in the order they were given. Small ones:\n"
             "  printf 'tea > coffee\\ntea > juice\\n' | spar decide -",
    .example = "spar decide votes-arena.csv --plot votes.svg",
    .run = decide,
};
