/* Numbers in text: read as the C library reads them in its own locale, whatever the bytes; and a number that is printed
 * reads back as the same one. */
#include "base/buf.h"

#include "fuzz.h"

#include <math.h>

static void check_printing(double value)
{
    char text[SPAR__NUMBER_SIZE], fixed[SPAR__NUMBER_SIZE];
    double again = 0;
    require(spar__number_print(text, value) == strlen(text));
    require(spar__parse_double(text, &again) == (isfinite(value) != 0));
    require(!isfinite(value) || (again == value && signbit(again) == signbit(value)));
    for (int places = 0; places < 7; places += 3) {
        require(spar__number_print_fixed(fixed, value, places) == strlen(fixed));
        require(!isfinite(value) || (spar__parse_double(fixed, &again) && strcmp(fixed, "-0") != 0));
        require(!(fabs(value) < 1e15) || fabs(again - value) <= 0.51 * pow(10, -places) + fabs(value) * 1e-15);
    }
}

void fuzz_number(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *their_end;
    const char *end;
    double value = spar__scan_double(text, &end), whole = 0, theirs = strtod(text, &their_end);
    uint64_t count;
    require(end >= text && end <= text + strlen(text));
    if (end > text && their_end == end)
        require(value == theirs && signbit(value) == signbit(theirs));
    if (spar__parse_double(text, &whole))
        require(isfinite(whole) && end == text + strlen(text) && whole == value && their_end == end);
    if (spar__parse_u64(text, &count))
        require(end == text + strlen(text) && (double)count == theirs);
    fuzz_input in = {data, size};
    uint64_t bits = fuzz_word(&in);
    memcpy(&value, &bits, sizeof value);
    check_printing(value);
    free(text);
}
