/* buf.c - text: characters of UTF-8, numbers in every locale alike, and the growing buffer that they are written to. A
 * buffer doubles, so that adding costs constant time each; a number costs up to three tries of printf. */
#include "base/buf.h"

#include "base/alloc.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t spar__utf8_next(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000}; /* less is an overlong form */
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = byte[0] < 0x80   ? 1
                  : byte[0] < 0xC0 ? 0
                  : byte[0] < 0xE0 ? 2
                  : byte[0] < 0xF0 ? 3
                  : byte[0] < 0xF8 ? 4
                                   : 0;
    if (size == 1) {
        *code = byte[0];
        return 1;
    }
    *code = SPAR__UTF8_BAD;
    if (size == 0 || size > length)
        return 1;
    uint32_t value = byte[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (byte[i] & 0x3F);
    }
    if (value < smallest[size] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 1;
    *code = value;
    return size;
}

bool spar__utf8_acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* What is shown for the character of `size` bytes: itself or an escape. */
static size_t show(char shown[8], const char *text, size_t size, uint32_t code)
{
    unsigned char byte = (unsigned char)text[0];
    if (code == '\n' || code == '\t' || code == '\r')
        return (size_t)snprintf(shown, 8, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
    if (size == 1 && (byte >= 0x80 || spar__utf8_acts(code)))
        return (size_t)snprintf(shown, 8, "\\x%02x", byte);
    if (spar__utf8_acts(code))
        return (size_t)snprintf(shown, 8, "\\u%04x", (unsigned)(code & 0xFFFF));
    memcpy(shown, text, size);
    return size;
}

size_t spar__printable(char *out, size_t size, const char *text, size_t length)
{
    size_t need = 0, used = 0;
    for (size_t at = 0; at < length;) {
        char shown[8];
        uint32_t code;
        size_t bytes = spar__utf8_next(text + at, length - at, &code);
        size_t n = show(shown, text + at, bytes, code);
        if (used == need && need + n < size) {
            memcpy(out + used, shown, n);
            used += n;
        }
        need += n;
        at += bytes;
    }
    if (size)
        out[used] = '\0';
    return need;
}

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

static bool reserve(spar__buf *buf, size_t extra)
{
    if (buf->failed || extra > SIZE_MAX / 4 - buf->length) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->length + extra + 1;
    if (need <= buf->capacity)
        return true;
    size_t capacity = buf->capacity ? buf->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *text = spar__grow_bytes(buf->text, capacity);
    if (!text) {
        buf->failed = true;
        return false;
    }
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void spar__buf_add(spar__buf *buf, const char *bytes, size_t length)
{
    if (!reserve(buf, length))
        return;
    if (length) /* else bytes may be NULL */
        memcpy(buf->text + buf->length, bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void spar__buf_adds(spar__buf *buf, const char *text)
{
    spar__buf_add(buf, text, strlen(text));
}

void spar__buf_printf(spar__buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        buf->failed = true;
    else if (reserve(buf, (size_t)length)) {
        (void)vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
}

void spar__buf_add_printable(spar__buf *buf, const char *text)
{
    size_t length = strlen(text), need = spar__printable(NULL, 0, text, length);
    if (!reserve(buf, need))
        return;
    (void)spar__printable(buf->text + buf->length, need + 1, text, length);
    buf->length += need;
}

void spar__buf_clear(spar__buf *buf)
{
    buf->length = 0;
    buf->failed = false;
    if (buf->text)
        buf->text[0] = '\0';
}

void spar__buf_free(spar__buf *buf)
{
    spar__free(buf->text);
    *buf = (spar__buf){0};
}
