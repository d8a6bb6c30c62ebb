/* add.c - spar add and spar retire: more options, items, or new versions of old ones; and options that are not shown
 * any more. */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "cli/experiment.h"
#include "live/items/items.h"
#include "live/live.h"
#include "text/option_rows.h"

#include <spar/experiment.h>

#include <string.h>

/* --- may a file with features be added? ---
 *
 * An experiment has the numbers of features, not the names of columns and categories. A file with other columns, or
 * with categories in another order, may have as many numbers, which then mean something else. Where it has all options
 * that are there, and each has the numbers it had, columns and categories are the same. */

typedef struct option_adder {
    spar_experiment *experiment;
    size_t added, changed, same;
} option_adder;

static spar_status check_row(const spar_option *option, const spar__option_rows *rows, size_t i, const char *path,
                             spar_error *err)
{
    size_t n = 0, line = rows->row[i].line;
    const double *x = spar_option_features(option, &n);
    if (n == rows->dim && memcmp(x, rows->x + i * n, n * sizeof *x) == 0)
        return SPAR_OK;
    if (n != rows->dim)
        return spar__fail(err, SPAR_INVALID,
                          "%s:%zu: the features of option '%s' are %zu numbers, and were %zu; columns and categories "
                          "cannot be added",
                          path, line, spar_option_id(option), rows->dim, n);
    return spar__fail(
        err, SPAR_INVALID,
        "%s:%zu: option '%s' has other features than it had; expected the same columns and options in the "
        "same order, new options last",
        path, line, spar_option_id(option));
}

/* False for a redacted one, which is NULL. */
static bool has_features(const spar_option *option)
{
    size_t n = 0;
    (void)spar_option_features(option, &n);
    return n > 0;
}

/* Refused unless the file has all options of the experiment, with the features that they have. */
static spar_status check_features(void *context, const spar__option_rows *rows, const char *path, spar_error *err)
{
    const spar_experiment *experiment = ((const option_adder *)context)->experiment;
    size_t n = spar_experiment_options(experiment);
    if (!rows->dim || !n)
        return SPAR_OK;
    bool *listed = spar__alloc(n, sizeof *listed);
    spar_status status = listed ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; i < rows->n && !status; i++) {
        size_t arm = spar_experiment_find(experiment, rows->row[i].id);
        if (arm < n)
            listed[arm] = true;
    }
    for (size_t arm = 0; arm < n && !status; arm++) {
        const spar_option *option = spar_experiment_option(experiment, arm);
        if (has_features(option) && !listed[arm])
            status = spar__fail(err, SPAR_INVALID,
                                "%s: option '%s' is missing; with features, expected all options that are there, the "
                                "new ones last",
                                path, spar_option_id(option));
    }
    for (size_t i = 0; i < rows->n && !status; i++) {
        size_t arm = spar_experiment_find(experiment, rows->row[i].id);
        const spar_option *option = arm < n ? spar_experiment_option(experiment, arm) : NULL;
        if (has_features(option))
            status = check_row(option, rows, i, path, err);
    }
    spar__free(listed);
    return status;
}

/* --- spar add --- */

static spar_status take_option(void *context, const spar_option *option, spar_error *err)
{
    option_adder *adder = context;
    spar_experiment *experiment = adder->experiment;
    size_t known = spar_experiment_options(experiment), arm;
    uint64_t events = spar_experiment_sequence(experiment);
    spar_status status = spar_experiment_add(experiment, option, &arm, err);
    if (status)
        return status;
    if (arm >= known)
        adder->added++;
    else if (spar_experiment_sequence(experiment) > events)
        adder->changed++;
    else
        adder->same++;
    if (!spar_experiment_is_live(experiment, arm))
        spar__note("option '%.80s' is retired and stays so: it is not shown", spar_option_id(option));
    return SPAR_OK;
}

/* The items of the file, or more outputs of those that are there. */
static spar_status add_items(spar_experiment *experiment, const char *path, spar__buf *out, spar_error *err)
{
    spar__item_list list = {0};
    spar__items_added result = {0};
    spar_status status = spar__items_load(path, &list, err);
    if (!status)
        status = spar__live_add_items(experiment, list.n, (const spar_item *const *)list.item, &result, err);
    if (status && result.at < list.n)
        status = spar__item_fail(&list, result.at, path, status, err);
    size_t written = result.added + result.changed, n = spar_experiment_items(experiment);
    if (written && status)
        spar__note("%zu item%s added or changed before this error", written, written == 1 ? " was" : "s were");
    if (!status)
        spar__buf_printf(out, "%zu item%s added, %zu with more outputs; there %s %zu now\n", result.added,
                         spar__plural(result.added), result.changed, n == 1 ? "is" : "are", n);
    spar__item_list_free(&list);
    if (!status)
        spar__note_no_item_serves(experiment);
    return status;
}

static spar_status add(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    option_adder adder = {.experiment = experiment};
    const char *items = spar__setting_text(settings, "items");
    bool options = settings->n_operands > 1 || spar__setting_text(settings, "options");
    if (!options && !items)
        return spar__fail(err, SPAR_INVALID, "add: name an option, or a file with --options or --items");
    spar_status status = spar__each_option(settings, 1, check_features, take_option, &adder, err);
    size_t written = adder.added + adder.changed, n = spar_experiment_options(experiment);
    if (written && status)
        spar__note("%zu option%s added or changed before this error", written, written == 1 ? " was" : "s were");
    if (!status && options) {
        spar__buf_printf(out, "%zu added, %zu changed", adder.added, adder.changed);
        if (adder.same)
            spar__buf_printf(out, ", %zu as before", adder.same);
        spar__buf_printf(out, "; there %s %zu now\n", n == 1 ? "is" : "are", n);
    }
    return !status && items ? add_items(experiment, items, out, err) : status;
}

static const spar__option options[] = {
    SPAR__OPTION_OPTIONS,
    SPAR__OPTION_ITEMS,
    {.name = NULL},
};

static const spar__fixed_option fixed[] = {{"space", spar__axes_fixed}, {.name = NULL}};

const spar__command spar__command_add = {
    .name = "add",
    .brief = "Add options to an experiment, or change the title, the text or the image of one",
    .operands = "FILE [OPTION ...] [OPTIONS]",
    .min_operands = 1,
    .max_operands = 10001,
    .options = options,
    .fixed = fixed,
    .notes = "An option whose id is there already becomes a new version of that one and keeps its answers.\n"
             "After an option is added, 'best' holds again only when the newcomer has been compared enough.\n"
             "Options with features are added by a file that has all options, the new ones last.\n"
             "--items adds items, or outputs to items whose id is there: first the new option, then its outputs.",
    .example = "spar add tea.db Oolong",
    .run = spar__with_experiment,
    .act = add,
};

/* --- spar retire --- */

static spar_status retire(const spar__settings *settings, spar_experiment *experiment, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
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
    return status;
}

const spar__command spar__command_retire = {
    .name = "retire",
    .brief = "Show options no more; answers about them that come later are kept",
    .operands = "FILE OPTION ...",
    .min_operands = 2,
    .max_operands = 10001,
    .notes = "To retire an option that is still in the running makes later statements harder, once.",
    .example = "spar retire tea.db Sencha",
    .run = spar__with_experiment,
    .act = retire,
};
