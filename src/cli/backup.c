/* backup.c - spar backup: a copy while it is in use. */
#include "base/alloc.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "store/store.h"

/* Of the whole store: no experiment needs to be named, and none is read. */
static spar_status copy(const char *place, const char *to, spar_error *err)
{
    char *path = NULL, *name = NULL;
    spar__store *store = NULL;
    uint64_t experiment;
    spar_status status = spar__store_split(place, &path, &name, err);
    if (!status)
        status = spar__store_open(path, SPAR__STORE_READ, &store, err);
    if (!status && name)
        status = spar__store_find(store, name, &experiment, err);
    if (!status)
        status = spar__store_backup(store, to, err);
    spar__store_close(store);
    spar__free(path);
    spar__free(name);
    return status;
}

static spar_status backup(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_status status = spar__need_operands(settings, 2, err);
    if (!status)
        status = copy(settings->operand[0], settings->operand[1], err);
    if (!status) {
        spar__buf_add_printable(out, settings->operand[1]);
        spar__buf_adds(out, ": a copy of all experiments in ");
        spar__buf_add_printable(out, settings->operand[0]);
        spar__buf_adds(out, "\n");
    }
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
