/* json.h - write JSON onto a buffer, piece by piece; commas take care of themselves.
 *
 *     spar__json json = {.out = &buf};
 *     spar__json_begin_object(&json);
 *     spar__json_add_number(&json, "mean", 161.5);
 *     spar__json_end_object(&json);
 *
 * The result is one line of UTF-8 without blanks, in which nothing acts on a terminal. Failed growth sticks to the
 * buffer: check out->failed at the end. */
#ifndef SPAR_TEXT_JSON_H
#define SPAR_TEXT_JSON_H

#include "base/buf.h"

typedef struct spar__json {
    spar__buf *out;
    bool comma; /* something came before on this level */
} spar__json;

void spar__json_begin_object(spar__json *json);
void spar__json_end_object(spar__json *json);
void spar__json_begin_array(spar__json *json);
void spar__json_end_array(spar__json *json);
void spar__json_key(spar__json *json, const char *key);

void spar__json_string(spar__json *json, const char *text); /* NULL becomes null; invalid UTF-8 becomes U+FFFD */
void spar__json_unsigned(spar__json *json, uint64_t value);
void spar__json_number(spar__json *json, double value); /* shortest that reads back the same; not finite: null */
void spar__json_boolean(spar__json *json, bool value);
void spar__json_null(spar__json *json);

/* A key and its value. */
void spar__json_add_string(spar__json *json, const char *key, const char *text);
void spar__json_add_unsigned(spar__json *json, const char *key, uint64_t value);
void spar__json_add_number(spar__json *json, const char *key, double value);
void spar__json_add_boolean(spar__json *json, const char *key, bool value);
void spar__json_add_null(spar__json *json, const char *key);

#endif
