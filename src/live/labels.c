#include "live/labels.h"

#include "base/alloc.h"
#include "live/item.h"
#include "live/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void spar__labels_free(spar__labels *labels)
{
    spar__names_free(&labels->texts);
    spar__free(labels->option);
    spar__free(labels->item);
    spar__key_table_fini(&labels->voters);
    *labels = (spar__labels){0};
}

static spar_status keep(spar__labels *labels, const char *text, size_t length, size_t *number)
{
    size_t at = 0;
    spar_status status = spar__names_get(&labels->texts, text, length, &at);
    *number = status ? 0 : at + 1;
    return status;
}

static const char *kept(const spar__labels *labels, size_t number)
{
    return number ? spar__names_at(&labels->texts, number - 1) : NULL;
}

static spar_status keep_voter(void *context, const spar__store_text *text, spar_error *err)
{
    spar__labels *labels = context;
    size_t number = 0;
    if (memchr(text->bytes, '\0', text->length))
        return SPAR_OK;
    if (spar__key_table_reserve(&labels->voters, 1) || keep(labels, (const char *)text->bytes, text->length, &number))
        return spar__fail_memory(err);
    labels->voters.entry[spar__key_get(&labels->voters, text->owner, 0)].count = number;
    return SPAR_OK;
}

spar_status spar__labels_voters(spar__labels *labels, spar__history *history, spar_error *err)
{
    return spar__history_voters(history, keep_voter, labels, err);
}

static spar_status reserve(spar__labels *labels, size_t arm)
{
    spar__option_label *option = spar__grow(labels->option, &labels->room, arm + 1, 16, sizeof *option);
    if (!option)
        return SPAR_NOMEM;
    labels->option = option;
    labels->n = arm >= labels->n ? arm + 1 : labels->n;
    return SPAR_OK;
}

spar_status spar__labels_add(spar__labels *labels, const char *id, size_t length, size_t *arm)
{
    spar_status status = spar__names_get(&labels->texts, id, length, arm);
    if (!status)
        status = reserve(labels, *arm);
    if (!status)
        labels->option[*arm].id = *arm + 1;
    return status;
}

/* The new version of an option; its text may be gone. */
static spar_status take_option(spar__labels *labels, const spar__history_entry *entry)
{
    size_t arm = spar_event_arm(entry->event);
    spar_option *option = NULL;
    if (reserve(labels, arm))
        return SPAR_NOMEM;
    spar__option_label *label = &labels->option[arm];
    label->id = label->title = 0;
    spar_status status =
        entry->text ? spar__option_read(entry->text->bytes, entry->text->length, &option, NULL) : SPAR_OK;
    if (!status && option)
        status = keep(labels, spar_option_id(option), strlen(spar_option_id(option)), &label->id);
    if (!status && option)
        status = keep(labels, spar_option_title(option), strlen(spar_option_title(option)), &label->title);
    spar_option_free(option);
    return status == SPAR_NOMEM ? SPAR_NOMEM : SPAR_OK; /* one that cannot be read has no name */
}

/* The id of an item; its text may be gone. */
static spar_status take_item(spar__labels *labels, const spar__history_entry *entry)
{
    size_t index = spar_event_item(entry->event);
    spar__piece id = {0}, group;
    size_t *item = spar__grow(labels->item, &labels->items_room, index + 1, 16, sizeof *item);
    if (!item)
        return SPAR_NOMEM;
    labels->item = item;
    labels->n_items = index >= labels->n_items ? index + 1 : labels->n_items;
    labels->item[index] = 0;
    if (!entry->text || !spar__item_peek(entry->text->bytes, entry->text->length, &id, &group))
        return SPAR_OK;
    return keep(labels, id.text, id.length, &labels->item[index]);
}

spar_status spar__labels_event(spar__labels *labels, const spar__history_entry *entry, spar_error *err)
{
    spar_status status = SPAR_OK;
    switch (spar_event_kind_of(entry->event)) {
    case SPAR_EVENT_OPTION:
        status = take_option(labels, entry);
        break;
    case SPAR_EVENT_ITEM:
        status = take_item(labels, entry);
        break;
    case SPAR_EVENT_RETIRED:
        status = reserve(labels, spar_event_arm(entry->event));
        if (!status)
            labels->option[spar_event_arm(entry->event)].retired = true;
        break;
    case SPAR_EVENT_SETTINGS:
        labels->question = 0;
        if (entry->text && !memchr(entry->text->bytes, '\0', entry->text->length))
            status = keep(labels, (const char *)entry->text->bytes, entry->text->length, &labels->question);
        break;
    default:
        break;
    }
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static bool is_id(const spar__labels *labels, const char *text)
{
    for (size_t i = 0; i < labels->n; i++)
        if (labels->option[i].id && strcmp(kept(labels, labels->option[i].id), text) == 0)
            return true;
    return false;
}

const char *spar__label_option(const spar__labels *labels, size_t arm, char made[SPAR__LABEL_SIZE])
{
    const char *id = arm < labels->n ? kept(labels, labels->option[arm].id) : NULL;
    if (id)
        return id;
    size_t length = (size_t)snprintf(made, SPAR__LABEL_SIZE, "redacted-%zu", arm);
    while (length + 1 < SPAR__LABEL_SIZE && is_id(labels, made)) {
        made[length++] = '-';
        made[length] = '\0';
    }
    return made;
}

const char *spar__label_item(const spar__labels *labels, size_t item, char made[SPAR__LABEL_SIZE])
{
    const char *id = item < labels->n_items ? kept(labels, labels->item[item]) : NULL;
    if (!id)
        (void)snprintf(made, SPAR__LABEL_SIZE, "redacted-%zu", item);
    return id ? id : made;
}

const char *spar__label_title(const spar__labels *labels, size_t arm)
{
    return arm < labels->n ? kept(labels, labels->option[arm].title) : NULL;
}

bool spar__label_is_made(const char *name)
{
    return strncmp(name, "voter-", 6) == 0 && strlen(name) == 22 && strspn(name + 6, "0123456789abcdef") == 16;
}

const char *spar__label_voter(const spar__labels *labels, uint64_t voter, char made[SPAR__LABEL_SIZE])
{
    if (voter == 0)
        return "";
    size_t at = spar__key_find(&labels->voters, voter, 0);
    const char *name = at == SPAR__NO_KEY ? NULL : kept(labels, (size_t)labels->voters.entry[at].count);
    if (name && (labels->names || spar__label_is_made(name)))
        return name;
    (void)snprintf(made, SPAR__LABEL_SIZE, "voter-%016" PRIx64, voter);
    return made;
}
