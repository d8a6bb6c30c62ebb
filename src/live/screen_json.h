/* screen_json.h - a screen for programs, and what its places and options are called. */
#ifndef SPAR_LIVE_SCREEN_JSON_H
#define SPAR_LIVE_SCREEN_JSON_H

#include "text/json.h"

#include <spar/experiment.h>

/* "A", "B", ..., "Z", "AA": what a place of a screen is called. */
enum { SPAR__PLACE_SIZE = 16 };
void spar__place_name(size_t place, char name[SPAR__PLACE_SIZE]);

/* The id of an option, or another word for one that was redacted (NULL). */
const char *spar__option_id_or(const spar_option *option, const char *otherwise);

/* space_words.c: of a screen in a space, the member `settings`: one array for each place. Nothing elsewhere. */
void spar__screen_settings_json(spar_experiment *experiment, const spar_screen *screen, bool reversed,
                                spar__json *json);

/* The members of a JSON object. */
spar_status spar__screen_json(spar_experiment *experiment, const spar_screen *screen, spar__json *json,
                              spar_error *err);

/* The same with the options in the reversed order of places. */
spar_status spar__screen_json_placed(spar_experiment *experiment, const spar_screen *screen, bool reversed,
                                     spar__json *json, spar_error *err);

#endif
