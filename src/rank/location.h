/* location.h - where in a text file something was not as expected: "train.txt:12:34: expected ':', found 'x'". */
#ifndef SPAR_RANK_LOCATION_H
#define SPAR_RANK_LOCATION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct spar__location {
    const char *file;  /* as the user knows it */
    size_t line;       /* from 1 */
    const char *start; /* of the line */
    const char *end;   /* of the whole text; *end is a zero byte unless the last line has its newline */
} spar__location;

/* Fails with SPAR_PARSE: the sentence names the place, what the format says was expected, and what stands there. */
spar_status spar__location_expected(const spar__location *place, const char *at, spar_error *err, const char *format,
                                    ...) SPAR__PRINTF(4, 5);

/* Fails with SPAR_PARSE and a sentence of the caller's. */
spar_status spar__location_fail(const spar__location *place, const char *at, spar_error *err, const char *format, ...)
    SPAR__PRINTF(4, 5);

static inline bool spar__is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static inline bool spar__is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Nothing is left of the line: a newline, with or without a carriage return, or the end of the text. */
static inline bool spar__line_ends(const spar__location *place, const char *at)
{
    if (*at == '\r')
        at++;
    return *at == '\n' || at >= place->end;
}

#endif
