/* yaml.h - the values of a YAML file, one after the other, each with the keys it stands under and its place.
 *
 * What configuration needs, and no more: one document, plain text keys, no anchors, aliases or tags, no key twice in a
 * map, at most SPAR__YAML_DEPTH levels. Values are text, which the caller interprets. */
#ifndef SPAR_TEXT_YAML_H
#define SPAR_TEXT_YAML_H

#include "base/error.h"

enum {
    SPAR__YAML_BYTES = 1 << 24, /* of the file */
    SPAR__YAML_KEYS = 1000,     /* in one map */
    SPAR__YAML_DEPTH = 8,
};

/* a: [x, {b: y}] has x with depth 2, keys a and NULL, indices 0 and 0; and y with depth 3, keys a, NULL, b and indices
 * 0, 1, 0. */
typedef struct spar__yaml_value {
    const char *file;
    size_t line, column; /* from 1 */
    size_t depth;        /* maps and lists that it is in, from outside: */
    struct {
        const char *key; /* NULL in a list */
        size_t index;    /* members or items before it */
    } in[SPAR__YAML_DEPTH];
    const char *text; /* NULL: an empty map or list */
} spar__yaml_value;

/* Takes a value, in the order of the file; what it points to is gone afterwards. An error ends the reading. */
typedef spar_status spar__yaml_take(void *context, const spar__yaml_value *value, spar_error *err);

/* Reads text[length]. Errors read "file.yaml:3:5: ...". */
spar_status spar__yaml_parse(const char *file, const char *text, size_t length, spar__yaml_take *take, void *context,
                             spar_error *err);

/* The same from a file; "-" is standard input. */
spar_status spar__yaml_load(const char *path, spar__yaml_take *take, void *context, spar_error *err);

/* SPAR_PARSE with the place of the value and a sentence. */
spar_status spar__yaml_fail(const spar__yaml_value *value, spar_error *err, const char *format, ...) SPAR__PRINTF(3, 4);

#endif
