/* close.c - spar close and spar reopen: no more screens, and screens again. */
#include "base/buf.h"
#include "cli/experiment.h"

static spar_status close_it(const spar__settings *settings, spar_experiment *experiment, spar__buf *out,
                            spar_error *err)
{
    (void)settings;
    spar_status status = spar_experiment_end(experiment, err);
    size_t open = spar_experiment_open_screens(experiment, NULL, 0, NULL);
    if (!status)
        spar__buf_printf(out, "closed; %zu open screen%s may still be answered\n", open, spar__plural(open));
    return status;
}

const spar__command spar__command_close = {
    .name = "close",
    .brief = "Close an experiment: no more screens; answers to open ones are still taken",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .example = "spar close tea.db",
    .run = spar__with_experiment,
    .act = close_it,
};

static spar_status reopen(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    (void)settings;
    spar_status status = spar_experiment_reopen(experiment, err);
    if (!status)
        spar__buf_adds(out, "open again\n");
    return status;
}

const spar__command spar__command_reopen = {
    .name = "reopen",
    .brief = "Open a closed experiment again",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .example = "spar reopen tea.db",
    .run = spar__with_experiment,
    .act = reopen,
};
