/* reopen.c - spar reopen: an experiment that was closed goes on. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

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

static const spar__option options[] = {{.name = NULL}};

const spar__command spar__command_reopen = {
    .name = "reopen",
    .brief = "Open a closed experiment again",
    .operands = "FILE",
    .max_operands = 1,
    .options = options,
    .example = "spar reopen tea.db",
    .run = reopen,
};
