/* decimal.h - decimal numbers from text: correctly rounded, and fast for those that people and programs write. */
#ifndef SPAR_RANK_DECIMAL_H
#define SPAR_RANK_DECIMAL_H

/* The number at the start of text: digits with an optional sign, point and exponent. Returns the place behind it, or
 * NULL when there is none or it is too large for a double. The number must be followed by some other character, at *end
 * at the latest. */
const char *spar__decimal_scan(const char *text, const char *end, double *out);

#endif
