#include "text/utf8.h"

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
