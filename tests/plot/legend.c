#include "plot/frame.h"

#include "plot/svg.h"
#include "tap.h"

int main(void)
{
    spar__legend_entry entry[10];
    for (size_t i = 0; i < 10; i++)
        entry[i] = (spar__legend_entry){"self_sparring/thompson/beta", i, i % 2 == 0, SPAR__MARK_LINE};
    spar__legend legend = {.n = 10, .entry = entry};
    spar__legend_fit(&legend, 0, 1);
    double label = spar__svg_text_width(&spar__font_tick, entry[0].label);
    ok(legend.columns == 1 && legend.width > label + 20 && legend.height >= 10 * 14, "one column has room for all");
    double one = legend.width;
    spar__legend_fit(&legend, 2 * one, 10);
    ok(legend.columns == 1, "two columns and the gap between do not fit into twice the width");
    spar__legend_fit(&legend, 2.5 * one, 10);
    ok(legend.columns == 2 && legend.width <= 2.5 * one, "into more they do");
    spar__legend_fit(&legend, 100 * one, 10);
    ok(legend.columns == 10, "there are no more columns than entries");
    spar__legend_fit(&legend, 4.9 * one, 10);
    ok(legend.columns == 4, "ten in four columns are three rows");
    spar__buf out = {0};
    spar__legend_draw(&out, &legend, 10, 20);
    size_t texts = 0, bands = 0;
    for (const char *at = out.text; (at = strstr(at, "<text")); at++)
        texts++;
    for (const char *at = out.text; (at = strstr(at, "<rect")); at++)
        bands++;
    ok(texts == 10 && bands == 5, "every label is drawn, bands where there are some");
    spar__buf_free(&out);
    legend = (spar__legend){0};
    spar__legend_fit(&legend, 100, 5);
    spar__legend_draw(&out, &legend, 0, 0);
    ok(legend.width == 0 && legend.height == 0 && out.length == 0, "an empty legend takes no room");
    return done();
}
