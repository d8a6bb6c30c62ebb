/* yaml.h - a YAML file as a small read-only tree: maps, lists and scalars, each with its place for error sentences.
 *
 * What configuration needs, and no more: one document, plain text keys, no anchors, aliases or tags, no key twice in a
 * map, at most SPAR__YAML_DEPTH levels. Scalars are text; what they mean is decided by who asks. */
#ifndef SPAR_TEXT_YAML_H
#define SPAR_TEXT_YAML_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPAR__YAML_BYTES = 1 << 20, /* of the file */
    SPAR__YAML_NODES = 100000,
    SPAR__YAML_KEYS = 1000, /* in one map */
    SPAR__YAML_DEPTH = 32,
};

typedef enum spar__yaml_kind { SPAR__YAML_SCALAR, SPAR__YAML_LIST, SPAR__YAML_MAP } spar__yaml_kind;

/* Members of a map and items of a list are walked with
 * for (const spar__yaml *item = node->first; item; item = item->next). */
typedef struct spar__yaml {
    spar__yaml_kind kind;
    const char *file;         /* its name as given to the parser */
    size_t line, column;      /* from 1 */
    const char *key;          /* under which a map holds it; NULL in lists and at the root */
    const char *text;         /* of a scalar; NULL otherwise */
    bool quoted;              /* "12" is text where 12 is a number */
    size_t count;             /* members or items */
    struct spar__yaml *first; /* of them, in the order of the file */
    struct spar__yaml *next;  /* beside this one */
} spar__yaml;

/* Parses text[length]; file is copied. Errors read "file.yaml:3:5: ...". */
spar_status spar__yaml_parse(const char *file, const char *text, size_t length, spar__yaml **out, spar_error *err);

/* The same from a file; "-" is standard input. */
spar_status spar__yaml_load(const char *path, spar__yaml **out, spar_error *err);

void spar__yaml_free(spar__yaml *root);

/* The member of a map under this key; NULL when there is none or node is no map. */
const spar__yaml *spar__yaml_get(const spar__yaml *node, const char *key);

/* The value of a scalar, or an error that names its place. Text may come quoted, the others may not. */
spar_status spar__yaml_text(const spar__yaml *node, const char **text, spar_error *err);
spar_status spar__yaml_number(const spar__yaml *node, double *value, spar_error *err);
spar_status spar__yaml_integer(const spar__yaml *node, int64_t *value, spar_error *err);
spar_status spar__yaml_boolean(const spar__yaml *node, bool *value, spar_error *err); /* true or false */

/* An error at node: "file.yaml:3:5: " and the sentence. */
spar_status spar__yaml_fail(const spar__yaml *node, spar_error *err, const char *format, ...) SPAR__PRINTF(3, 4);

#endif
