/* add.c - spar add: more options, or new versions of old ones. */
#include "base/number.h"
#include "cli/add/features.h"
#include "cli/common.h"
#include "cli/experiment/experiment.h"
#include "live/items/items.h"
#include "live/live.h"

typedef struct option_adder {
    spar_experiment *experiment;
    size_t added, changed, same;
} option_adder;

static spar_status check_features(void *context, const spar__option_rows *rows, const char *path, spar_error *err)
{
    const option_adder *adder = context;
    return spar__features_check(adder->experiment, rows, path, err);
}

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

static void print_added(const option_adder *adder, spar__buf *out)
{
    spar__buf_printf(out, "%zu added, %zu changed", adder->added, adder->changed);
    if (adder->same)
        spar__buf_printf(out, ", %zu as before", adder->same);
    size_t n = spar_experiment_options(adder->experiment);
    spar__buf_printf(out, "; there %s %zu now\n", n == 1 ? "is" : "are", n);
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

static spar_status add(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    option_adder adder = {0};
    const char *items = spar__setting_text(settings, "items");
    bool options = settings->n_operands > 1 || spar__setting_text(settings, "options");
    if (settings->n_operands == 1 && !options && !items)
        return spar__fail(err, SPAR_INVALID, "add: name an option, or a file with --options or --items");
    spar_status status = spar__experiment_of(settings, SPAR_EXPERIMENT_WRITE, &adder.experiment, err);
    if (!status)
        status = spar__each_option(settings, 1, check_features, take_option, &adder, err);
    size_t written = adder.added + adder.changed;
    if (written && status)
        spar__note("%zu option%s added or changed before this error", written, written == 1 ? " was" : "s were");
    if (!status && options)
        print_added(&adder, out);
    if (!status && items)
        status = add_items(adder.experiment, items, out, err);
    spar_experiment_close(adder.experiment);
    return status;
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
    .max_operands = 10001,
    .options = options,
    .fixed = fixed,
    .notes = "An option whose id is there already becomes a new version of that one and keeps its answers.\n"
             "After an option is added, 'best' holds again only when the newcomer has been compared enough.\n"
             "Options with features are added by a file that has all options, the new ones last.\n"
             "--items adds items, or outputs to items whose id is there: first the new option, then its outputs.",
    .example = "spar add tea.db Oolong",
    .run = add,
};
