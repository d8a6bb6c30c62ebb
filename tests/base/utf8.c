#include "base/buf.h"

#include "tap.h"

static bool reads(const char *bytes, size_t size, uint32_t code)
{
    uint32_t got = 0;
    return spar__utf8_next(bytes, strlen(bytes), &got) == size && got == code;
}

static void shows(const char *text, const char *wanted)
{
    char out[64];
    size_t length = spar__printable(out, sizeof out, text, strlen(text));
    same_text(out, wanted, "shown as %s", wanted);
    ok(length == strlen(wanted) && spar__printable(NULL, 0, text, strlen(text)) == length, "of that length");
}

static void check_printable(void)
{
    shows("plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
    shows("a\nb\tc\r\x1b[31m\x7f", "a\\nb\\tc\\r\\x1b[31m\\x7f");
    shows("\xC2\x9B"
          "2J\xC2\x85",
          "\\u009b2J\\u0085");
    shows("\xE2\x80\xAE"
          "exe\xE2\x81\xA9\xE2\x80\x8F\xE2\x80\xA8",
          "\\u202eexe\\u2069\\u200f\\u2028");
    shows("\xC3(\xFF\xED\xA0\x80", "\\xc3(\\xff\\xed\\xa0\\x80");
    shows("\xEF\xBF\xBD", "\xEF\xBF\xBD");
    shows("", "");
    char out[5];
    ok(spar__printable(out, sizeof out, "ab\x1b", 3) == 6, "the length of the whole is said");
    same_text(out, "ab", "an escape is whole or absent");
    (void)spar__printable(out, sizeof out,
                          "abc\xE2\x82\xAC"
                          "d",
                          7);
    same_text(out, "abc", "so is a character, and nothing follows it");
}

int main(void)
{
    check_printable();
    ok(reads("a", 1, 'a') && reads("\x7F", 1, 0x7F), "one byte");
    ok(reads("\xC2\x80", 2, 0x80) && reads("\xDF\xBF", 2, 0x7FF), "two bytes");
    ok(reads("\xE0\xA0\x80", 3, 0x800) && reads("\xEF\xBF\xBF", 3, 0xFFFF), "three bytes");
    ok(reads("\xF0\x90\x80\x80", 4, 0x10000) && reads("\xF4\x8F\xBF\xBF", 4, 0x10FFFF), "four bytes");
    static const char *const bad[] = {"\x80",
                                      "\xBF",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xED\xBF\xBF",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF8\x88\x80\x80",
                                      "\xFF",
                                      "\xC3",
                                      "\xE2\x82",
                                      "\xC3(",
                                      "\xE2\x82(",
                                      "\xF0\x9F\x98"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(reads(bad[i], 1, SPAR__UTF8_BAD), "invalid bytes %zu are taken one at a time", i);
    uint32_t code;
    ok(spar__utf8_next("\xE2\x82\xAC", 2, &code) == 1 && code == SPAR__UTF8_BAD, "the length is not passed over");
    return done();
}
