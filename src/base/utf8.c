#include "base/utf8.h"

#include <stdio.h>
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
