#include "base/clock.h"

#include "tap.h"

#include <inttypes.h>

static void check(int64_t time, const char *text)
{
    char shown[SPAR__UTC_SIZE];
    int64_t back = 1;
    spar__utc_print(shown, time);
    same_text(shown, text, "%" PRId64, time);
    ok(spar__utc_parse(text, &back) && back == time, "%s comes back", text);
}

static void test_known(void)
{
    check(0, "1970-01-01T00:00:00.000000Z");
    check(-1, "1969-12-31T23:59:59.999999Z");
    check(951782400000000, "2000-02-29T00:00:00.000000Z"); /* date -u -d 2000-02-29 +%s */
    check(1794803943123456, "2026-11-16T04:39:03.123456Z");
    check(253402300799999999, "9999-12-31T23:59:59.999999Z");
    check(-62167219200000000, "0000-01-01T00:00:00.000000Z");
    check(253402300800000000, "253402300800000000");
    check(INT64_MAX, "9223372036854775807");
    check(INT64_MIN, "-9223372036854775808");
}

static void test_every_day(void)
{
    bool same = true;
    for (int64_t day = -800000; day < 2900000 && same; day += 7) {
        char text[SPAR__UTC_SIZE];
        int64_t back = 0, time = day * 86400 * 1000000 + 12345;
        spar__utc_print(text, time);
        same = spar__utc_parse(text, &back) && back == time;
    }
    ok(same, "dates of ten thousand years come back");
}

static void test_forms(void)
{
    int64_t time = 0;
    ok(spar__utc_parse("1970-01-01 00:00:01Z", &time) && time == 1000000, "a blank, no fraction");
    ok(spar__utc_parse("1970-01-01T00:00:00.5Z", &time) && time == 500000, "one digit");
    static const char *const bad[] = {"",
                                      "x",
                                      "-",
                                      "1970-01-01",
                                      "1970-01-01T00:00:00",
                                      "1970-02-31T00:00:00Z",
                                      "1970-13-01T00:00:00Z",
                                      "1970-00-01T00:00:00Z",
                                      "1970-01-01T24:00:00Z",
                                      "1970-01-01T00:00:60Z",
                                      "1970-01-01T00:00:00.Z",
                                      "1970-01-01T00:00:00.1234567Z",
                                      "1970-01-01T00:00:00+01:00",
                                      "9223372036854775808"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!spar__utc_parse(bad[i], &time), "'%s' is refused", bad[i]);
}

int main(void)
{
    test_known();
    test_every_day();
    test_forms();
    return done();
}
