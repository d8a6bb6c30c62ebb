/* items_add.c - items read from JSON lines, and added to an experiment: new ones, and more outputs of those that are
 * there.
 *
 * What is there is known by the ids, which are texts. Reading them takes a while, so that is done before the lock, and
 * again under it only where another program has written meanwhile. */
#include "base/alloc.h"
#include "base/file.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/text_limits.h"
#include "text/csv.h"
#include "text/json_read.h"
#include "text/names.h"

#include <inttypes.h>
#include <string.h>

/* --- read --- */

enum { MOST_OUTPUTS = 1000, MOST_BYTES = 1 << 30 };

void spar__item_list_free(spar__item_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        spar_item_free(list->item[i]);
    spar__free(list->item);
    spar__free(list->line);
    *list = (spar__item_list){0};
}

static spar_status read_outputs(const spar__json_tree *tree, spar_item *item, spar_error *err)
{
    const spar__json_node *outputs = spar__json_member(tree, spar__json_root(tree), "outputs");
    const spar__json_node *output = spar__json_first(tree, outputs);
    if (!outputs || outputs->kind != SPAR__JSON_OBJECT || !output)
        return spar__fail(err, SPAR_PARSE, "'outputs' is %s, expected {\"option\": \"text\", ...}",
                          outputs && outputs->kind != SPAR__JSON_OBJECT ? "no object" : "not there or empty");
    spar_status status = SPAR_OK;
    for (; output && !status; output = spar__json_next(tree, output)) {
        const char *option = spar__json_key_of(tree, output), *text = spar__json_text(tree, output);
        spar_error why = {0};
        status = output->kind == SPAR__JSON_NULL ? SPAR_OK /* as if it were not there */
                 : !text                         ? spar__fail(&why, SPAR_PARSE, "it is no text")
                                                 : spar_item_set_output(item, option, text, &why);
        if (status)
            (void)spar__fail(err, status, "the output of '%.80s': %s", option, why.text);
    }
    return status;
}

/* Also after a failure *out is there, if the id was good. */
static spar_status make_item(const spar__json_tree *tree, const char **id, spar_item **out, spar_error *err)
{
    static const char *const known[] = {"id", "prompt", "group", "outputs"};
    enum { KNOWN = sizeof known / sizeof *known };
    const spar__json_node *root = spar__json_root(tree), *member = spar__json_first(tree, root);
    const char *prompt = NULL, *group = NULL;
    if (root->kind != SPAR__JSON_OBJECT)
        return spar__fail(err, SPAR_PARSE, "expected an object with id, prompt, group and outputs");
    for (; member; member = spar__json_next(tree, member)) {
        size_t i = 0;
        while (i < KNOWN && strcmp(known[i], spar__json_key_of(tree, member)) != 0)
            i++;
        if (i == KNOWN)
            return spar__fail(err, SPAR_PARSE, "'%.80s' is no part of an item, expected id, prompt, group or outputs",
                              spar__json_key_of(tree, member));
    }
    spar_status status = spar__json_read_text(tree, "id", id, err);
    if (!status)
        status = *id ? spar_item_new(*id, out, err) : spar__fail(err, SPAR_PARSE, "'id' is not there");
    if (!status)
        status = spar__json_read_text(tree, "prompt", &prompt, err);
    if (!status)
        status = spar__json_read_text(tree, "group", &group, err);
    if (!status && prompt)
        status = spar_item_set_prompt(*out, prompt, err);
    if (!status && group)
        status = spar_item_set_group(*out, group, err);
    return status ? status : read_outputs(tree, *out, err);
}

spar_status spar__items_read(const char *text, size_t length, const char *path, spar__item_list *list, spar_error *err)
{
    spar__json_tree tree = {.members = MOST_OUTPUTS};
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    spar_status status = SPAR_OK;
    lines.comment = 0; /* texts may hold a # */
    while (!status && spar__line_next(&lines, &line)) {
        spar_item *item = NULL;
        const char *id = NULL;
        spar_error why = {0};
        status = spar__json_tree_parse(&tree, line.text, line.length, path, lines.number, &why);
        if (status) { /* a list of items over many lines, or a table, is a usual slip */
            (void)spar__fail(err, status, "%s%s", why.text,
                             status == SPAR_PARSE ? "; every line must be a JSON object of its own" : "");
            break;
        }
        status = make_item(&tree, &id, &item, &why);
        if (status == SPAR_NOMEM)
            (void)spar__fail_memory(err);
        else if (status)
            status = item ? spar__fail(err, SPAR_PARSE, "%s:%zu: item '%.80s': %s", path, lines.number, id, why.text)
                          : spar__fail(err, SPAR_PARSE, "%s:%zu: %s", path, lines.number, why.text);
        size_t room = list->n < list->room ? list->room : list->room ? 2 * list->room : 64;
        if (!status && room > list->room &&
            (!spar__resize(&list->item, list->room, room, sizeof(*list->item)) ||
             !spar__resize(&list->line, list->room, room, sizeof *list->line)))
            status = spar__fail_memory(err);
        if (status) {
            spar_item_free(item);
            break;
        }
        list->room = room; /* both have that many */
        list->line[list->n] = lines.number;
        list->item[list->n++] = item;
    }
    if (!status && !list->n)
        status = spar__fail(err, SPAR_PARSE, "%s: there are no items, expected a JSON object a line", path);
    spar__json_tree_free(&tree);
    return status;
}

spar_status spar__items_load(const char *path, spar__item_list *list, spar_error *err)
{
    spar__buf bytes = {0};
    spar_status status = spar__file_read(path, MOST_BYTES, &bytes, err);
    if (!status)
        status = spar__items_read(bytes.text ? bytes.text : "", bytes.length,
                                  strcmp(path, "-") == 0 ? "standard input" : path, list, err);
    spar__buf_free(&bytes);
    return status;
}

/* --- added --- */

enum { BATCH = 1024, BATCH_BYTES = 32 << 20 };

/* An item to be written: a new one, or a new version. */
typedef struct item_draft {
    spar_item *item;
    uint32_t index, version, group;
    spar__store_text text;
    spar__buf record;
} item_draft;

typedef struct item_adder {
    spar_experiment *experiment;
    spar__names ids, groups;
    uint32_t *index;  /* of each id */
    uint32_t *number; /* of each group */
    size_t ids_room, groups_room;
    uint64_t upto; /* the event that the names were read at, */
    uint64_t drops;
    item_draft draft[BATCH];
    size_t n, bytes;
    size_t fresh; /* drafts that are new items, */
    uint32_t fresh_groups;
    size_t added, changed;
} item_adder;

/* Number `value` of the list that belongs to names; *value becomes the one that is there, if the name is. */
static spar_status name(spar__names *names, uint32_t **list, size_t *room, spar__piece text, uint32_t *value)
{
    size_t known = names->n, at = 0;
    if (spar__names_get(names, text.text, text.length, &at))
        return SPAR_NOMEM;
    if (at < known) {
        *value = (*list)[at];
        return SPAR_OK;
    }
    if (!spar__reserve(list, room, at + 1, 64, sizeof **list))
        return SPAR_NOMEM;
    (*list)[at] = *value;
    return SPAR_OK;
}

/* --- what is there --- */

static spar_status note(void *context, const spar__store_text *text, spar_error *err)
{
    item_adder *adder = context;
    const spar__items *items = &adder->experiment->state->items;
    spar__piece id, group;
    if (text->owner >= items->n || text->version != items->item[text->owner].version)
        return SPAR_OK;
    uint32_t index = (uint32_t)text->owner, number = items->item[index].group;
    if (!spar__item_peek(text->bytes, text->length, &id, &group))
        return spar__fail(err, SPAR_CORRUPT, "the text of item %" PRIu32 " is damaged", index + 1);
    spar_status status = name(&adder->ids, &adder->index, &adder->ids_room, id, &index);
    if (!status && group.text && number != SPAR_NO_GROUP)
        status = name(&adder->groups, &adder->number, &adder->groups_room, group, &number);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status read_names(item_adder *adder, spar_error *err)
{
    spar_experiment *experiment = adder->experiment;
    if (adder->upto == experiment->state->sequence && adder->drops == experiment->drops)
        return SPAR_OK;
    spar__names_free(&adder->ids);
    spar__names_free(&adder->groups);
    adder->ids = adder->groups = (spar__names){0};
    adder->upto = experiment->state->sequence;
    adder->drops = experiment->drops;
    if (!experiment->state->items.n)
        return SPAR_OK;
    return spar__store_text_each(experiment->store, experiment->id, SPAR__TEXT_ITEM, note, adder, err);
}

/* --- drafts --- */

static void drop_drafts(item_adder *adder)
{
    for (size_t i = 0; i < adder->n; i++) {
        spar_item_free(adder->draft[i].item);
        spar__buf_free(&adder->draft[i].record);
    }
    adder->n = adder->bytes = adder->fresh = 0;
    adder->fresh_groups = 0;
}

static size_t find_option(const void *context, const char *id)
{
    return spar_experiment_find(context, id);
}

static spar_status draft_new(item_adder *adder, spar_item *item, uint32_t index, spar_error *err)
{
    item_draft *draft = &adder->draft[adder->n];
    *draft = (item_draft){.index = index, .version = 1};
    if (index >= SPAR__MOST_ITEMS)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s has %d items, which is the most", adder->experiment->place,
                          SPAR__MOST_ITEMS);
    if (!spar_item_prompt(item))
        return spar__fail(err, SPAR_INVALID, "item '%s' has no prompt", spar_item_id(item));
    const char *group = spar_item_group(item);
    uint32_t next = adder->experiment->state->items.groups + adder->fresh_groups;
    draft->group = group ? next : SPAR_NO_GROUP;
    if (group &&
        name(&adder->groups, &adder->number, &adder->groups_room, (spar__piece){group, strlen(group)}, &draft->group))
        return spar__fail_memory(err);
    adder->fresh_groups += draft->group == next;
    draft->item = spar__item_share(item);
    adder->fresh++;
    adder->n++;
    return SPAR_OK;
}

static spar_status draft_more(item_adder *adder, const spar_item *item, uint32_t index, spar_error *err)
{
    const spar__items *items = &adder->experiment->state->items;
    item_draft *draft = NULL; /* of that index, if this batch has one */
    for (size_t i = adder->n; i-- > 0 && !draft;)
        draft = adder->draft[i].index == index ? &adder->draft[i] : NULL;
    spar_item *old = draft ? spar__item_share(draft->item) : NULL, *merged = NULL;
    spar_status status = draft ? SPAR_OK : spar__live_item_get(adder->experiment, index, &old, err);
    if (!status && !old)
        status = spar__fail(err, SPAR_CONFLICT, "item '%s' was removed meanwhile", spar_item_id(item));
    if (!status)
        status = spar__item_merge(old, item, &merged, err);
    spar_item_free(old);
    if (status || !merged)
        return status;
    if (draft) {
        spar_item_free(draft->item);
        draft->item = merged;
        return SPAR_OK;
    }
    draft = &adder->draft[adder->n++];
    *draft = (item_draft){merged, index, items->item[index].version + 1, items->item[index].group, {0}, {0}};
    return SPAR_OK;
}

/* Of its outputs. */
static size_t size_of(const spar_item *item)
{
    size_t size = 0;
    for (size_t i = 0; i < spar_item_outputs(item); i++)
        size += strlen(spar_item_output(item, i));
    return size;
}

static spar_status draft_one(item_adder *adder, const spar_item *given, spar_error *err)
{
    spar_experiment *experiment = adder->experiment;
    const char *id = spar_item_id(given);
    uint32_t next = (uint32_t)(experiment->state->items.n + adder->fresh), index = next;
    spar_item *item = NULL;
    spar_status status = spar__item_resolve(given, find_option, experiment, &item, err);
    if (!status && name(&adder->ids, &adder->index, &adder->ids_room, (spar__piece){id, strlen(id)}, &index))
        status = spar__fail_memory(err);
    if (!status)
        status = index == next ? draft_new(adder, item, index, err) : draft_more(adder, item, index, err);
    adder->bytes += status ? 0 : size_of(item);
    spar_item_free(item);
    return status;
}

/* --- writing --- */

static spar_status make_entry(item_draft *draft, spar__store_entry *entry, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    size_t n = spar_item_outputs(draft->item), *arm = spar__alloc(n, sizeof *arm);
    for (size_t i = 0; arm && i < n; i++)
        arm[i] = spar__item_arm(draft->item, i);
    spar_status status = arm && !spar__item_record(draft->item, &draft->record) && !spar_event_new(&entry->event)
                             ? SPAR_OK
                             : spar__fail_memory(err);
    if (!status)
        status = spar__live_text(SPAR__TEXT_ITEM, draft->index, draft->version, draft->record.text,
                                 draft->record.length, &draft->text, hash, err);
    if (!status) {
        spar_event_set_stamp(entry->event, 0, spar__live_now());
        spar_event_set_item(entry->event, draft->index);
        if (spar_event_set_outputs(entry->event, draft->version, draft->group, n, arm))
            status = spar__fail_memory(err);
        spar_event_set_hash(entry->event, hash);
    }
    entry->text = &draft->text;
    entry->n_texts = 1;
    spar__free(arm);
    return status;
}

/* Under the lock, which is given up. */
static spar_status write_drafts(item_adder *adder, spar_error *err)
{
    spar_experiment *experiment = adder->experiment;
    spar__store_entry *entry = spar__alloc(adder->n, sizeof *entry);
    spar_status status = entry ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; i < adder->n && !status; i++)
        status = make_entry(&adder->draft[i], &entry[i], err);
    if (status || !adder->n)
        spar__live_end(experiment);
    else
        status = spar__live_append(experiment, adder->n, entry, 0, err);
    for (size_t i = 0; i < adder->n && !status; i++)
        if (entry[i].status)
            status = spar__fail(err, entry[i].status, "item '%s': %s", spar_item_id(adder->draft[i].item),
                                spar_status_text(entry[i].status));
    for (size_t i = 0; entry && i < adder->n; i++)
        spar_event_free(entry[i].event);
    spar__free(entry);
    if (status || !adder->n)
        return status;
    adder->added += adder->fresh;
    adder->changed += adder->n - adder->fresh;
    if (adder->upto + adder->n == experiment->state->sequence)
        adder->upto = experiment->state->sequence; /* nobody else has added anything: the names are known */
    return SPAR_OK;
}

/* As many of item[n] as one commit takes; *taken: how many, or which one is wrong. */
static spar_status add_batch(item_adder *adder, size_t n, const spar_item *const *item, size_t *taken, spar_error *err)
{
    spar_experiment *experiment = adder->experiment;
    *taken = 0;
    spar_status status = spar__live_refresh(experiment, err);
    if (!status)
        status = read_names(adder, err);
    if (!status)
        status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = spar_experiment_check_texts(experiment, err); /* so that looking for an option cannot fail */
    if (!status)
        status = read_names(adder, err);
    while (!status && *taken < n && adder->n < BATCH && adder->bytes < BATCH_BYTES) {
        status = item[*taken] ? draft_one(adder, item[*taken], err)
                              : spar__fail(err, SPAR_INVALID, "item %zu of the list is NULL", *taken + 1);
        *taken += !status;
    }
    if (status)
        spar__live_end(experiment);
    else
        status = write_drafts(adder, err);
    if (status)
        adder->upto = 0; /* names of drafts that were not written are among them */
    drop_drafts(adder);
    return status;
}

static void adder_free(item_adder *adder)
{
    if (!adder)
        return;
    drop_drafts(adder);
    spar__names_free(&adder->ids);
    spar__names_free(&adder->groups);
    spar__free(adder->index);
    spar__free(adder->number);
    spar__free(adder);
}

spar_status spar__live_add_items(spar_experiment *experiment, size_t n, const spar_item *const *item,
                                 spar__items_added *result, spar_error *err)
{
    *result = (spar__items_added){0};
    if (!experiment || (n && !item))
        return spar__fail(err, SPAR_INVALID, "items are added to an experiment");
    item_adder *adder = spar__alloc(1, sizeof *adder);
    spar_status status = adder ? spar__live_check(experiment, err) : spar__fail_memory(err);
    if (adder)
        adder->experiment = experiment;
    for (size_t taken = 0; result->at < n && !status; result->at += taken)
        status = add_batch(adder, n - result->at, item + result->at, &taken, err);
    if (adder) {
        result->added = adder->added;
        result->changed = adder->changed;
    }
    if (!status)
        spar__snapshot_take(experiment);
    adder_free(adder);
    return status;
}

/* As many items as one commit takes. */
static spar_status strip_batch(item_adder *adder, size_t arm, spar_error *err)
{
    spar_experiment *experiment = adder->experiment;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    const spar__items *items = &experiment->state->items;
    for (uint32_t i = 0; i < items->n && !status && adder->n < BATCH && adder->bytes < BATCH_BYTES; i++) {
        item_draft *draft = &adder->draft[adder->n];
        spar_item *now = NULL;
        if (!spar__item_has(items, i, arm))
            continue;
        *draft = (item_draft){.index = i, .version = items->item[i].version + 1, .group = items->item[i].group};
        status = spar__live_item_get(experiment, i, &now, err);
        if (!status && !now)
            status = spar__fail(err, SPAR_CORRUPT, "the text of item %zu is missing", (size_t)i + 1);
        if (!status && spar__item_without(now, arm, &draft->item))
            status = spar__fail_memory(err);
        adder->bytes += status ? 0 : size_of(now);
        adder->n += !status;
        spar_item_free(now);
    }
    if (status)
        spar__live_end(experiment);
    return status ? status : write_drafts(adder, err);
}

spar_status spar__items_strip(spar_experiment *experiment, size_t arm, spar_error *err)
{
    item_adder *adder = spar__alloc(1, sizeof *adder);
    spar_status status = adder ? SPAR_OK : spar__fail_memory(err);
    size_t written = 1;
    while (!status && written) {
        adder->experiment = experiment;
        status = strip_batch(adder, arm, err);
        written = adder->n;
        drop_drafts(adder);
    }
    adder_free(adder);
    return status;
}

spar_status spar_experiment_add_items(spar_experiment *experiment, size_t n, const spar_item *const *item,
                                      size_t *added, size_t *changed, spar_error *err)
{
    spar__items_added result;
    spar_status status = spar__live_add_items(experiment, n, item, &result, err);
    if (added)
        *added = result.added;
    if (changed)
        *changed = result.changed;
    return status;
}
