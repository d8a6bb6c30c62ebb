/* buf.h - text: a growing buffer, characters of UTF-8, and numbers. */
#ifndef SPAR_BASE_BUF_H
#define SPAR_BASE_BUF_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A growing text buffer. Errors stick: after one failed growth every call is a no-op and `failed` is set, so
 * that writers check once, at the end. */
typedef struct spar__buf {
    char *text; /* always terminated once something was added; NULL before */
    size_t length, capacity;
    bool failed;
} spar__buf;

void spar__buf_add(spar__buf *buf, const char *bytes, size_t length);
void spar__buf_adds(spar__buf *buf, const char *text);
void spar__buf_printf(spar__buf *buf, const char *format, ...) SPAR__PRINTF(2, 3);

/* The text with escapes in place of what acts on a terminal (buf.h). */
void spar__buf_add_printable(spar__buf *buf, const char *text);

void spar__buf_clear(spar__buf *buf); /* empties, keeps the memory */
void spar__buf_free(spar__buf *buf);

/* Read text one character at a time, whatever bytes it holds, and make it safe to show. */

enum { SPAR__UTF8_BAD = 0xFFFD }; /* what an invalid byte is read as: the replacement character */

/* Puts the first character of text[length] (length > 0) into *code and returns how many bytes it took: 1 to 4. An
 * invalid byte is taken alone, as SPAR__UTF8_BAD. */
size_t spar__utf8_next(const char *text, size_t length, uint32_t *code);

/* Does this character act on a terminal or hide text, rather than show? Control characters (C0, DEL, C1), line
 * separators, marks and overrides of the direction of writing. */
bool spar__utf8_acts(uint32_t code);

/* Copies text[length] to out[size], terminated, with visible escapes in place of characters that act and bytes
 * that are no UTF-8 ("\n", "\x1b", "\u202e"). Cuts between characters where out is too small. Returns the length of
 * the whole, without the zero byte, as snprintf does; with size 0 out may be NULL. */
size_t spar__printable(char *out, size_t size, const char *text, size_t length);

/* Numbers from text and to text, the same in every locale. */

/* The whole of text must be one number; hexadecimal, infinities and NaN are refused. */
bool spar__parse_double(const char *text, double *out);
bool spar__parse_u64(const char *text, uint64_t *out); /* digits only; also 1e6, if whole and below 2^53 */

/* The number at the start of text; *end is set behind it (to text itself when there is none). */
double spar__scan_double(const char *text, const char **end);

enum { SPAR__NUMBER_SIZE = 32 };

/* Writes the shortest decimal that reads back as the same double ("0.1", "1e-9", "-2.5e300"; "nan", "inf", "-inf") and
 * returns its length. */
size_t spar__number_print(char text[SPAR__NUMBER_SIZE], double value);

/* Like printf's "%.*f" without trailing zeros, "-0" or the locale: 2 places give "3", "3.1", "3.14". For |value| <
 * 1e15; anything else is printed by spar__number_print. */
size_t spar__number_print_fixed(char text[SPAR__NUMBER_SIZE], double value, int places);

/* What a noun ends with behind a count: "" for one thing, else "s". */
const char *spar__plural(uint64_t count);

#endif
