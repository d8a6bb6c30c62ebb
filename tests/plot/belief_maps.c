#include "plot/beliefs.h"

static void test_maps(void)
{
    spar__beliefs fig = make_beliefs(2);
    spar__buf svg = draw(&fig, "three snapshots");
    ok(count(svg.text, "crispEdges") == 2 * SHOTS + 1 + 3, "two maps each, the truth once, and a bar for each kind");
    ok(count(svg.text, ">after ") == SHOTS && count(svg.text, ": mean<") == SHOTS, "each said when");
    ok(count(svg.text, ">first feature<") == 3 && count(svg.text, ">second feature<") == SHOTS, "shared axes");
    ok(count(svg.text, ">P(arm beats the best)<") == 2 && count(svg.text, ">chance to win<") == 1,
       "the truth has a title and a scale of its own");
    size_t dark = 0, hollow = 0;
    for (size_t s = 0; s < SHOTS; s++)
        for (size_t i = 0; i < ARMS; i++) {
            dark += won[s][i] > 0;
            hollow += lost[s][i] > 0;
        }
    ok(count(svg.text, "fill=\"#1a1a1a\"") == 2 * dark + 1, "wins over mean and sd");
    ok(count(svg.text, "<path") == 2 * (dark + hollow) + 2, "and losses, and both in the legend");
    /* Cells, bars, frames around the best (two lines each; the legend's, too) and the page. */
    ok(count(svg.text, "<rect") == (2 * SHOTS + 1) * ARMS + 3 * 128 + 2 * (2 * SHOTS + 2) + 1, "a cell for every arm");
    spar__buf_free(&svg);
    for (size_t i = 0; i < ARMS; i++)
        truth[i] = NAN;
    spar__buf two = draw(&fig, "no truth");
    ok(count(two.text, "crispEdges") == 2 * SHOTS + 2, "two maps each without a truth");
    spar__buf_free(&two);
    test_memory(&fig);
}

static void test_narrow(void)
{
    spar__beliefs fig = make_beliefs(2);
    fig.width = 480;
    fig.n = 1;
    spar__buf svg = draw(&fig, "for a page");
    ok(count(svg.text, "crispEdges") == 2 && count(svg.text, "standard deviation") == 0, "the mean alone, and its bar");
    ok(strstr(svg.text, "width=\"480\"") && count(svg.text, "fill=\"#e4e4e4\"") == 1,
       "as wide as said, in few colours");
    ok(count(svg.text, "stroke=\"#f2f2f2\"") + count(svg.text, "stroke=\"#dcdcdc\"") == 0, "without a grid below it");
    test_memory(&fig);
    spar__buf_free(&svg);
}

static void test_odd(void)
{
    static double zero[8], same[] = {2, 2, 2, 2, 2, 2, 2, 2}, far[] = {-1e100, 0, 1e100, 7, 1e-300, 3, 5, 1e100};
    static double scattered[] = {0, 0.1, 0.5, 0.7, 1, 0.2, 0.3, 0.9};
    const double *xs[] = {zero, same, far, scattered};
    for (size_t i = 0; i < 4; i++)
        for (size_t n = 1; n <= 4; n += 3) {
            spar__belief shot = {.label = "odd",
                                 .n = n,
                                 .x = xs[i],
                                 .mean = same,
                                 .sd = zero,
                                 .truth = scattered,
                                 .won = zero,
                                 .lost = same};
            spar__beliefs fig = {.dim = 2, .value = "v", .truth = "t", .feature = {"a", "b"}, .n = 1, .belief = &shot};
            spar__buf svg = draw(&fig, "odd data");
            spar__buf_free(&svg);
        }
}

int main(void)
{
    test_maps();
    test_narrow();
    test_odd();
    return done();
}
