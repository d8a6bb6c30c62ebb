#include "text/escape.h"

#include <stdint.h>
#include <string.h>

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char DIGITS[] = "0123456789abcdef";

void spar__base64_add(spar__buf *out, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (; length > 0; byte += 3) {
        size_t n = length < 3 ? length : 3;
        uint32_t bits = (uint32_t)byte[0] << 16 | (n > 1 ? (uint32_t)byte[1] << 8 : 0) | (n > 2 ? byte[2] : 0);
        char four[4];
        for (size_t i = 0; i < 4; i++)
            four[i] = i <= n ? LETTERS[bits >> (18 - 6 * i) & 63] : '=';
        spar__buf_add(out, four, 4);
        length -= n;
    }
}

static bool letter(char c, uint32_t *value)
{
    const char *found = c ? strchr(LETTERS, c) : NULL;
    *value = found ? (uint32_t)(found - LETTERS) : 0;
    return found != NULL;
}

bool spar__base64_read(const char *text, size_t length, spar__buf *out)
{
    if (length % 4)
        return false;
    for (size_t at = 0; at < length; at += 4) {
        size_t n = at + 4 < length || text[at + 3] != '=' ? 3 : text[at + 2] != '=' ? 2 : 1;
        uint32_t bits = 0, value;
        for (size_t i = 0; i < 4; i++) {
            if (i <= n && !letter(text[at + i], &value))
                return false;
            bits = bits << 6 | (i <= n ? value : 0);
        }
        if (bits & ((1u << 8 * (3 - n)) - 1)) /* bits behind the last byte */
            return false;
        spar__buf_add(out, (char[]){(char)(bits >> 16), (char)(bits >> 8), (char)bits}, n);
    }
    return true;
}

void spar__hex_add(spar__buf *out, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        spar__buf_add(out, (char[]){DIGITS[byte[i] >> 4], DIGITS[byte[i] & 15]}, 2);
}

bool spar__hex_read(const char *text, void *bytes, size_t length)
{
    unsigned char *byte = bytes;
    if (strlen(text) != 2 * length)
        return false;
    for (size_t i = 0; i < 2 * length; i++) {
        const char *found = strchr(DIGITS, text[i]);
        if (!found)
            return false;
        byte[i / 2] = (unsigned char)((i % 2 ? byte[i / 2] << 4 : 0) | (found - DIGITS));
    }
    return true;
}
