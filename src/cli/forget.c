/* forget.c - spar forget and spar redact: what a person wrote, or the texts of an option or an item, go; the answers
 * stay. */
#include "base/buf.h"
#include "cli/experiment.h"

typedef spar_status text_remover(spar_experiment *experiment, const char *name, size_t *removed, spar_error *err);

/* Of what the second operand names. */
static spar_status remove_texts(const spar__settings *settings, spar_experiment *experiment, text_remover *remove,
                                const char *word, const char *the_rest, spar__buf *out, spar_error *err)
{
    size_t removed = 0;
    spar_status status = remove(experiment, settings->operand[1], &removed, err);
    if (!status && removed == 0) /* an earlier call had to leave old bytes behind */
        spar__buf_adds(out, "completed: nothing is left in the file of what was removed before\n");
    else if (!status)
        spar__buf_printf(out, "%s: %zu text%s removed from the file; %s\n", word, removed, spar__plural(removed),
                         the_rest);
    return status;
}

static spar_status forget(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    return remove_texts(settings, experiment, spar_experiment_forget, "forgotten", "the answers stay, under a number",
                        out, err);
}

const spar__command spar__command_forget = {
    .name = "forget",
    .brief = "Remove the name and the comments of a voter",
    .operands = "FILE VOTER",
    .min_operands = 2,
    .max_operands = 2,
    .notes =
        "The texts are nowhere in the file afterwards, and 'spar verify' still holds. Backups and exports that were\n"
        "made before still have them. While another program reads the file, old bytes of the texts stay in it; the "
        "command\n"
        "fails then, and completes its work when it is run again.",
    .example = "spar forget tea.db ann",
    .run = spar__with_experiment,
    .act = forget,
};

static spar_status redact(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    bool item = spar__setting_number(settings, "item") != 0;
    return remove_texts(settings, experiment, item ? spar_experiment_redact_item : spar_experiment_redact, "redacted",
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
    .min_operands = 2,
    .max_operands = 2,
    .options = redact_options,
    .notes = "Retire the option first ('spar retire'); its outputs in items go with it. An item is shown no more.\n"
             "All versions are nowhere in the file afterwards, and\n"
             "'spar verify' still holds. Backups and exports that were made before still have them.\n"
             "While another program reads the file, old bytes of the texts stay in it; the command fails then, and\n"
             "completes its work when it is run again.",
    .example = "spar redact tea.db Sencha",
    .run = spar__with_experiment,
    .act = redact,
};
