#include "plot/plot.h"

#include "page.h"
#include "tap.h"

int main(void)
{
    char longest[400];
    memset(longest, 'w', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const spar__interval_row rows[] = {
        {.label = "tea <hot>", .detail = "chosen 3 of 4", .instead = "leads"},
        {.label = "cocoa", .value = 0.25, .low = 0.1, .high = 0.6},
        {.label = longest, .detail = "never shown", .value = NAN, .low = 0, .high = 1, .faint = true},
    };
    spar__interval_figure figure = {"tea leads", "made up", "how often", "bars", "in", "out", 3, rows};
    spar__buf out = {0};
    spar__plot_intervals(&figure, &out);
    ok(!xml_wrong(out.text) && strstr(out.text, "tea &lt;hot&gt;") && strstr(out.text, "leads"),
       "a page with the texts");
    ok(count(out.text, "<circle") == 3, "a dot for the value, and two in the key");
    ok(!strstr(out.text, "nan") && count(out.text, longest) == 1 && strstr(out.text, "www\xE2\x80\xA6"),
       "a long name is cut, but not for the pointer");
    ok(strstr(out.text, "<title>cocoa: 25.0 %, from 10.0 to 60.0 %</title>"), "which is told the values");
    spar__buf_clear(&out);
    figure = (spar__interval_figure){.n = 0};
    spar__plot_intervals(&figure, &out);
    ok(!xml_wrong(out.text), "a page without rows");
    spar__buf_free(&out);
    return done();
}
