/* event_json.h - an event as a JSON object and back. Nothing is lost: the object has every field of the encoding
 * (event.h), and one list of fields serves both ways. doc/exchange.md has the names of the members. */
#ifndef SPAR_LIVE_EVENT_JSON_H
#define SPAR_LIVE_EVENT_JSON_H

#include "text/json.h"
#include "text/json_read.h"

/* Adds seq, time, kind and the rest of the event bytes[length] to the object that was begun. SPAR_CORRUPT if they are
 * no event; half an object may then be there. */
spar_status spar__event_json_add(spar__json *json, const unsigned char *bytes, size_t length, spar_error *err);

/* The encoding of the event in the object that was parsed, appended to out; spar_event_decode checks the rest.
 * SPAR_PARSE names the member that is not there or not what was expected, without file and line. */
spar_status spar__event_json_read(const spar__json_tree *tree, spar__buf *out, spar_error *err);

#endif
