/* escape.h - text as part of a page: shown, never run. */
#ifndef SPAR_SERVICE_ESCAPE_H
#define SPAR_SERVICE_ESCAPE_H

#include "base/buf.h"

/* For text between tags and for values in double quotes: the characters that mean something in HTML become references.
 * Control characters and those that change the direction of all that follows become visible escapes ("\u202e"), as do
 * bytes that are no UTF-8; line ends and tabs stay. */
void spar__escape_html(spar__buf *out, const char *text, size_t length);

/* The same without the references: for what is made into HTML by something else. */
void spar__escape_acts(spar__buf *out, const char *text, size_t length);

#endif
