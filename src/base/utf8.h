/* utf8.h - read text one character at a time, whatever bytes it holds, and make it safe to show. */
#ifndef SPAR_BASE_UTF8_H
#define SPAR_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
