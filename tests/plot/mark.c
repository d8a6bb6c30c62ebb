#include "plot/svg.h"

#include "page.h"
#include "tap.h"

int main(void)
{
    near(spar__mark_radius(16, 16, 2, 8), 8, 0, "the most has the largest mark");
    near(spar__mark_radius(4, 16, 2, 8), 4, 1e-12, "a quarter of it half the radius");
    near(spar__mark_radius(0.5, 1000, 2, 8), 2, 0, "few are still seen");
    near(spar__mark_radius(0, 16, 2, 8), 0, 0, "none is not");
    spar__buf out = {0};
    spar__buf_adds(&out, "<g>");
    for (int mark = SPAR__MARK_LINE; mark <= SPAR__MARK_FRAME; mark++)
        spar__mark_draw(&out, (spar__mark)mark, 10, 20, 5);
    spar__buf_adds(&out, "</g>");
    ok(!xml_wrong(out.text), "marks are well-formed");
    ok(count(out.text, "<circle") == 2 && count(out.text, "<path") == 2 && count(out.text, "<rect") == 2,
       "two discs, two halves, a frame of two lines");
    const char *left = strstr(out.text, "M10 15A5 5 0 0 0 10 25Z"),
               *right = strstr(out.text, "M10 15A5 5 0 0 1 10 25Z");
    ok(left && right && left < right, "wins to the left, losses to the right");
    const char *dark = strstr(out.text, "fill=\"#1a1a1a\""), *hollow = strstr(out.text, "fill=\"#fff\"");
    ok(dark && hollow && dark < hollow, "won is dark, lost is hollow");
    spar__buf_free(&out);
    return done();
}
