/* number.h - numbers from text, the same in every locale. */
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

#endif
