/* screen.h - a screen as it is handed out: what stood in which place. */
#ifndef SPAR_LIVE_SCREEN_H
#define SPAR_LIVE_SCREEN_H

#include "live/live.h"

/* From the event that asked it. */
spar_status spar__screen_new(spar_experiment *experiment, const spar_event *event, spar_screen **out, spar_error *err);

/* As spar_experiment_screen, but as of the state: for who has refreshed it, or holds the lock. */
spar_status spar__screen_get(spar_experiment *experiment, uint64_t number, spar_screen **out, spar_error *err);

/* The event that asked a screen, SPAR_UNKNOWN if there is none. Borrowed until the session or experiment->event is used
 * for something else. */
spar_status spar__screen_find(spar_experiment *experiment, uint64_t number, const spar_event **out, spar_error *err);

/* Is it a setting that was on the screen before? Its body says so, too, in English. */
bool spar__screen_is_kept(const spar_screen *screen, size_t place);

/* An answer in places becomes one in slots: to is set. Refused if it names places that the screen does not have. */
spar_status spar__answer_to_slots(const spar_event *screen, const spar_answer *answer, spar_answer *to,
                                  spar_error *err);

#endif
