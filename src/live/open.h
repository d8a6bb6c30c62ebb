/* open.h - the first steps of opening and of creating. */
#ifndef SPAR_LIVE_OPEN_H
#define SPAR_LIVE_OPEN_H

#include "live/live.h"

/* An experiment without a number and a state, on an open store; *name is what the place says behind #, or NULL. */
spar_status spar__live_new(const char *place, spar__store_mode mode, spar_experiment **out, char **name,
                           spar_error *err);

/* The experiment of that name on a store that stays the caller's, who closes it last. Several may share one, as long as
 * only one of them writes at a time. place: for messages. shared: whose state is its own, too; NULL: none. The caller
 * may fold, or the state needs nothing. */
spar_status spar__live_open_on(spar__store *store, const char *place, const char *name, bool writes,
                               spar__shared_fold *shared, spar_experiment **out, spar_error *err);

#endif
