/* items.c - the items of a state (items.h): applied, chosen, saved. A choice looks at every item once: some nanoseconds
 * an item. */
#include "live/items/items.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

#include <inttypes.h>

void spar__items_fini(spar__items *items)
{
    for (size_t i = 0; i < items->n; i++)
        spar__free(items->item[i].has);
    spar__free(items->item);
    spar__key_table_fini(&items->seen);
    *items = (spar__items){0};
}

/* --- events --- */

/* Does it follow from what is there? */
static const char *fault(const spar__items *items, const spar_event *event, size_t options)
{
    uint32_t index = spar_event_item(event), group = spar_event_group(event);
    size_t n = spar_event_outputs(event);
    if (index > items->n)
        return "items are numbered 0, 1, 2, ...";
    if (spar_event_version(event) != (index < items->n ? items->item[index].version + 1 : 1))
        return "its version is not the next one";
    if (index < items->n && items->item[index].group != group)
        return "its group is another one";
    if (group != SPAR_NO_GROUP && group > items->groups)
        return "groups are numbered 0, 1, 2, ...";
    return n && spar_event_output(event, n - 1) >= options ? "it has an output of an option that there is not" : NULL;
}

static spar_status make_state(const spar_event *event, spar__item_state *out)
{
    size_t n = spar_event_outputs(event);
    *out = (spar__item_state){.version = spar_event_version(event), .group = spar_event_group(event)};
    if (!n)
        return SPAR_OK;
    out->words = (uint32_t)(spar_event_output(event, n - 1) / 64 + 1);
    out->has = spar__alloc(out->words, sizeof *out->has);
    if (!out->has)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        size_t arm = spar_event_output(event, i);
        out->has[arm / 64] |= (uint64_t)1 << arm % 64;
    }
    return SPAR_OK;
}

spar_status spar__items_apply(spar__items *items, const spar_event *event, size_t options, spar_error *err)
{
    const char *wrong = fault(items, event, options);
    spar__item_state made;
    if (wrong)
        return spar__fail(err, SPAR_INVALID, "item %" PRIu32 ": %s", spar_event_item(event), wrong);
    if (!spar__reserve(&items->item, &items->room, items->n + 1, 64, sizeof *items->item) || make_state(event, &made))
        return spar__fail_memory(err);
    spar__item_state *item = &items->item[spar_event_item(event)];
    if (spar_event_item(event) == items->n)
        items->n++;
    else
        spar__free(item->has);
    *item = made;
    items->groups += made.group == items->groups && made.group != SPAR_NO_GROUP;
    return SPAR_OK;
}

spar_status spar__items_check_screen(spar__items *items, const spar_event *screen, spar_error *err)
{
    uint32_t item = spar_event_item(screen);
    if (item == SPAR_NO_ITEM)
        return SPAR_OK;
    if (item >= items->n)
        return spar__fail(err, SPAR_INVALID, "screen %" PRIu64 " shows item %" PRIu32 ", which there is not",
                          spar_event_number(screen), item);
    return spar__key_table_reserve(&items->seen, 1) ? spar__fail_memory(err) : SPAR_OK;
}

void spar__items_note(spar__items *items, const spar_event *screen)
{
    if (spar_event_voter(screen) && spar_event_item(screen) != SPAR_NO_ITEM)
        (void)spar__key_get(&items->seen, spar_event_voter(screen), spar_event_item(screen));
}

/* --- the choice --- */

enum { ORDER = 0x6974656d }; /* tells the order of items from other streams */

static bool has(const spar__item_state *item, size_t arm)
{
    return arm / 64 < item->words && item->has[arm / 64] >> arm % 64 & 1;
}

bool spar__item_has(const spar__items *items, size_t item, size_t arm)
{
    return item < items->n && has(&items->item[item], arm);
}

static bool shows(const spar__item_state *item, const spar_round *round)
{
    size_t m = spar_round_slots(round);
    for (size_t slot = 0; slot < m; slot++)
        if (!has(item, spar_round_arm(round, slot)))
            return false;
    return true;
}

static bool is_seen(const spar__items *items, uint64_t voter, size_t item)
{
    return voter && spar__key_find(&items->seen, voter, item) != SPAR__NO_KEY;
}

uint32_t spar__items_choose(const spar__items *items, uint64_t seed, const spar_event *screen)
{
    uint64_t voter = spar_event_voter(screen), who = voter ? voter : spar_event_number(screen);
    uint64_t base = spar__stream_key(ORDER, seed, who, 0), least = UINT64_MAX;
    uint32_t best = SPAR_NO_ITEM;
    for (size_t i = 0; i < items->n; i++) {
        uint64_t state = base + i, key = spar__splitmix(&state);
        if (best != SPAR_NO_ITEM && key >= least)
            continue;
        if (!shows(&items->item[i], spar_event_round(screen)) || is_seen(items, voter, i))
            continue;
        best = (uint32_t)i;
        least = key;
    }
    return best;
}

size_t spar__items_left(const spar__items *items, uint64_t voter, const spar_arms *arms, size_t m)
{
    size_t left = 0;
    for (size_t i = 0; i < items->n; i++) {
        size_t live = 0;
        for (size_t arm = 0; arm < (size_t)64 * items->item[i].words && live < m; arm++)
            live += has(&items->item[i], arm) && spar_arms_alive(arms, arm);
        left += live >= m && !is_seen(items, voter, i);
    }
    return left;
}

/* --- saved --- */

static void archive_item(spar__item_state *item, uint32_t groups, spar__archive *ar)
{
    spar__archive_u32(ar, &item->version);
    spar__archive_u32(ar, &item->group);
    spar__archive_check(ar, item->version > 0 && (item->group == SPAR_NO_GROUP || item->group < groups));
    uint32_t words = item->words;
    spar__archive_u32(ar, &words);
    if (ar->loading && words && spar__archive_holds(ar, words)) {
        item->has = spar__alloc(words, sizeof *item->has);
        item->words = item->has ? words : 0;
        spar__archive_step(ar, item->has ? SPAR_OK : SPAR_NOMEM);
    }
    for (size_t i = 0; i < item->words && !ar->failed; i++)
        spar__archive_u64(ar, &item->has[i]);
    spar__archive_check(ar, ar->failed || !item->words || item->has[item->words - 1]);
}

void spar__items_archive(spar__items *items, spar__archive *ar)
{
    size_t n = items->n;
    spar__archive_u32(ar, &items->groups);
    spar__archive_size(ar, &n);
    if (ar->loading && n && spar__archive_holds(ar, n)) {
        items->item = spar__alloc(n, sizeof *items->item);
        items->n = items->room = items->item ? n : 0;
        spar__archive_step(ar, items->item ? SPAR_OK : SPAR_NOMEM);
    }
    for (size_t i = 0; i < items->n && !ar->failed; i++)
        archive_item(&items->item[i], items->groups, ar);
    spar__key_table_archive(&items->seen, ar);
    for (size_t i = 0; i < items->seen.n && !ar->failed; i++)
        spar__archive_check(ar, items->seen.entry[i].high != 0 && items->seen.entry[i].low < items->n);
}
