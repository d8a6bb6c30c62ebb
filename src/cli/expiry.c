#include "cli/expiry.h"

#include "base/error.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAY = 86400, YEARS = 100 };

static int64_t unit_of(char c)
{
    switch (c) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3600;
    case 'd':
        return DAY;
    case 'w':
        return 7 * DAY;
    default:
        return 0;
    }
}

spar_status spar__expiry_parse(const char *text, const char *origin, int64_t now, int64_t *out, spar_error *err)
{
    *out = 0;
    if (!text || strcmp(text, "never") == 0)
        return SPAR_OK;
    char *end = NULL;
    long n = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;
    int64_t unit = end ? unit_of(*end) : 0, most = (int64_t)YEARS * 365 * DAY;
    if (!unit || end[1] || n < 1 || n > most / unit)
        return spar__fail(err, SPAR_INVALID,
                          "%s '%.40s': expected a time such as 12h, 30d or 8w, at most 100 years, or never", origin,
                          text);
    *out = now + n * unit;
    return SPAR_OK;
}

void spar__expiry_text(int64_t seconds, char text[SPAR__EXPIRY_SIZE])
{
    char utc[SPAR__UTC_SIZE];
    spar__utc_print(utc, seconds * 1000000);
    utc[10] = ' '; /* in place of the T; minutes are enough */
    (void)snprintf(text, SPAR__EXPIRY_SIZE, "%.16s", seconds ? utc : "never");
}
