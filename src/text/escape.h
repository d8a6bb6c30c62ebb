/* escape.h - bytes and text inside other text, one function for each form: base64 (RFC 4648, with padding) and
 * hexadecimal, whose readers are strict: each text has one form; HTML, XML and words of a shell. JSON and CSV are
 * written by json.h and csv.h, names in a list by names.h. */
#ifndef SPAR_TEXT_ESCAPE_H
#define SPAR_TEXT_ESCAPE_H

#include "base/buf.h"

void spar__base64_add(spar__buf *out, const void *bytes, size_t length);
bool spar__base64_read(const char *text, size_t length, spar__buf *out); /* appends; out.failed says no memory */

void spar__hex_add(spar__buf *out, const void *bytes, size_t length); /* lower case */
bool spar__hex_read(const char *text, void *bytes, size_t length);    /* exactly 2 x length digits */

/* Text between tags and values in double quotes, shown and never run: the characters that mean something in HTML become
 * references. Control characters and those that change the direction of all that follows become visible escapes
 * ("\u202e"), as do bytes that are no UTF-8; line ends and tabs stay. */
void spar__html_escape(spar__buf *out, const char *text, size_t length);

/* The same without the references: for what is made into HTML by something else. */
void spar__html_visible(spar__buf *out, const char *text, size_t length);

/* The same for XML, in one line: line ends and tabs become spaces, what XML may not hold becomes U+FFFD. */
void spar__xml_escape(spar__buf *out, const char *text, size_t length);

/* One word of a command line, as a shell takes it: as it is, in quotes, or, where it holds what acts on a terminal or
 * is no UTF-8, as $'...' with escapes. So it can be shown and pasted. */
void spar__shell_quote(spar__buf *out, const char *word);

#endif
