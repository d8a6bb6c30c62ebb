/* paper.c - spar paper: every experiment, figure and claim of the paper. */
#include "paper/paper.h"
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static spar_status split_swap(const char *swap, char **from, spar__paper_options *options, spar_error *err)
{
    if (!swap)
        return SPAR_OK;
    *from = spar__strdup(swap);
    if (!*from)
        return spar__fail_memory(err);
    char *equals = *from;
    for (int depth = 0; *equals && (*equals != '=' || depth > 0); equals++) /* parameters contain equals signs too */
        depth += (*equals == '(') - (*equals == ')');
    if (!*equals || equals == *from || !equals[1])
        return spar__fail(err, SPAR_INVALID, "--swap %s: expected POLICY=OTHER, as in ind_self_sparring=random", swap);
    *equals = '\0';
    options->swap_from = *from;
    options->swap_to = equals + 1;
    return SPAR_OK;
}

static spar_status write_file(void *context, const char *name, bool is_figure, const spar__buf *content,
                              spar_error *err)
{
    const char *const *dir = context;
    return is_figure ? spar__outdir_print(*dir, name, content, err) : spar__outdir_write(*dir, name, content, err);
}

static spar_status report(const spar__paper *paper, const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    spar__buf command = {0};
    /* The command that gives the same report; threads and directories make no difference. */
    spar__buf_adds(&command, "spar paper");
    if (paper->options.figure)
        spar__buf_printf(&command, " --figure %s", paper->options.figure);
    if (paper->options.quick)
        spar__buf_adds(&command, " --quick");
    if (paper->options.data)
        spar__buf_adds(&command, " --data DIR");
    if (paper->options.swap_from)
        spar__buf_printf(&command, " --swap '%s=%s'", paper->options.swap_from, paper->options.swap_to);
    spar__buf_printf(&command, " --seed %" PRIu64, paper->options.seed);
    spar_status status = command.failed ? spar__fail_memory(err) : spar__owner_sign(dir, settings, err);
    if (!status)
        status = spar__paper_report(paper, command.text, write_file, &dir, err);
    spar__buf_free(&command);
    if (status)
        return status;
    if (spar__setting_number(settings, "json")) {
        spar__paper_json(paper, out);
    } else {
        spar__paper_text(paper, spar__output_styled(), spar__output_width(), out);
        spar__buf_printf(out, "%.0f s of CPU time for %zu cells, %zu of them found in %s\n", paper->seconds,
                         paper->n_cells, paper->found, paper->options.cells);
        spar__buf_printf(out, "report: %s/index.html\n", dir);
    }
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

/* The context is the sweep. */
static spar_status play(void *context, const spar__cell_list *cells, spar_error *err)
{
    spar__sweeping *sweeping = context;
    return spar__sweeping_play(sweeping, cells, err);
}

static spar_status play_and_report(const spar__paper_options *wanted, spar__sweeping *sweeping, spar__buf *out,
                                   spar_error *err)
{
    spar__paper *paper = NULL;
    spar_status status = spar__owner_check(sweeping->out, sweeping->settings, err);
    if (!status)
        status = spar__outdir_make(wanted->cells, err);
    if (!status)
        status = spar__paper_new(wanted, &paper, err);
    if (!status) {
        spar__progress_line progress;
        spar__progress_begin(&progress, "");
        progress.unit = NULL;
        sweeping->sweep.progress = spar__progress_show;
        sweeping->sweep.context = &progress;
        paper->options.player = play;
        paper->options.context = sweeping;
        status = spar__paper_run(paper, err);
        spar__progress_end(&progress);
    }
    if (!status && sweeping->reports && paper->interrupted)
        status = spar__fail(err, SPAR_INTERRUPTED,
                            "interrupted; %zu of %zu cells are complete and kept, the same command goes on from there",
                            paper->n_done, paper->n_cells);
    else if (!status && sweeping->reports)
        status = report(paper, sweeping->settings, out, err);
    spar__paper_free(paper);
    return status;
}

static spar_status run(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar__buf cells = {0};
    char *from = NULL;
    spar__sweeping sweeping;
    spar__paper_options wanted = {.figure = spar__setting_text(settings, "figure"),
                                  .quick = spar__setting_number(settings, "quick"),
                                  .data = spar__setting_text(settings, "data"),
                                  .seed = spar__setting_number(settings, "seed"),
                                  .threads = (size_t)spar__setting_number(settings, "threads")};
    spar_status status = split_swap(spar__setting_text(settings, "swap"), &from, &wanted, err);
    if (!status)
        status = spar__check_out(settings, err);
    if (!status)
        status = spar__outdir_path(spar__setting_text(settings, "out"), "cells", &cells, err);
    wanted.cells = cells.text;
    if (!status) {
        status = spar__sweeping_begin(&sweeping, settings, out, err);
        sweeping.quiet = true;
        if (!status)
            status = play_and_report(&wanted, &sweeping, out, err);
        status = spar__sweeping_end(&sweeping, status, true, err);
    }
    spar__buf_free(&cells);
    spar__free(from);
    return status;
}

static void list_figures(spar__buf *out)
{
    spar__buf_adds(out, "figures:\n");
    for (size_t i = 0; i < spar__n_paper_figures; i++)
        spar__buf_printf(out, "  %-14s %s\n", spar__paper_figures[i].name, spar__paper_figures[i].title);
}

static const spar__option options[] = {
    {.name = "figure",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "NAME",
     .help = "only this figure, and the claims that it decides (default: all)"},
    {.name = "quick", .kind = SPAR__OPTION_SWITCH, .help = "fewer runs: a minute instead of a quarter of an hour"},
    {.name = "data",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "DIR",
     .help = "directory with LETOR files or a preference matrix, for the figure rankers (default: generated data)"},
    SPAR__OPTION_THREADS,
    SPAR__OPTION_SEED,
    {.name = "out",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "DIR",
     .standard = "out/paper",
     .help = "directory for the report, figures, tables and finished cells"},
    {.name = "swap",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "P=Q",
     .help = "run policy Q in place of P, to see which claims then hold"},
    SPAR__OPTION_PART,
    SPAR__OPTION_PLAN_ONLY,
    SPAR__OPTION_JSON,
    {.name = NULL},
};

const spar__command spar__command_paper = {
    .name = "paper",
    .brief = "Run every experiment of the paper and judge its claims",
    .operands = "[--figure NAME] [--quick] [OPTIONS]",
    .options = options,
    .notes =
        "The report is DIR/index.html. Finished cells (one policy in one setting) are kept in DIR/cells: after an\n"
        "interruption the same command continues, and only cells whose setting has changed are computed again.",
    .more_help = list_figures,
    .example = "spar paper --quick",
    .run = run,
};
