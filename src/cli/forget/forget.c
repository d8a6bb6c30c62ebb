/* forget.c - spar forget: what a person wrote goes, the answers stay. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

static spar_status forget(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    size_t removed = 0;
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = spar_experiment_forget(experiment, settings->operand[1], &removed, err);
    if (!status && removed == 0) /* an earlier call had to leave old bytes behind */
        spar__buf_adds(out, "completed: nothing is left in the file of what was removed before\n");
    else if (!status)
        spar__buf_printf(out, "forgotten: %zu %s removed from the file; the answers stay, under a number\n", removed,
                         removed == 1 ? "text" : "texts");
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {{.name = NULL}};

const spar__command spar__command_forget = {
    .name = "forget",
    .brief = "Remove the name and the comments of a voter",
    .operands = "FILE VOTER",
    .max_operands = 2,
    .options = options,
    .notes =
        "The texts are nowhere in the file afterwards, and 'spar verify' still holds. Backups and exports that were\n"
        "made before still have them. While another program reads the file, old bytes of the texts stay in it; the "
        "command\n"
        "fails then, and completes its work when it is run again.",
    .example = "spar forget tea.db ann",
    .run = forget,
};
