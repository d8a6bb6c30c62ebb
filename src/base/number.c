#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
}

double spar__scan_double(const char *text, const char **end)
{
    *end = text;
    const char *digits = text + (*text == '-' || *text == '+');
    if (!((*digits >= '0' && *digits <= '9') || *digits == '.') || (digits[0] == '0' && (digits[1] | 32) == 'x'))
        return 0; /* strtod would also take white space, "nan", "inf" and hexadecimal */
    (void)pthread_once(&once, make_c_locale);
    locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    char *stop = NULL;
    double value = strtod(text, &stop);
    if (before)
        (void)uselocale(before);
    if (!isfinite(value))
        return 0;
    *end = stop;
    return value;
}

bool spar__parse_double(const char *text, double *out)
{
    const char *end;
    double value = spar__scan_double(text, &end);
    if (end == text || *end != '\0')
        return false;
    *out = value;
    return true;
}

bool spar__parse_u64(const char *text, uint64_t *out)
{
    if (*text == '\0')
        return false;
    if (text[strspn(text, "0123456789")] == '\0') {
        errno = 0;
        unsigned long long value = strtoull(text, NULL, 10);
        if (errno)
            return false;
        *out = value;
        return true;
    }
    double value;
    if (!spar__parse_double(text, &value) || value < 0 || value > 9007199254740992.0 || value != floor(value) ||
        *text == '-')
        return false;
    *out = (uint64_t)value;
    return true;
}
