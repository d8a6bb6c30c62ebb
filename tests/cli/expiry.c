/* Times in words. */
#include "cli/common.h"

#include "tap.h"

enum { NOW = 1794800000 };

static bool gives(const char *text, int64_t seconds)
{
    int64_t out = -1;
    return !spar__expiry_parse(text, "--expires", NOW, &out, NULL) && out == (seconds ? NOW + seconds : 0);
}

int main(void)
{
    static const char *const wrong[] = {"",    "d",   "30",   "-1d",    "+1d",
                                        " 1d", "1 d", "1.5d", "0d",     "1dd",
                                        "1y",  "1D",  "x",    "36501d", "9999999999999999999999d"};
    ok(gives(NULL, 0) && gives("never", 0), "never");
    ok(gives("1s", 1) && gives("90s", 90) && gives("2m", 120) && gives("12h", 43200) && gives("30d", 2592000) &&
           gives("8w", 4838400) && gives("36500d", (int64_t)36500 * 86400),
       "seconds to a hundred years");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t out = -1;
        spar_error err = {0};
        ok(spar__expiry_parse(wrong[i], "--expires", NOW, &out, &err) == SPAR_INVALID && out == 0 &&
               strstr(err.text, "--expires"),
           "%s", err.text);
    }
    char text[SPAR__EXPIRY_SIZE];
    spar__expiry_text(NOW, text);
    ok(strcmp(text, "2026-11-16 03:33") == 0, "%s", text);
    spar__expiry_text(0, text);
    ok(strcmp(text, "never") == 0, "%s", text);
    return done();
}
