/* Any text as base64 and as hexadecimal digits: refused, or bytes that are written as the same text; and any bytes read
 * back. */
#include "text/escape.h"

#include "fuzz.h"

static void check_base64(const char *text, size_t length)
{
    spar__buf bytes = {0}, again = {0};
    if (spar__base64_read(text, length, &bytes)) {
        spar__base64_add(&again, bytes.text, bytes.length);
        require(again.length == length && (!length || memcmp(again.text, text, length) == 0));
    }
    spar__buf_free(&bytes);
    spar__buf_free(&again);
}

static void check_hex(const char *text)
{
    unsigned char bytes[8];
    spar__buf again = {0};
    if (spar__hex_read(text, bytes, sizeof bytes)) {
        spar__hex_add(&again, bytes, sizeof bytes);
        require(strcmp(again.text, text) == 0);
    }
    spar__buf_free(&again);
}

void fuzz_base64(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    spar__buf out = {0}, back = {0};
    check_base64((const char *)data, size);
    check_hex(text);
    spar__base64_add(&out, data, size);
    require(spar__base64_read(out.text, out.length, &back) && back.length == size);
    require(!size || memcmp(back.text, data, size) == 0);
    spar__buf_free(&out);
    spar__buf_free(&back);
    free(text);
}
