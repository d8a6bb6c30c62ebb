#include "text/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    const char *whole = at;
    at = skip_digits(at);
    size_t digits = (size_t)(at - whole);
    if (*at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at);
        digits += (size_t)(at - fraction);
    }
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        if (!is_digit(*at))
            return false;
        at = skip_digits(at);
    }
    return *at == '\0';
}

bool spar__number_parse(const char *text, double *value)
{
    char local[512]; /* more digits than any double needs; longer texts are refused */
    const char *point = localeconv()->decimal_point, *dot = strchr(text, '.');
    size_t length = strlen(text), size = strlen(point);
    if (!is_decimal(text) || length + size >= sizeof local)
        return false;
    memcpy(local, text, length + 1);
    if (dot) {
        size_t before = (size_t)(dot - text);
        memcpy(local + before, point, size);
        memcpy(local + before + size, dot + 1, length - before);
    }
    double parsed = strtod(local, NULL);
    if (!isfinite(parsed))
        return false;
    *value = parsed;
    return true;
}
