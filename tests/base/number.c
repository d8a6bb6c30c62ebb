#include "base/buf.h"

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
            wrong += !spar__parse_double(print(value), &back) || memcmp(&back, &value, sizeof back) != 0;
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

static void test_plural(void)
{
    same_text(spar__plural(0), "s", "0 answers");
    same_text(spar__plural(1), "", "1 answer");
    same_text(spar__plural(2), "s", "2 answers");
}

static bool whole(const char *text, uint64_t wanted)
{
    uint64_t value = 12345;
    return spar__parse_u64(text, &value) && value == wanted;
}

int main(void)
{
    test_print();
    test_fixed();
    test_plural();
    double x = 0;
    uint64_t n = 0;
    ok(spar__parse_double("0.25", &x) && x == 0.25, "a number");
    ok(spar__parse_double("-1e-3", &x) && x == -1e-3, "an exponent");
    ok(spar__parse_double(".5", &x) && x == 0.5, "without a leading digit");
    static const char *const bad[] = {"", " 1", "1 ", "0x10", "nan", "inf", "1,5", "1e999", "--1", "one", "1.2.3", "1e", ".", "-"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!spar__parse_double(bad[i], &x), "'%s' is no number", bad[i]);
    ok(whole("0", 0) && whole("18446744073709551615", UINT64_MAX) && whole("1e6", 1000000), "whole numbers");
    static const char *const no[] = {"", "-1", "1.5", "18446744073709551616", "1e30", "seven", "-0"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ok(!spar__parse_u64(no[i], &n), "'%s' is no whole number", no[i]);
    const char *end, *text = "0.5,0.7";
    ok(spar__scan_double(text, &end) == 0.5 && end == text + 3, "scanning stops behind the number");
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        ok(spar__parse_double("0.5", &x) && x == 0.5 && !spar__parse_double("0,5", &x), "whatever the locale");
        same_text(print(1234.5), "1234.5", "and written with a point");
        same_text(fixed(1234.5, 2), "1234.5", "with places too");
    } else {
        skip("no locale with a decimal comma here");
    }
    return done();
}
