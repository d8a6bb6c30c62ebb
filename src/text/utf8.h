/* utf8.h - read text one character at a time, whatever bytes it holds. */
#ifndef SPAR_TEXT_UTF8_H
#define SPAR_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { SPAR__UTF8_BAD = 0xFFFD }; /* what an invalid byte is read as: the replacement character */

/* Puts the first character of text[length] (length > 0) into *code and returns how many bytes it took: 1 to 4. An
 * invalid byte is taken alone, as SPAR__UTF8_BAD. */
size_t spar__utf8_next(const char *text, size_t length, uint32_t *code);

#endif
