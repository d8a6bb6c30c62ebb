#include "rank/location.h"

#include <stdarg.h>
#include <stdio.h>

enum { SHOWN = 24 }; /* characters of what was found */

static void describe(const spar__location *place, const char *at, char *text, size_t size)
{
    int length = 0;
    if (spar__line_ends(place, at)) {
        (void)snprintf(text, size, "the end of the line");
    } else if (*at == '\0') {
        (void)snprintf(text, size, "a zero byte");
    } else if (spar__is_blank(*at)) {
        (void)snprintf(text, size, "a blank");
    } else {
        while (length < SHOWN && at[length] && !spar__is_blank(at[length]) && !spar__line_ends(place, at + length))
            length++;
        bool zero = length < SHOWN && at[length] == '\0' && at + length < place->end;
        (void)snprintf(text, size, "'%.*s'%s", length, at, zero ? " and a zero byte" : "");
    }
}

static spar_status fail_at(const spar__location *place, const char *at, spar_error *err, const char *text)
{
    return spar__fail(err, SPAR_PARSE, "%s:%zu:%zu: %s", place->file, place->line, (size_t)(at - place->start) + 1,
                      text);
}

spar_status spar__location_fail(const spar__location *place, const char *at, spar_error *err, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail_at(place, at, err, text);
}

spar_status spar__location_expected(const spar__location *place, const char *at, spar_error *err, const char *format,
                                    ...)
{
    char expected[160], found[SHOWN + 24], text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(expected, sizeof expected, format, args);
    va_end(args);
    describe(place, at, found, sizeof found);
    (void)snprintf(text, sizeof text, "expected %s, found %s", expected, found);
    return fail_at(place, at, err, text);
}
