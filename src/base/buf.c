#include "base/buf.h"

#include "base/alloc.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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
