#include "base/number.h"

#include "tap.h"

#include <locale.h>

static bool whole(const char *text, uint64_t wanted)
{
    uint64_t value = 12345;
    return spar__parse_u64(text, &value) && value == wanted;
}

int main(void)
{
    double x = 0;
    uint64_t n = 0;
    ok(spar__parse_double("0.25", &x) && x == 0.25, "a number");
    ok(spar__parse_double("-1e-3", &x) && x == -1e-3, "an exponent");
    ok(spar__parse_double(".5", &x) && x == 0.5, "without a leading digit");
    static const char *const bad[] = {"", " 1", "1 ", "0x10", "nan", "inf", "1,5", "1e999", "--1", "one", "1.2.3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!spar__parse_double(bad[i], &x), "'%s' is no number", bad[i]);
    ok(whole("0", 0) && whole("18446744073709551615", UINT64_MAX) && whole("1e6", 1000000), "whole numbers");
    static const char *const no[] = {"", "-1", "1.5", "18446744073709551616", "1e30", "seven", "-0"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ok(!spar__parse_u64(no[i], &n), "'%s' is no whole number", no[i]);
    const char *end, *text = "0.5,0.7";
    ok(spar__scan_double(text, &end) == 0.5 && end == text + 3, "scanning stops behind the number");
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        ok(spar__parse_double("0.5", &x) && x == 0.5 && !spar__parse_double("0,5", &x), "whatever the locale");
    return done();
}
