/* screen.h - a screen as it is handed out: what stood in which place. */
#ifndef SPAR_LIVE_SCREEN_H
#define SPAR_LIVE_SCREEN_H

#include "live/live.h"
#include "text/json.h"

#include <spar/experiment.h>

/* From the event that asked it. */
spar_status spar__screen_new(spar_experiment *experiment, const spar_event *event, spar_screen **out, spar_error *err);

/* As spar_experiment_screen, but as of the state: for who has refreshed it, or holds the lock. */
spar_status spar__screen_get(spar_experiment *experiment, uint64_t number, spar_screen **out, spar_error *err);

/* The event that asked a screen, SPAR_UNKNOWN if there is none. Borrowed until the session or experiment->event is used
 * for something else. */
spar_status spar__screen_find(spar_experiment *experiment, uint64_t number, const spar_event **out, spar_error *err);

/* Is it a setting that was on the screen before? Its body says so, too, in English. */
bool spar__screen_is_kept(const spar_screen *screen, size_t place);

/* The same answer in other terms: map says what a slot becomes, called in the order in which the answer names them;
 * SPAR_NO_SLOT: it is refused, with SPAR_INVALID and no sentence. to is another than from. */
typedef size_t spar__slot_map(void *context, size_t slot);
spar_status spar__answer_map(const spar_answer *from, spar__slot_map *map, void *context, spar_answer *to,
                             spar_error *err);

/* An answer in places becomes one in slots: to is set. Refused if it names places that the screen does not have. */
spar_status spar__answer_to_slots(const spar_event *screen, const spar_answer *answer, spar_answer *to,
                                  spar_error *err);

/* A screen for programs, and what its places and options are called. */

/* "A", "B", ..., "Z", "AA": what a place of a screen is called. */
enum { SPAR__PLACE_SIZE = 16 };
void spar__place_name(size_t place, char name[SPAR__PLACE_SIZE]);

/* The id of an option, or another word for one that was redacted (NULL). */
const char *spar__option_id_or(const spar_option *option, const char *otherwise);

/* Of a screen in a space, the member `settings`: one array for each place. Nothing elsewhere. */
void spar__screen_settings_json(spar_experiment *experiment, const spar_screen *screen, bool reversed,
                                spar__json *json);

/* The members of a JSON object. */
spar_status spar__screen_json(spar_experiment *experiment, const spar_screen *screen, spar__json *json,
                              spar_error *err);

/* The same with the options in the reversed order of places. */
spar_status spar__screen_json_placed(spar_experiment *experiment, const spar_screen *screen, bool reversed,
                                     spar__json *json, spar_error *err);

#endif
