/* expiry.h - for how long something is good, in words: "30d". */
#ifndef SPAR_CLI_EXPIRY_H
#define SPAR_CLI_EXPIRY_H

#include "base/buf.h"

#include <stdint.h>

/* When something that begins now ends, in seconds since 1970; 0: never. text: a number and s, m, h, d or w; "never" or
 * NULL. origin: for the sentence, such as "--expires". */
spar_status spar__expiry_parse(const char *text, const char *origin, int64_t now, int64_t *out, spar_error *err);

/* "2026-11-16 04:39" in UTC, and "never" for 0. */
enum { SPAR__EXPIRY_SIZE = 24 };
void spar__expiry_text(int64_t seconds, char text[SPAR__EXPIRY_SIZE]);

#endif
