/* items_redact.c - see items_redact.h. */
#include "live/items_redact.h"

#include "base/alloc.h"
#include "live/item.h"

#include <string.h>

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
