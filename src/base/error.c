#include "base/error.h"

#include "base/alloc.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *spar_status_text(spar_status status)
{
    switch (status) {
#define CASE(name, value, text)                                                                                        \
    case SPAR_##name:                                                                                                  \
        return text;
        SPAR_STATUS_MAP(CASE)
#undef CASE
    }
    return "unknown status";
}

/* Makes the sentence printable; one that is too long loses its middle, for that is where a long path is: how it begins
 * and the reason at its end stay. */
static void set_text(char *out, size_t size, const char *text, size_t length)
{
    size_t half = size / 2 - 2, from = length;
    if (spar__printable(out, size, text, length) < size)
        return;
    while (from > 0 && spar__printable(NULL, 0, text + from - 1, length - from + 1) < half)
        from--;
    while (from < length && ((unsigned char)text[from] & 0xC0) == 0x80) /* not in the middle of a character */
        from++;
    (void)spar__printable(out, half, text, length);
    size_t used = strlen(out);
    memcpy(out + used, "...", 3);
    (void)spar__printable(out + used + 3, size - used - 3, text + from, length - from);
}

spar_status spar__fail(spar_error *err, spar_status status, const char *format, ...)
{
    if (err) {
        char text[1 << 13]; /* two paths of the longest kind, and apart from *err, whose text may be an argument */
        va_list args;
        va_start(args, format);
        int length = vsnprintf(text, sizeof text, format, args);
        va_end(args);
        if (length < 0)
            text[0] = '\0';
        err->status = status;
        set_text(err->text, sizeof err->text, text, strlen(text));
    }
    return status;
}

spar_status spar__fail_memory(spar_error *err)
{
    return spar__fail(err, SPAR_NOMEM, "%s", spar_status_text(SPAR_NOMEM));
}

spar_status spar__fail_null(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "a pointer is NULL that must not be");
}

spar_error *spar_error_new(void)
{
    return spar__alloc(1, sizeof(spar_error));
}

spar_status spar_error_status(const spar_error *err)
{
    return err ? err->status : SPAR_INVALID;
}

const char *spar_error_text(const spar_error *err)
{
    return err ? err->text : "";
}

void spar_error_free(spar_error *err)
{
    spar__free(err);
}
