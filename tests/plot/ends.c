#include "plot/line_plot.h"

#include "base/alloc.h"
#include "page.h"
#include "plot/svg.h"

enum { LINES = 6 };

static double x[] = {1, 10, 100}, y[LINES][3];
static const char *const labels[LINES] = {"a", "bb", "ccc", "dddd", "eeeee", "f"};
static spar__series series[LINES];

static void make(void)
{
    for (size_t i = 0; i < LINES; i++) {
        for (size_t k = 0; k < 3; k++)
            y[i][k] = i < 4 ? 100 - (double)i : (double)i; /* four ends close to the top, two close to the bottom */
        series[i] = (spar__series){.label = labels[i], .n = 3, .x = x, .y = y[i]};
    }
}

/* The heights of the labels, from the text elements of an SVG, in the order of the lines. */
static void find_heights(const char *svg, double at[LINES])
{
    for (size_t i = 0; i < LINES; i++) {
        char text[24];
        (void)snprintf(text, sizeof text, ">%s</text>", labels[i]);
        const char *tag = strstr(svg, text);
        while (tag && *tag != '<')
            tag--;
        at[i] = tag ? attribute(tag, " y=\"") : NAN;
    }
}

static void test_room(const spar__legend *legend)
{
    spar__ends ends = {legend, true}, small = {legend, false};
    ok(spar__ends_fit(&ends, 200) && !spar__ends_fit(&ends, 80), "they fit where there is room for all");
    ok(spar__ends_fit(&small, 80) && spar__ends_width(&small) < spar__ends_width(&ends), "small ones need less");
    spar__legend few = *legend;
    few.n = SPAR__MANY_SERIES - 1;
    ok(!spar__ends_fit(&(spar__ends){&few, true}, 1000), "few lines have a legend instead");
}

static void test_place(const spar__figure *fig, const spar__legend *legend)
{
    spar__plot_frame frame;
    spar__buf out = {0};
    double at[LINES];
    spar__plot_frame_set(&frame, (spar__box){10, 20, 300, 200}, (spar__range){1, 100}, true, (spar__range){0, 110},
                         false);
    spar__ends_draw(&out, &(spar__ends){legend, true}, &frame, fig);
    find_heights(out.text, at);
    for (size_t i = 1; i < 4; i++)
        ok(at[i] - at[i - 1] >= 14.9, "%s stands below %s, and does not touch it", labels[i], labels[i - 1]);
    ok(at[0] >= 20 && at[5] < at[4] && at[4] <= 224, "the order is that of the ends, and all stay beside the plot");
    ok(count(out.text, "data-series=") == LINES && count(out.text, "class=\"key\"") == LINES, "each can be switched");
    ok(strstr(out.text, "stroke-dasharray"), "the samples show the dashes");
    spar__buf_free(&out);
    spar__alloc_fail_at(1);
    spar__ends_draw(&out, &(spar__ends){legend, true}, &frame, fig);
    spar__alloc_fail_at(0);
    ok(out.failed, "without memory the drawing has failed");
    spar__buf_free(&out);
}

/* Whole figures: labels at the ends in place of a legend, dashes, and the same styles in all panels. */
static void test_figure(spar__figure fig)
{
    spar__buf svg = {0};
    fig.width = 600;
    fig.height = 300;
    ok(!spar__plot_lines(&fig, &svg) && attribute(svg.text, " height=\"") == 300, "beside the plot, not below");
    sound_page(svg.text, "six lines");
    ok(count(svg.text, ">eeeee</text>") == 1, "each label once");
    spar__buf_clear(&svg);
    fig.legend_below = true;
    ok(!spar__plot_lines(&fig, &svg) && attribute(svg.text, " height=\"") > 300, "or a legend below, when told so");
    ok(strstr(svg.text, "stroke-dasharray"), "with dashes all the same");
    spar__buf_clear(&svg);
    fig.n_series = 4;
    ok(!spar__plot_lines(&fig, &svg) && !strstr(svg.text, "stroke-dasharray"), "four lines have none");
    spar__buf_free(&svg);
}

int main(void)
{
    make();
    spar__figure fig = {.n_series = LINES, .series = series, .log_x = true};
    spar__legend legend;
    ok(!spar__figure_legend(&fig, &legend), "a legend");
    test_room(&legend);
    test_place(&fig, &legend);
    test_figure(fig);
    spar__free(legend.entry);
    return done();
}
