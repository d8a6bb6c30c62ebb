#include "plot/line_plot.h"

#include "base/alloc.h"
#include "page.h"
#include "tap.h"

static double x[] = {1, 2, 3}, y[] = {4, 5, 6}, lo[] = {-1, 1, 1}, hi[] = {5, 6, 9};

static void test_of_all(void)
{
    spar__series abc[] = {{.label = "a", .color = 1}, {.label = "b", .color = 2}, {.label = "c", .color = 3}};
    spar__series ca[] = {{.label = "c", .color = 3}, {.label = "a", .color = 1}, {.label = NULL}};
    spar__series wrong[] = {{.label = "a", .color = 2}};
    spar__figure figs[] = {{.n_series = 3, .series = ca}, {.n_series = 3, .series = abc}, {.n_series = 0}};
    ok(spar__figure_complete(figs, 3) == &figs[1], "the one with all lines tells for all, in whatever order they come");
    ok(spar__figure_complete(figs, 1) == &figs[0], "one tells for itself");
    figs[2] = (spar__figure){.n_series = 1, .series = wrong};
    ok(!spar__figure_complete(figs, 3), "not where a line has another colour");
    wrong[0] = (spar__series){.label = "d", .color = 4};
    ok(!spar__figure_complete(figs, 3), "nor where one has a line of its own");
}

static void test_legend(void)
{
    spar__series lines[] = {{.label = "a"}, {.label = ""}, {.label = "c", .color = 9, .lo = lo, .hi = hi}};
    spar__legend legend;
    ok(spar__figure_legend(&(spar__figure){.n_series = 3, .series = lines}, &legend) == SPAR_OK && legend.n == 2 &&
           legend.entry[0].style == 0 && !legend.entry[0].band && legend.entry[1].style == 8 && legend.entry[1].band,
       "a legend has the labelled lines, each with its look");
    spar__free(legend.entry);
}

static void test_ranges(void)
{
    spar__series band = {.n = 3, .x = x, .y = y, .lo = lo, .hi = hi};
    spar__figure fig = {.n_series = 1, .series = &band};
    spar__range rx, ry;
    spar__figure_ranges(&fig, &rx, &ry);
    ok(rx.lo == 1 && rx.hi == 3 && ry.lo == 0 && ry.hi == 9, "ranges take in bands, but not below zero for them alone");
    fig.log_y = true;
    spar__figure_ranges(&fig, &rx, &ry);
    ok(ry.lo == 4 && ry.hi == 9, "nor far down on a log scale");
    fig.n_series = 0;
    spar__figure_ranges(&fig, &rx, &ry);
    ok(rx.lo > rx.hi && ry.lo > ry.hi, "nothing covers nothing");
}

static void test_own_ticks(void)
{
    double m[] = {2, 4, 8, 16}, value[SPAR__OWN_TICKS], many[SPAR__OWN_TICKS + 1] = {0};
    spar__series two[] = {{.n = 4, .x = m, .y = m, .dots = true}, {.n = 3, .x = m + 1, .y = m}};
    spar__figure fig = {.n_series = 2, .series = two, .log_x = true, .x_label = "m"};
    ok(spar__figure_own_x(&fig, value) == 4 && value[0] == 2 && value[3] == 16, "dots have few values of x");
    spar__buf svg = {0};
    ok(!spar__plot_lines(&fig, &svg) && strstr(svg.text, ">2</text>") && strstr(svg.text, ">4</text>") &&
           strstr(svg.text, ">8</text>") && strstr(svg.text, ">16</text>") && !strstr(svg.text, ">5</text>"),
       "and the ticks are on them");
    spar__buf_free(&svg);
    two[0].dots = false;
    ok(spar__figure_own_x(&fig, value) == 0, "lines have not");
    for (size_t i = 0; i <= SPAR__OWN_TICKS; i++)
        many[i] = (double)i + 1;
    spar__series long_one = {.n = SPAR__OWN_TICKS + 1, .x = many, .y = many, .dots = true};
    ok(spar__figure_own_x(&(spar__figure){.n_series = 1, .series = &long_one}, value) == 0, "nor have many dots");
}

static void test_same_y(void)
{
    double low[] = {1, 2, 3}, high[] = {10, 20, 90};
    spar__series a = {.n = 3, .x = x, .y = low}, b = {.n = 3, .x = x, .y = high};
    spar__figure figs[] = {{.n_series = 1, .series = &a, .same_y = true},
                           {.n_series = 1, .series = &b, .same_y = true},
                           {.n_series = 1, .series = &a}};
    spar__range range[3];
    spar__figure_share_y(figs, 3, range);
    ok(range[0].lo == 1 && range[0].hi == 90 && range[1].lo == 1 && range[1].hi == 90,
       "those that say so share a range");
    ok(range[2].hi == 3, "others have their own");
}

static void test_words(void)
{
    spar__series line = {.label = "dts", .n = 3, .x = x, .y = y};
    spar__buf words = {0};
    spar__figure_words(
        &(spar__figure){.title = "T", .x_label = "round", .y_label = "regret", .n_series = 1, .series = &line}, &words);
    same_text(words.text, "T: regret against round. At the end: dts 6.", "a figure in words");
    spar__buf_free(&words);
}

int main(void)
{
    test_own_ticks();
    test_same_y();
    test_words();
    test_of_all();
    test_legend();
    test_ranges();
    return done();
}
