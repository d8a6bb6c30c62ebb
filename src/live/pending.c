/* pending.c - see pending.h. */
#include "live/pending.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "store/digest.h"

#include <inttypes.h>
#include <string.h>

static spar_status grow(spar__batch *batch)
{
    spar__pending *grown = spar__grow(batch->item, &batch->room, batch->n + 1, 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    batch->item = grown;
    return SPAR_OK;
}

spar_status spar__pending_new(spar__batch *batch, spar__pending **out, spar_error *err)
{
    *out = NULL;
    if (grow(batch) || spar__key_table_reserve(&batch->screens, 1) || spar__key_table_reserve(&batch->voters, 1) ||
        spar__key_table_reserve(&batch->names, 1))
        return spar__fail_memory(err);
    spar__pending *item = &batch->item[batch->n];
    if (!item->event && spar_event_new(&item->event))
        return spar__fail_memory(err);
    *out = item;
    return SPAR_OK;
}

void spar__pending_drop(spar__pending *item)
{
    spar__free(item->name);
    spar__free(item->comment);
    *item = (spar__pending){.event = item->event};
}

/* Where a name stands among those of new voters. */
static void words_of(const char *name, uint64_t *high, uint64_t *low)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(name, strlen(name), hash);
    *high = spar__get_u64(hash);
    *low = spar__get_u64(hash + 8);
}

size_t spar__pending_add(spar__batch *batch, uint64_t number)
{
    spar__pending *item = &batch->item[batch->n];
    size_t ticket = batch->n++;
    (void)spar__key_get(&batch->screens, number, 0);
    if (item->voter)
        batch->voters.entry[spar__key_get(&batch->voters, item->voter, 0)].count = ticket + 1;
    if (item->name) {
        uint64_t high, low;
        words_of(item->name, &high, &low);
        batch->names.entry[spar__key_get(&batch->names, high, low)].count = ticket + 1;
    }
    return ticket;
}

spar_status spar__pending_check_screen(const spar__batch *batch, uint64_t number, spar_error *err)
{
    if (spar__key_find(&batch->screens, number, 0) == SPAR__NO_KEY)
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "something about screen %" PRIu64 " is being written: try again", number);
}

spar__pending *spar__pending_of(const spar__batch *batch, uint64_t voter)
{
    size_t i = spar__key_find(&batch->voters, voter, 0);
    return i == SPAR__NO_KEY ? NULL : &batch->item[batch->voters.entry[i].count - 1];
}

spar_status spar__pending_check_voter(const spar__batch *batch, uint64_t voter, spar_error *err)
{
    if (!spar__pending_of(batch, voter))
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "something of the same voter is being written: try again");
}

spar_status spar__pending_voter(spar__batch *batch, spar__pending *item, const char *name, spar_error *err)
{
    uint64_t high, low;
    if (batch->names.n && name && *name) {
        words_of(name, &high, &low);
        size_t i = spar__key_find(&batch->names, high, low);
        if (i != SPAR__NO_KEY) {
            item->voter = batch->item[batch->names.entry[i].count - 1].voter;
            return SPAR_OK;
        }
    }
    size_t before = item->n_texts;
    spar_status status =
        spar__live_voter(batch->experiment, name, &item->voter, &item->text[before], &item->n_texts, err);
    if (status || item->n_texts == before)
        return status;
    item->name = spar__strdup(name);
    item->text[before].bytes = (const unsigned char *)item->name;
    return item->name ? SPAR_OK : spar__fail_memory(err);
}
