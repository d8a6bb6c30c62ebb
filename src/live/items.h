/* items.h - the items of a state: which options each has an output for, and who was shown which.
 *
 * A screen shows one item: a function of State(basis), the options that were drawn, the voter and the screen's number,
 * so that it can be computed again from the log. Item i has the key
 *
 *     mix(stream_key(seed, who) + i),   who = the voter, or the screen's number where the voter is not known (0)
 *
 * and the screen shows the item of the least key among those that have an output for all of its options and that no
 * screen of this voter has shown, among the events up to the basis: open, answered, skipped or undone alike. Who is not
 * known is nobody in particular and has seen nothing. No stream of the policy is touched: an experiment without items
 * shows what it showed before. */
#ifndef SPAR_LIVE_ITEMS_H
#define SPAR_LIVE_ITEMS_H

#include "base/order.h"

#include <spar/event.h>

typedef struct spar__item_state {
    uint32_t version; /* from 1 */
    uint32_t group;   /* SPAR_NO_GROUP: none */
    uint32_t words;   /* of `has`: a bit for each option */
    uint64_t *has;    /* NULL: no outputs, it is shown no more */
} spar__item_state;

typedef struct spar__items { /* all zero: none */
    spar__item_state *item;
    size_t n, room;
    uint32_t groups;
    spar__key_table seen; /* (voter, item) */
} spar__items;

void spar__items_fini(spar__items *items);

/* The event of an item. Refused if it does not follow from what is there; options: how many there are. */
spar_status spar__items_apply(spar__items *items, const spar_event *event, size_t options, spar_error *err);

/* A screen: is its item there, and room to note that it was shown? Then it is noted. */
spar_status spar__items_check_screen(spar__items *items, const spar_event *screen, spar_error *err);
void spar__items_note(spar__items *items, const spar_event *screen);

bool spar__item_has(const spar__items *items, size_t item, size_t arm);

/* The item that the screen shows, whose options, number and voter are set; SPAR_NO_ITEM: there is none left. */
uint32_t spar__items_choose(const spar__items *items, uint64_t seed, const spar_event *screen);

/* How many items with outputs for at least m live options has the voter not seen? */
size_t spar__items_left(const spar__items *items, uint64_t voter, const spar_arms *arms, size_t m);

void spar__items_archive(spar__items *items, spar__archive *ar);

#endif
