/* number.h - numbers from text and to text, the same in every locale. */
#ifndef SPAR_BASE_NUMBER_H
#define SPAR_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
