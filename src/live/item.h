/* item.h - the record of an item: the one form in which its text is kept and hashed.
 *
 *     u8 1, version of the record; then id, prompt, group: for each u8 0 (none) or 1, and after 1 a u32 length and the
 *     bytes; then u32 n, and for each output, by arm, u32 arm, u32 length and the bytes
 *
 * Numbers are little-endian. Every item has one record, and a record that was read would be written the same. In it
 * options are arms: their ids are texts of their own, and may be removed. */
#ifndef SPAR_LIVE_ITEM_H
#define SPAR_LIVE_ITEM_H

#include "text/csv.h"

#include "base/buf.h"

#include <spar/item.h>

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

#endif
