#include "plot/line_plot.h"

#include "page.h"
#include "tap.h"

int main(void)
{
    static const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 1, NAN, 1, 0}, lo[] = {0, 0, 0, 0, NAN},
                        hi[] = {1, 2, 2, 2, 2};
    spar__series series = {.n = 5, .x = x, .y = y, .lo = lo, .hi = hi};
    ok(spar__curve_visible(&series, false, 0) && !spar__curve_visible(&series, true, 0), "no zero on a log axis");
    ok(!spar__curve_visible(&series, false, 2) && !spar__curve_band_visible(&series, false, 2), "NaN is a gap");
    ok(spar__curve_visible(&series, false, 4) && !spar__curve_band_visible(&series, false, 4), "also in the band");
    spar__plot_frame frame;
    spar__plot_frame_set(&frame, (spar__box){0, 0, 400, 200}, (spar__range){0, 4}, false, (spar__range){0, 2}, false);
    spar__buf out = {0};
    spar__curve_line(&out, &frame, &series, spar__palette(11), "2");
    ok(!xml_wrong(out.text) && count(out.text, "<path") == 2, "a line in two pieces");
    ok(strstr(out.text, "M0 200L100 100\"") && strstr(out.text, "M300 100L400 200\""), "at their places");
    ok(strstr(out.text, "stroke-dasharray=\"7 3\"") && strstr(out.text, "stroke-width=\"2\""), "in the style asked");
    spar__buf_clear(&out);
    spar__curve_band(&out, &frame, &series, "#123456", "0.5");
    ok(!xml_wrong(out.text) && strstr(out.text, "M0 100L100 0L100 200L0 200Z"), "a band goes up and back");
    ok(strstr(out.text, "fill=\"#123456\" fill-opacity=\"0.5\""), "in its colour");
    spar__buf_clear(&out);
    series.lo = NULL;
    spar__curve_band(&out, &frame, &series, "#123456", "0.5");
    ok(out.length == 0 && !spar__curve_band_visible(&series, false, 0), "no band, nothing drawn");
    spar__buf_free(&out);
    return done();
}
