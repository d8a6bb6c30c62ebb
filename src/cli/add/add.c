/* add.c - spar add: more options, or new versions of old ones. */
#include "cli/common.h"
#include "cli/experiment/experiment.h"

typedef struct option_adder {
    spar_experiment *experiment;
    size_t added, changed;
} option_adder;

static spar_status take_option(void *context, const spar_option *option, spar_error *err)
{
    option_adder *adder = context;
    bool known = spar_experiment_find(adder->experiment, spar_option_id(option)) != SPAR_NO_ARM;
    spar_status status = spar_experiment_add(adder->experiment, option, NULL, err);
    adder->added += !status && !known;
    adder->changed += !status && known;
    return status;
}

static spar_status add(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    option_adder adder = {0};
    if (settings->n_operands == 1 && !spar__setting_text(settings, "options"))
        return spar__fail(err, SPAR_INVALID, "add: name an option, or a file with --options");
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &adder.experiment, err);
    if (!status)
        status = spar__each_option(settings, 1, take_option, &adder, err);
    if (adder.added + adder.changed && status)
        spar__note("%zu options were added or changed before this error", adder.added + adder.changed);
    if (!status)
        spar__buf_printf(out, "%zu added, %zu changed; there are %zu now\n", adder.added, adder.changed,
                         spar_experiment_options(adder.experiment));
    spar_experiment_close(adder.experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__OPTION_OPTIONS,
    {.name = NULL},
};

const spar__command spar__command_add = {
    .name = "add",
    .brief = "Add options to an experiment, or change the title, the text or the image of one",
    .operands = "FILE [OPTION ...] [OPTIONS]",
    .max_operands = 10001,
    .options = options,
    .notes = "An option whose id is there already becomes a new version of that one and keeps its answers.\n"
             "After an option is added, 'best' holds again only when the newcomer has been compared enough.",
    .example = "spar add tea.db Oolong",
    .run = add,
};
