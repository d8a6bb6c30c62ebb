/* redact.c - spar redact: the text and the image of an option go. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

static spar_status redact(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return spar__remove_texts(settings, spar_experiment_redact, "redacted", "the answers stay", out, err);
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
