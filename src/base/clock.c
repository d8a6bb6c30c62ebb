/* Days from a date and back: the proleptic Gregorian calendar, counted in years that begin in March (Howard Hinnant,
 * "chrono-compatible low-level date algorithms"). */
#include "base/clock.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t SECOND = 1000000, DAY = 86400;
static const int64_t FIRST = -62167219200, LAST = 253402300799; /* seconds: years 0 to 9999 */

static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * y + y / 4 - y / 100), m = (5 * of_year + 2) / 153;
    *day = of_year - (153 * m + 2) / 5 + 1;
    *month = m < 10 ? m + 3 : m - 9;
    *year = y + era * 400 + (*month <= 2);
}

void spar__utc_print(char text[SPAR__UTC_SIZE], int64_t microseconds)
{
    int64_t fraction = microseconds % SECOND, seconds = microseconds / SECOND, year, month, day;
    if (fraction < 0) {
        fraction += SECOND;
        seconds--;
    }
    if (seconds < FIRST || seconds > LAST) {
        (void)snprintf(text, SPAR__UTC_SIZE, "%" PRId64, microseconds);
        return;
    }
    int64_t of_day = seconds % DAY, days = seconds / DAY;
    if (of_day < 0) {
        of_day += DAY;
        days--;
    }
    date_of(days, &year, &month, &day);
    (void)snprintf(text, SPAR__UTC_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", (int)(year % 10000), (int)(month % 100),
                   (int)(day % 100), (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60), (int)fraction);
}

/* Digits as the template has zeros; everything else must be as it stands there. */
static bool fits(const char *text, const char *template)
{
    for (; *template; text++, template ++)
        if (*template == '0' ? *text < '0' || *text > '9' : *text != *template && !(*template == 'T' && *text == ' '))
            return false;
    return true;
}

static int64_t digits(const char *text, size_t n)
{
    int64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = 10 * value + (text[i] - '0');
    return value;
}

bool spar__utc_parse(const char *text, int64_t *microseconds)
{
    int64_t year, month, day;
    if (!fits(text, "0000-00-00T00:00:00")) {
        bool minus = text[0] == '-';
        uint64_t size;
        size_t length = strlen(text + minus);
        if (!length || strspn(text + minus, "0123456789") != length || !spar__parse_u64(text + minus, &size) ||
            size > (uint64_t)INT64_MAX + minus)
            return false;
        *microseconds = minus ? (size ? -(int64_t)(size - 1) - 1 : 0) : (int64_t)size;
        return true;
    }
    int64_t days = days_of(digits(text, 4), digits(text + 5, 2), digits(text + 8, 2));
    int64_t hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2);
    date_of(days, &year, &month, &day); /* a 31 February comes back as another date */
    if (month != digits(text + 5, 2) || day != digits(text + 8, 2) || hour > 23 || minute > 59 || second > 59)
        return false;
    text += 19; /* the fraction: a point and up to six digits, or nothing */
    size_t n = *text == '.' ? strspn(text + 1, "0123456789") : 0;
    if (n > 6 || (*text == '.' && n == 0) || strcmp(text + (n ? n + 1 : 0), "Z") != 0)
        return false;
    int64_t fraction = digits(text + 1, n);
    for (size_t i = n; i < 6; i++)
        fraction *= 10;
    *microseconds = (days * DAY + hour * 3600 + minute * 60 + second) * SECOND + fraction;
    return true;
}
