/* retire.c - spar retire: options that are not shown any more. */
#include "cli/common.h"
#include "cli/experiment.h"

static spar_status retire(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    for (size_t i = 1; i < settings->n_operands && !status; i++) /* all or none */
        if (!spar_experiment_axes(experiment) && spar_experiment_find(experiment, settings->operand[i]) == SPAR_NO_ARM)
            status = spar__fail(err, SPAR_UNKNOWN, "%s: there is no option '%.80s'", spar_experiment_place(experiment),
                                settings->operand[i]);
    for (size_t i = 1; i < settings->n_operands && !status; i++) {
        status = spar_experiment_retire(experiment, settings->operand[i], err);
        if (!status) {
            spar__buf_add_printable(out, settings->operand[i]);
            spar__buf_adds(out, " is retired\n");
        }
    }
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {{.name = NULL}};

const spar__command spar__command_retire = {
    .name = "retire",
    .brief = "Show options no more; answers about them that come later are kept",
    .operands = "FILE OPTION ...",
    .max_operands = 10001,
    .options = options,
    .notes = "To retire an option that is still in the running makes later statements harder, once.",
    .example = "spar retire tea.db Sencha",
    .run = retire,
};
