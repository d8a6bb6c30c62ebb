/* text_json.h - a text that belongs to an event, as a JSON object and back: its salt, and
 *
 *   text                              where the bytes are UTF-8
 *   id, title, body, image, features  of an option
 *   id, prompt, group, outputs        of an item; outputs is a list of {arm, text}
 *   base64                            the bytes themselves, where the above would not give them back
 *
 * The hash that the event has is HMAC(salt, bytes), so the bytes must come back as they were. */
#ifndef SPAR_LIVE_TEXT_JSON_H
#define SPAR_LIVE_TEXT_JSON_H

#include "store/store.h"
#include "text/json.h"
#include "text/json_read.h"

#include <spar/option.h>

/* The member "features" of an option, where it has any. */
void spar__features_json(spar__json *json, const spar_option *option);

/* Adds the member `key`. */
spar_status spar__text_json_add(spar__json *json, const char *key, const spar__store_text *text);

/* The salt into text->salt, the bytes into out (replaced), to which text->bytes then points. Kind, owner and version of
 * the text must be set. SPAR_PARSE: a sentence without file and line. */
spar_status spar__text_json_read(const spar__json_tree *tree, const spar__json_node *node, spar__store_text *text,
                                 spar__buf *out, spar_error *err);

#endif
