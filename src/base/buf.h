/* buf.h - a growing text buffer. Errors stick: after one failed growth every call is a no-op and `failed` is set, so
 * that writers check once, at the end. */
#ifndef SPAR_BASE_BUF_H
#define SPAR_BASE_BUF_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct spar__buf {
    char *text; /* always terminated once something was added; NULL before */
    size_t length, capacity;
    bool failed;
} spar__buf;

void spar__buf_add(spar__buf *buf, const char *bytes, size_t length);
void spar__buf_adds(spar__buf *buf, const char *text);
void spar__buf_printf(spar__buf *buf, const char *format, ...) SPAR__PRINTF(2, 3);

/* The text with escapes in place of what acts on a terminal (base/utf8.h). */
void spar__buf_add_printable(spar__buf *buf, const char *text);

void spar__buf_clear(spar__buf *buf); /* empties, keeps the memory */
void spar__buf_free(spar__buf *buf);

#endif
