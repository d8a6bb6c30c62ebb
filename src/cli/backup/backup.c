/* backup.c - spar backup: a copy while it is in use. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

static spar_status backup(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_READ, &experiment, err);
    if (!status)
        status = spar_experiment_backup(experiment, settings->operand[1], err);
    if (!status) {
        spar__buf_add_printable(out, settings->operand[1]);
        spar__buf_adds(out, ": a copy of all experiments in ");
        spar__buf_add_printable(out, settings->operand[0]);
        spar__buf_adds(out, "\n");
    }
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {{.name = NULL}};

const spar__command spar__command_backup = {
    .name = "backup",
    .brief = "Copy the file of an experiment, also while it is in use",
    .operands = "FILE TO",
    .max_operands = 2,
    .options = options,
    .notes = "TO must not be there. The copy is whole, and readable by its owner only, as it holds names and keys.",
    .example = "spar backup tea.db tea-copy.db",
    .run = backup,
};
