/* escape.h - bytes as text: base64 (RFC 4648, with padding) and hexadecimal. The readers are strict: each text has one
 * form. */
#ifndef SPAR_TEXT_ESCAPE_H
#define SPAR_TEXT_ESCAPE_H

#include "base/buf.h"

void spar__base64_add(spar__buf *out, const void *bytes, size_t length);
bool spar__base64_read(const char *text, size_t length, spar__buf *out); /* appends; out.failed says no memory */

void spar__hex_add(spar__buf *out, const void *bytes, size_t length); /* lower case */
bool spar__hex_read(const char *text, void *bytes, size_t length);    /* exactly 2 x length digits */

#endif
