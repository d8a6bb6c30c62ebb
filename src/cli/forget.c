/* forget.c - spar forget: what a person wrote goes, the answers stay. */
#include "cli/common.h"
#include "cli/experiment.h"

static spar_status forget(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    return spar__remove_texts(settings, spar_experiment_forget, "forgotten", "the answers stay, under a number", out,
                              err);
}

static const spar__option forget_options[] = {{.name = NULL}};

const spar__command spar__command_forget = {
    .name = "forget",
    .brief = "Remove the name and the comments of a voter",
    .operands = "FILE VOTER",
    .max_operands = 2,
    .options = forget_options,
    .notes =
        "The texts are nowhere in the file afterwards, and 'spar verify' still holds. Backups and exports that were\n"
        "made before still have them. While another program reads the file, old bytes of the texts stay in it; the "
        "command\n"
        "fails then, and completes its work when it is run again.",
    .example = "spar forget tea.db ann",
    .run = forget,
};

/* Spar redact: the texts of an option, or of an item, go. */

static spar_status redact(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    bool item = spar__setting_number(settings, "item") != 0;
    return spar__remove_texts(settings, item ? spar_experiment_redact_item : spar_experiment_redact, "redacted",
                              "the answers stay", out, err);
}

static const spar__option redact_options[] = {
    SPAR__SWITCH_OPTION("item", "what is named is an item: its id, prompt, group and outputs go"),
    {.name = NULL},
};

const spar__command spar__command_redact = {
    .name = "redact",
    .brief = "Remove id, title, text and image of a retired option, or all texts of an item",
    .operands = "FILE NAME [OPTIONS]",
    .max_operands = 2,
    .options = redact_options,
    .notes = "Retire the option first ('spar retire'); its outputs in items go with it. An item is shown no more.\n"
             "All versions are nowhere in the file afterwards, and\n"
             "'spar verify' still holds. Backups and exports that were made before still have them.\n"
             "While another program reads the file, old bytes of the texts stay in it; the command fails then, and\n"
             "completes its work when it is run again.",
    .example = "spar redact tea.db Sencha",
    .run = redact,
};
