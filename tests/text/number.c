#include "text/number.h"

#include "tap.h"

#include <float.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

static const char *print(double value)
{
    static char text[SPAR__NUMBER_SIZE];
    return spar__number_print(text, value) == strlen(text) ? text : "wrong length";
}

static const char *fixed(double value, int places)
{
    static char text[SPAR__NUMBER_SIZE];
    return spar__number_print_fixed(text, value, places) == strlen(text) ? text : "wrong length";
}

static void test_print(void)
{
    same_text(print(0.1), "0.1", "a tenth");
    same_text(print(0.1 + 0.2), "0.30000000000000004", "17 digits where needed");
    same_text(print(100000), "100000", "a whole number");
    same_text(print(-2.5e300), "-2.5e300", "no plus in the exponent");
    same_text(print(1e-9), "1e-9", "no zeros in the exponent");
    same_text(print(1e20), "1e20", "a zero that belongs to the exponent stays");
    same_text(print(5e-324), "5e-324", "the smallest double");
    same_text(print(DBL_MAX), "1.7976931348623157e308", "the largest double");
    same_text(print(-0.0), "-0", "minus zero");
    same_text(print(NAN), "nan", "not a number");
    same_text(print(-HUGE_VAL), "-inf", "infinite");
    uint64_t state = 1;
    int wrong = 0;
    for (int i = 0; i < 200000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double value, back;
        memcpy(&value, &(uint64_t){state ^ state >> 29}, sizeof value);
        if (isfinite(value))
            wrong += !spar__number_parse(print(value), &back) || memcmp(&back, &value, sizeof back) != 0;
    }
    ok(wrong == 0, "200000 random doubles read back the same (%d wrong)", wrong);
}

static void test_fixed(void)
{
    same_text(fixed(3, 2), "3", "no trailing zeros");
    same_text(fixed(3.1, 2), "3.1", "one place");
    same_text(fixed(3.14159, 2), "3.14", "rounded");
    same_text(fixed(-0.001, 2), "0", "never minus zero");
    same_text(fixed(100, 0), "100", "zeros before the point stay");
    same_text(fixed(1e20, 2), "1e20", "too large for places");
}

static void test_parse(void)
{
    double value = 7;
    static const char *const good[] = {"1", "-1.5", "+.5", "5.", "1e3", "1E-3", "0.1e+2"};
    static const double wanted[] = {1, -1.5, 0.5, 5, 1000, 0.001, 10};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ok(spar__number_parse(good[i], &value) && value == wanted[i], "'%s' is a number", good[i]);
    static const char *const bad[] = {"",    " 1", "1 ", "nan", "inf", "0x10",  "1e",
                                      "1e+", ".",  "-",  "1,5", "--1", "1e999", "1.2.3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        value = 7;
        ok(!spar__number_parse(bad[i], &value) && value == 7, "'%s' is not", bad[i]);
    }
    char huge[2000];
    memset(huge, '1', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    ok(!spar__number_parse(huge, &value), "a number of 2000 digits is refused");
}

static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pl_PL.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found) {
        skip("no locale with a decimal comma here");
        return;
    }
    double value = 0;
    ok(strcmp(localeconv()->decimal_point, ",") == 0, "the locale has a decimal comma");
    same_text(print(1234.5), "1234.5", "a point is written all the same");
    same_text(fixed(1234.5, 2), "1234.5", "with places too");
    ok(spar__number_parse("0.125", &value) && value == 0.125, "and read");
    (void)setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    test_print();
    test_fixed();
    test_parse();
    test_locale();
    return done();
}
