/* utc.h - microseconds since 1970-01-01 00:00 UTC as text, 2026-11-16T04:39:03.123456Z, and back. */
#ifndef SPAR_TEXT_UTC_H
#define SPAR_TEXT_UTC_H

#include <stdbool.h>
#include <stdint.h>

enum { SPAR__UTC_SIZE = 32 };

/* Years 0 to 9999; the number itself outside of them. */
void spar__utc_print(char text[SPAR__UTC_SIZE], int64_t microseconds);

/* What print wrote; also without the fraction, with fewer digits in it, and with a blank for the T. */
bool spar__utc_parse(const char *text, int64_t *microseconds);

#endif
