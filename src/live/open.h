/* open.h - the first steps of opening and of creating. */
#ifndef SPAR_LIVE_OPEN_H
#define SPAR_LIVE_OPEN_H

#include "live/live.h"

/* An experiment without a number and a state, on an open store; *name is what the place says behind #, or NULL. */
spar_status spar__live_new(const char *place, spar__store_mode mode, spar_experiment **out, char **name,
                           spar_error *err);

#endif
