/* items_add.h - spar_experiment_add_items, which says where it failed. */
#ifndef SPAR_LIVE_ITEMS_ADD_H
#define SPAR_LIVE_ITEMS_ADD_H

#include <spar/experiment.h>

typedef struct spar__items_added {
    size_t added, changed;
    size_t at; /* after a failure, the item that was refused; n where it was none in particular */
} spar__items_added;

spar_status spar__live_add_items(spar_experiment *experiment, size_t n, const spar_item *const *item,
                                 spar__items_added *result, spar_error *err);

/* New versions of all items that have an output of this option, without it. The lock is not held. */
spar_status spar__items_strip(spar_experiment *experiment, size_t arm, spar_error *err);

#endif
