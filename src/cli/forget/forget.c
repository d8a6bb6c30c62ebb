/* forget.c - spar forget: what a person wrote goes, the answers stay. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

static spar_status forget(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return spar__remove_texts(settings, spar_experiment_forget, "forgotten", "the answers stay, under a number", out,
                              err);
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
