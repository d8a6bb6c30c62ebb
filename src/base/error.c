#include "base/error.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>

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

/* A sentence is one line, whatever bytes a name or a file brought into it. */
static void keep_on_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

spar_status spar__fail(spar_error *err, spar_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        (void)vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        keep_on_one_line(err->text);
    }
    return status;
}

spar_status spar__fail_memory(spar_error *err)
{
    return spar__fail(err, SPAR_NOMEM, "%s", spar_status_text(SPAR_NOMEM));
}

spar_error *spar_error_new(void)
{
    return spar__alloc(1, sizeof(spar_error));
}

spar_status spar_error_status(const spar_error *err)
{
    return err->status;
}

const char *spar_error_text(const spar_error *err)
{
    return err->text;
}

void spar_error_free(spar_error *err)
{
    spar__free(err);
}
