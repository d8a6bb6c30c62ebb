/* number.h - decimal text to double and back, with a decimal point in every locale. */
#ifndef SPAR_TEXT_NUMBER_H
#define SPAR_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { SPAR__NUMBER_SIZE = 32 };

/* Writes the shortest decimal that reads back as the same double ("0.1", "1e-9", "-2.5e300"; "nan", "inf", "-inf") and
 * returns its length. */
size_t spar__number_print(char text[SPAR__NUMBER_SIZE], double value);

/* Like printf's "%.*f" without trailing zeros, "-0" or the locale: 2 places give "3", "3.1", "3.14". For |value| <
 * 1e15; anything else is printed by spar__number_print. */
size_t spar__number_print_fixed(char text[SPAR__NUMBER_SIZE], double value, int places);

/* True and *value set when all of text is one decimal number: sign, digits with or without a point, exponent.
 * Hexadecimal, "nan", "inf", blanks and values that overflow are refused. */
bool spar__number_parse(const char *text, double *value);

#endif
