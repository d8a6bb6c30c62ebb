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
#ifndef SPAR_LIVE_ITEMS_ITEMS_H
#define SPAR_LIVE_ITEMS_ITEMS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/order.h"
#include "text/csv.h"

#include <spar/event.h>
#include <spar/experiment.h>
#include <spar/item.h>

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

/* The record of an item: the one form in which its text is kept and hashed.
 *
 *     u8 1, version of the record; then id, prompt, group: for each u8 0 (none) or 1, and after 1 a u32 length and the
 *     bytes; then u32 n, and for each output, by arm, u32 arm, u32 length and the bytes
 *
 * Numbers are little-endian. Every item has one record, and a record that was read would be written the same. In it
 * options are arms: their ids are texts of their own, and may be removed. */

/* The arm of an option, SPAR_NO_ARM if there is none of that id. */
typedef size_t spar__option_finder(const void *context, const char *id);

/* The same item with the arms of its options, by arm. SPAR_UNKNOWN: an option that there is not. */
spar_status spar__item_resolve(const spar_item *item, spar__option_finder *find, const void *context, spar_item **out,
                               spar_error *err);

/* An item with arms, to bytes and back. */
spar_status spar__item_record(const spar_item *item, spar__buf *out);
spar_status spar__item_read(const unsigned char *bytes, size_t length, spar_item **out, spar_error *err);

/* The id and the group in a record, without looking at the rest; *group is NULL where there is none. False: damaged. */
bool spar__item_peek(const unsigned char *bytes, size_t length, spar__piece *id, spar__piece *group);

/* The i-th output belongs to this arm; the output of an arm, NULL if there is none. */
size_t spar__item_arm(const spar_item *item, size_t i);
const char *spar__item_body(const spar_item *item, size_t arm);

/* An item read from JSON, where outputs have arms; they must rise. */
spar_status spar__item_add_output(spar_item *item, size_t arm, const char *text, spar_error *err);

/* What is there and what is new about it, both with arms. *out NULL: nothing is new. A prompt or group that the new one
 * does not have stays. SPAR_CONFLICT: a text that is there would change. */
spar_status spar__item_merge(const spar_item *old, const spar_item *more, spar_item **out, spar_error *err);

/* A copy without the output of an arm. */
spar_status spar__item_without(const spar_item *item, size_t arm, spar_item **out);

/* The same item for one more owner, who frees it, too; neither changes it. */
spar_item *spar__item_share(const spar_item *item);

/* spar_experiment_add_items, which says where it failed. */

typedef struct spar__items_added {
    size_t added, changed;
    size_t at; /* after a failure, the item that was refused; n where it was none in particular */
} spar__items_added;

spar_status spar__live_add_items(spar_experiment *experiment, size_t n, const spar_item *const *item,
                                 spar__items_added *result, spar_error *err);

/* New versions of all items that have an output of this option, without it. The lock is not held. */
spar_status spar__items_strip(spar_experiment *experiment, size_t arm, spar_error *err);

/* Items as JSON lines: {"id", "prompt", "group", "outputs": {option: text}}. */

typedef struct spar__item_list { /* all zero: empty */
    spar_item **item;
    size_t *line; /* of each */
    size_t n, room;
} spar__item_list;

/* All items of text[length], in addition to those in the list; errors name path, line and item. Ids may repeat. */
spar_status spar__items_read(const char *text, size_t length, const char *path, spar__item_list *list, spar_error *err);

/* The file, "-" is standard input. */
spar_status spar__items_load(const char *path, spar__item_list *list, spar_error *err);

void spar__item_list_free(spar__item_list *list);

#endif
