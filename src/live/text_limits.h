/* text_limits.h - texts that people wrote: what is accepted, and the limits. */
#ifndef SPAR_LIVE_TEXT_LIMITS_H
#define SPAR_LIVE_TEXT_LIMITS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SPAR__MOST_TITLE = 200,             /* characters of an id, a title, a name */
    SPAR__MOST_QUESTION = 2000,         /* characters */
    SPAR__MOST_BODY = 64 * 1024,        /* bytes */
    SPAR__MOST_IMAGE = 8 * 1024 * 1024, /* bytes */
    SPAR__MOST_COMMENT = 16 * 1024,     /* bytes */
    SPAR__MOST_SOURCE = 128 * 1024,     /* bytes: a comment as JSON, and more */
    SPAR__LONG_BODY = 280,              /* characters: more are long to read */
    SPAR__MOST_OPTIONS = 10000,
    SPAR__MOST_ITEMS = 100000,
    SPAR__FEATURES_MOST = 4096,
    SPAR__SCREEN_LEAST = 2,
    SPAR__SCREEN_MOST = 12, /* of a screen that people see */
};

/* What a text may be. */
typedef struct spar__text_limits {
    const char *what;  /* for messages: "title" */
    size_t characters; /* at most; 0: any number */
    size_t bytes;      /* at most; 0: any number */
    bool lines;        /* line breaks and tabs are fine */
} spar__text_limits;

extern const spar__text_limits spar__voter_limits, spar__source_limits;

/* Valid UTF-8 within the limits, without characters that act on a terminal; not empty. */
spar_status spar__text_check(const spar__text_limits *limits, const char *text, spar_error *err);

/* Replaces *field, which is new (spar__free), by a copy of such a text (limits NULL: of any); NULL takes it away.
 */
spar_status spar__text_set(char **field, const spar__text_limits *limits, const char *text, spar_error *err);

size_t spar__text_count(const char *text); /* characters */

#endif
