/* items_redact.c - see items_redact.h. */
#include "live/items_redact.h"

#include "base/alloc.h"
#include "live/item.h"

#include <string.h>

/* --- the outputs of an option --- */

static spar_status set_event(spar_event *event, uint32_t index, const spar__item_state *item, const spar_item *text)
{
    size_t n = spar_item_outputs(text), *arm = spar__alloc(n, sizeof *arm);
    for (size_t i = 0; arm && i < n; i++)
        arm[i] = spar__item_arm(text, i);
    spar_event_set_item(event, index);
    spar_status status = arm ? spar_event_set_outputs(event, item->version + 1, item->group, n, arm) : SPAR_NOMEM;
    spar__free(arm);
    return status;
}

/* Under the lock, which is given up. */
static spar_status strip_one(spar_experiment *experiment, uint32_t index, size_t arm, spar_error *err)
{
    const spar__item_state *item = &experiment->state->items.item[index];
    unsigned char hash[SPAR_HASH_SIZE];
    spar_item *now = NULL, *without = NULL;
    spar__buf record = {0};
    spar__store_text text;
    spar_status status = spar__live_item_get(experiment, index, &now, err);
    if (!status && !now)
        status = spar__fail(err, SPAR_CORRUPT, "the text of item %zu is missing", (size_t)index + 1);
    if (!status && (spar__item_without(now, arm, &without) || spar__item_record(without, &record) ||
                    set_event(experiment->event, index, item, without)))
        status = spar__fail_memory(err);
    if (!status)
        status =
            spar__live_text(SPAR__TEXT_ITEM, index, item->version + 1, record.text, record.length, &text, hash, err);
    if (!status) {
        spar_event_set_hash(experiment->event, hash);
        status = spar__live_commit(experiment, experiment->event, 1, &text, err);
    } else
        spar__live_end(experiment);
    spar_item_free(now);
    spar_item_free(without);
    spar__buf_free(&record);
    return status;
}

spar_status spar__items_strip(spar_experiment *experiment, size_t arm, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (uint32_t i = 0; i < experiment->state->items.n && !status;) {
        if (!spar__item_has(&experiment->state->items, i, arm)) {
            i++;
            continue;
        }
        status = spar__live_begin(experiment, err);
        if (!status)
            status = strip_one(experiment, i, arm, err);
        if (spar__live_lapsed(experiment, status))
            status = SPAR_OK; /* once more */
    }
    return status;
}

spar_status spar__items_old(const spar_experiment *experiment, size_t n, spar__text_key **out, size_t *total)
{
    const spar__items *items = &experiment->state->items;
    *total = n;
    for (size_t i = 0; i < items->n; i++)
        *total += items->item[i].version - 1;
    *out = spar__alloc(*total, sizeof **out);
    if (!*out)
        return SPAR_NOMEM;
    for (size_t i = 0; i < items->n; i++)
        for (uint32_t version = 1; version < items->item[i].version; version++)
            (*out)[n++] = (spar__text_key){SPAR__TEXT_ITEM, i, version};
    return SPAR_OK;
}

/* --- a whole item --- */

typedef struct item_search {
    const char *id;
    size_t length;
    uint32_t index;
} item_search;

static spar_status look(void *context, const spar__store_text *text, spar_error *err)
{
    item_search *search = context;
    spar__piece id, group;
    (void)err;
    if (spar__item_peek(text->bytes, text->length, &id, &group) && id.length == search->length &&
        memcmp(id.text, search->id, id.length) == 0)
        search->index = (uint32_t)text->owner;
    return SPAR_OK;
}

spar_status spar__items_find(spar_experiment *experiment, const char *id, uint32_t *index, spar_error *err)
{
    item_search search = {id, strlen(id), SPAR_NO_ITEM};
    spar_status status = spar__store_text_each(experiment->store, experiment->id, SPAR__TEXT_ITEM, look, &search, err);
    *index = search.index;
    if (!status && search.index >= experiment->state->items.n)
        status = spar__fail(err, SPAR_UNKNOWN, "%s has no item '%s'", experiment->place, id);
    return status;
}

spar_status spar__item_withdraw(spar_experiment *experiment, uint32_t index, spar_error *err)
{
    const spar__item_state *item = &experiment->state->items.item[index];
    if (!item->has) {
        spar__live_end(experiment);
        return SPAR_OK;
    }
    spar_event_set_item(experiment->event, index);
    (void)spar_event_set_outputs(experiment->event, item->version + 1, item->group, 0, NULL);
    return spar__live_commit(experiment, experiment->event, 0, NULL, err);
}
