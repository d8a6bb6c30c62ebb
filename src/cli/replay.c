/* replay.c - spar replay: the state from the log alone. */
#include "cli/common.h"
#include "cli/experiment.h"

#include <inttypes.h>

static spar_status replay(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar__share_line line;
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &experiment, err);
    if (!status) {
        spar__share_begin(&line, "replay ");
        status = spar_experiment_replay(experiment, spar__share_show, &line, err);
        spar__share_end(&line);
    }
    if (!status)
        spar__buf_printf(out, "%" PRIu64 " events replayed: the state is the same\n",
                         spar_experiment_sequence(experiment));
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {{.name = NULL}};

const spar__command spar__command_replay = {
    .name = "replay",
    .brief = "Compute the state from the log again, compare, and write new snapshots",
    .operands = "FILE",
    .max_operands = 1,
    .options = options,
    .notes =
        "The log is the truth; the state that is kept beside it only makes starting faster. If the two differ, the\n"
        "command says so and ends with status 1.",
    .example = "spar replay tea.db",
    .run = replay,
};
