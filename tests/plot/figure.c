#include "plot/figure.h"

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

int main(void)
{
    test_of_all();
    test_legend();
    test_ranges();
    return done();
}
