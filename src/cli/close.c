/* close.c - spar close: no more screens. */
#include "cli/common.h"
#include "cli/experiment.h"

static spar_status close_it(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = spar_experiment_end(experiment, err);
    if (!status) {
        size_t open = spar_experiment_open_screens(experiment, NULL, 0, NULL);
        spar__buf_printf(out, "closed; %zu open %s may still be answered\n", open, open == 1 ? "screen" : "screens");
    }
    spar_experiment_close(experiment);
    return status;
}

static const spar__option close_options[] = {{.name = NULL}};

const spar__command spar__command_close = {
    .name = "close",
    .brief = "Close an experiment: no more screens; answers to open ones are still taken",
    .operands = "FILE",
    .max_operands = 1,
    .options = close_options,
    .example = "spar close tea.db",
    .run = close_it,
};

/* Spar reopen: an experiment that was closed goes on. */

static spar_status reopen(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = spar_experiment_reopen(experiment, err);
    if (!status)
        spar__buf_adds(out, "open again\n");
    spar_experiment_close(experiment);
    return status;
}

static const spar__option reopen_options[] = {{.name = NULL}};

const spar__command spar__command_reopen = {
    .name = "reopen",
    .brief = "Open a closed experiment again",
    .operands = "FILE",
    .max_operands = 1,
    .options = reopen_options,
    .example = "spar reopen tea.db",
    .run = reopen,
};
