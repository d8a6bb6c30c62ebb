/* items_redact.h - texts in items are removed. What was shown stays in the log; the text goes away with all versions of
 * the item that have it, so that the next version must do without. */
#ifndef SPAR_LIVE_ITEMS_REDACT_H
#define SPAR_LIVE_ITEMS_REDACT_H

#include "live/live.h"

/* The texts of all versions but the last, in addition to the first `n` keys, for which there is room; *out is new. */
spar_status spar__items_old(const spar_experiment *experiment, size_t n, spar__text_key **out, size_t *total);

/* Which item has this id? SPAR_UNKNOWN. One that was withdrawn before is found as long as a text of it is there. */
spar_status spar__items_find(spar_experiment *experiment, const char *id, uint32_t *index, spar_error *err);

/* Under the lock, which is given up: the item is shown no more. Nothing where that is so already. */
spar_status spar__item_withdraw(spar_experiment *experiment, uint32_t index, spar_error *err);

#endif
