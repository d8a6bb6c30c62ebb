#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Copies what printf made, with "." for whatever the locale's point is, and exponents as e-9 and e20, not e-09 and
 * e+20. */
static size_t normalise(char *out, const char *in)
{
    char *at = out;
    while (*in) {
        if (*in == 'e') {
            *at++ = *in++;
            if (*in == '-')
                *at++ = '-';
            in++;
            while (*in == '0' && in[1])
                in++;
        } else if (is_digit(*in) || *in == '-') {
            *at++ = *in++;
        } else {
            *at++ = '.';
            while (*in && !is_digit(*in))
                in++;
        }
    }
    *at = '\0';
    return (size_t)(at - out);
}

size_t spar__number_print(char text[SPAR__NUMBER_SIZE], double value)
{
    char raw[SPAR__NUMBER_SIZE + 16];
    if (!isfinite(value))
        return (size_t)snprintf(text, SPAR__NUMBER_SIZE, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    /* Fifteen digits hold every short decimal of a normal double; below that the digits thin out. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        (void)snprintf(raw, sizeof raw, "%.*g", digits, value);
        if (strtod(raw, NULL) == value)
            break;
    }
    return normalise(text, raw);
}

size_t spar__number_print_fixed(char text[SPAR__NUMBER_SIZE], double value, int places)
{
    if (!(fabs(value) < 1e15) || places < 0 || places > 12)
        return spar__number_print(text, value);
    char raw[SPAR__NUMBER_SIZE + 16];
    (void)snprintf(raw, sizeof raw, "%.*f", places, value);
    size_t length = normalise(text, raw);
    if (places > 0) {
        while (text[length - 1] == '0')
            length--;
        if (text[length - 1] == '.')
            length--;
        text[length] = '\0';
    }
    if (strcmp(text, "-0") == 0) {
        (void)strcpy(text, "0");
        length = 1;
    }
    return length;
}

const char *spar__plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
