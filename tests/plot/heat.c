#include "plot/heat.h"

#include "page.h"
#include "plot/svg.h"
#include "tap.h"

int main(void)
{
    spar__axis scale;
    spar__heat_scale(&scale, (spar__range){0.03, 0.52}, 240);
    ok(scale.lo == 0.03 && scale.hi == 0.52 && scale.to == 240 && scale.n >= 3, "a scale covers its range exactly");
    spar__buf out = {0};
    spar__buf_adds(&out, "<g>");
    spar__heat_bar(&out, 10, 20, &scale, 0, "chance <to> win");
    spar__buf_adds(&out, "</g>");
    ok(!xml_wrong(out.text) && count(out.text, "<text") >= 4 && strstr(out.text, "chance &lt;to&gt; win"),
       "the bar has ticks and a label");
    ok(strstr(out.text, "<rect x=\"10\" y=\"20\" width=\"240\""), "it begins where it should");
    spar__buf_clear(&out);

    const double xy[] = {0, 0, 1, 0, 0, 1, 1, 1}, value[] = {0.03, 0.52, NAN, 9};
    spar__cells cells;
    if (spar__cells_make(4, xy, &cells))
        return 1;
    spar__plot_frame frame;
    spar__plot_frame_set(&frame, (spar__box){0, 0, 100, 100}, cells.x, false, cells.y, false);
    spar__heat_draw(&out, &frame, &cells, value, &scale, 0);
    ok(!xml_wrong(out.text) && count(out.text, "<rect") == 4, "a rectangle for each cell");
    char low[SPAR__RAMP_SIZE], high[SPAR__RAMP_SIZE], none[SPAR__RAMP_SIZE];
    spar__ramp(0, low);
    spar__ramp(1, high);
    spar__ramp(NAN, none);
    ok(count(out.text, low) == 1 && count(out.text, high) == 2 && count(out.text, none) == 1,
       "in the colours of the ends, beyond the end, and of nothing known");
    ok(strstr(out.text, low) < strstr(out.text, high) && strstr(out.text, high) < strstr(out.text, none),
       "each at its place");
    ok(strstr(out.text, "<rect x=\"0\" y=\"49.5\" width=\"50.5\" height=\"50.5\""), "reaching under its neighbours");
    spar__buf_clear(&out);
    const double level[] = {0.04, 0.05, NAN, 0.5};
    spar__heat_draw(&out, &frame, &cells, level, &scale, 4);
    char first[64], last[64];
    spar__ramp(0.125, low);
    spar__ramp(0.875, high);
    (void)snprintf(first, sizeof first, "<path fill=\"%s\" d=\"M0 50h100v50h-100z\"", low);
    (void)snprintf(last, sizeof last, "<path fill=\"%s\" d=\"M50 0h50v50h-50z\"", high);
    ok(!xml_wrong(out.text) && count(out.text, "z\"") == 3 && strstr(out.text, first) && strstr(out.text, last),
       "with few colours, cells of one colour in a row are one piece");
    ok(count(out.text, none) == 1 && strstr(out.text, "M0 0h50v50h-50z"), "what is not known is none of them");
    spar__buf_clear(&out);
    const double across[] = {0.5, 0.04, 0.05, 0.5};
    spar__heat_draw(&out, &frame, &cells, across, &scale, 4);
    ok(strstr(out.text, "M50 50h50v50h-50zM0 0h50v50h-50z\""), "a piece ends with its row");
    spar__heat_scale(&scale, (spar__range){1, 1}, 240);
    ok(scale.lo < 1 && scale.hi > 1, "a single value has a scale, too");
    spar__heat_scale(&scale, SPAR__RANGE_EMPTY, 240);
    ok(scale.lo < scale.hi, "and so has none");
    spar__cells_free(&cells);
    spar__buf_free(&out);
    return done();
}
