#include "plot/plot.h"

#include "page.h"
#include "tap.h"

static void test_strip(void)
{
    spar__strip strip = {.name = "tea <hot>: 25 %", .value = 0.25, .low = 0.1, .high = 0.6};
    spar__buf out = {0};
    spar__plot_strip(&strip, &out);
    ok(!xml_wrong(out.text) && strstr(out.text, "role=\"img\"") &&
           strstr(out.text, "<title>tea &lt;hot&gt;: 25 %</title>"),
       "a strip has a name, escaped");
    ok(strstr(out.text, "x1=\"10%\" x2=\"60%\"") && strstr(out.text, "cx=\"25%\""),
       "a bar and a dot where they belong");
    ok(!strstr(out.text, "style=") && !strstr(out.text, "fill=") && !strstr(out.text, "faint"),
       "the page says how it looks");
    spar__buf_clear(&out);
    strip = (spar__strip){.name = "", .value = NAN, .low = -1, .high = 2, .faint = true};
    spar__plot_strip(&strip, &out);
    ok(!xml_wrong(out.text) && !strstr(out.text, "circle") && strstr(out.text, "x1=\"0%\" x2=\"100%\"") &&
           strstr(out.text, "faint"),
       "without a value no dot; nothing outside of the axis");
    spar__buf_free(&out);
}

static void test_columns(void)
{
    const uint64_t counts[] = {2, 0, 4, 1}, none[] = {0, 0};
    spar__buf out = {0};
    spar__plot_columns("answers & days", 4, counts, &out);
    ok(!xml_wrong(out.text) && strstr(out.text, "answers &amp; days"), "columns have a name");
    ok(count(out.text, "<rect") == 3 && strstr(out.text, "height=\"94\"") && strstr(out.text, "height=\"47\""),
       "columns are as high as their counts");
    spar__buf_clear(&out);
    spar__plot_columns("none", 2, none, &out);
    ok(!xml_wrong(out.text) && !strstr(out.text, "<rect"), "no counts, no columns");
    spar__buf_clear(&out);
    spar__plot_columns("none", 0, NULL, &out);
    ok(!xml_wrong(out.text) && !strstr(out.text, "nan"), "no columns at all");
    spar__buf_free(&out);
}

int main(void)
{
    test_strip();
    test_columns();
    return done();
}
