/* redact.c - spar redact: the text and the image of an option go. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

static spar_status redact(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    size_t removed = 0;
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status)
        status = spar_experiment_redact(experiment, settings->operand[1], &removed, err);
    if (!status && removed == 0) /* an earlier call had to leave old bytes behind */
        spar__buf_adds(out, "completed: nothing is left in the file of what was removed before\n");
    else if (!status)
        spar__buf_printf(out, "redacted: %zu %s removed from the file; the answers stay\n", removed,
                         removed == 1 ? "text" : "texts");
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {{.name = NULL}};

const spar__command spar__command_redact = {
    .name = "redact",
    .brief = "Remove id, title, text and image of a retired option",
    .operands = "FILE OPTION",
    .max_operands = 2,
    .options = options,
    .notes = "Retire the option first ('spar retire'). All its versions are nowhere in the file afterwards, and\n"
             "'spar verify' still holds. Backups and exports that were made before still have them.\n"
             "While another program reads the file, old bytes of the texts stay in it; the command fails then, and\n"
             "completes its work when it is run again.",
    .example = "spar redact tea.db Sencha",
    .run = redact,
};
