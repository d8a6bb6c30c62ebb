#include "plot/plot.h"

#include "base/alloc.h"
#include "page.h"
#include "tap.h"

enum { ROWS = 3, COLUMNS = 2, POINTS = 50 };

static const char *const rows[] = {"upper <&>", "middle", "lower"}, *const columns[] = {"left", "right"};
static double x[POINTS], y[ROWS * COLUMNS][2][POINTS];
static spar__series line[ROWS * COLUMNS][2];
static spar__figure panel[ROWS * COLUMNS];

/* Two lines in each; the last row's values are a thousand times the first row's. */
static spar__grid make_grid(bool log)
{
    for (size_t i = 0; i < POINTS; i++)
        x[i] = 1 + 400 * (double)i;
    double scale = 1;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        scale = k == 4 ? 1000 : k == 2 ? 30 : scale;
        for (size_t s = 0; s < 2; s++) {
            for (size_t i = 0; i < POINTS; i++)
                y[k][s][i] = scale * (double)(s + 1) * sqrt(x[i]);
            line[k][s] = (spar__series){.label = s ? "second" : "first", .n = POINTS, .x = x, .y = y[k][s]};
        }
        panel[k] = (spar__figure){.log_x = log, .log_y = log, .n_series = 2, .series = line[k]};
    }
    return (spar__grid){.title = "a grid",
                        .subtitle = "of small panels",
                        .x_label = "round",
                        .y_label = "regret",
                        .note = "a note",
                        .rows = ROWS,
                        .columns = COLUMNS,
                        .row = rows,
                        .column = columns,
                        .panel = panel};
}

static spar__buf draw(const spar__grid *grid, const char *what)
{
    spar__buf svg = {0}, again = {0};
    ok(spar__plot_grid(grid, &svg) == SPAR_OK, "%s: drawn", what);
    sound_page(svg.text, what);
    ok(spar__plot_grid(grid, &again) == SPAR_OK && strcmp(svg.text, again.text) == 0, "%s: the same bytes again", what);
    spar__buf_free(&again);
    return svg;
}

/* The height, in px from the top of its plot, of the last point of the n-th path. */
static double end_of_path(const char *svg, size_t n)
{
    for (size_t i = 0; i <= n && svg; i++)
        svg = strstr(svg + 1, "<path d=\"");
    const char *end = svg ? strchr(svg + 9, '"') : NULL;
    while (end && *end != ' ')
        end--;
    return end ? strtod(end, NULL) : NAN;
}

static void test_grid(void)
{
    for (int log = 0; log < 2; log++) {
        spar__grid grid = make_grid(log);
        spar__buf svg = draw(&grid, log ? "log" : "linear");
        ok(count(svg.text, "<path") == 2 * ROWS * COLUMNS, "two lines in every panel");
        ok(count(svg.text, ">first<") == 1 && count(svg.text, ">second<") == 1, "one legend");
        ok(count(svg.text, ">upper &lt;&amp;&gt;<") == 1 && count(svg.text, ">lower<") == 1 &&
               count(svg.text, ">left<") == 1 && count(svg.text, ">right<") == 1,
           "a name for every row and column");
        ok(count(svg.text, ">a note<") == 1 && count(svg.text, ">regret<") == 1 && count(svg.text, ">round<") == 1,
           "the rest once");
        double first = end_of_path(svg.text, 0), below = end_of_path(svg.text, 2 * COLUMNS);
        ok(first == end_of_path(svg.text, 2), "panels of a row have one scale");
        spar__buf_free(&svg);
        for (size_t i = 0; i < POINTS; i++) /* one panel of the first row grows */
            y[1][1][i] *= 5;
        spar__buf other = draw(&grid, "grown");
        ok(end_of_path(other.text, 0) > first + 15, "which follows the largest line of any of them");
        ok(end_of_path(other.text, 2 * COLUMNS) == below, "and leaves other rows alone");
        spar__buf_free(&other);
    }
}

static void test_odd(void)
{
    spar__grid grid = make_grid(true);
    panel[0].n_series = 0;
    spar__buf svg = draw(&grid, "an empty panel");
    ok(count(svg.text, "<path") == 2 * (ROWS * COLUMNS - 1) && count(svg.text, ">first<") == 1, "is left out");
    spar__buf_free(&svg);
    for (size_t k = 0; k < ROWS * COLUMNS; k++)
        panel[k].n_series = 0;
    svg = draw(&grid, "nothing at all");
    spar__buf_free(&svg);
    grid.title = grid.subtitle = grid.x_label = grid.y_label = grid.note = NULL;
    svg = draw(&grid, "no captions");
    spar__buf_free(&svg);
    spar__grid bad[] = {grid, grid, grid, grid};
    bad[0].rows = 0;
    bad[1].columns = 65;
    bad[2].width = NAN;
    bad[3].panel_height = -1;
    spar__buf none = {0};
    for (size_t i = 0; i < 4; i++)
        ok(spar__plot_grid(&bad[i], &none) == SPAR_INVALID && none.length == 0, "refused: %zu", i);
    spar__buf_free(&none);
}

static void test_memory(void)
{
    spar__grid grid = make_grid(false);
    size_t failures = 0;
    for (size_t k = 1;; k++, failures++) {
        spar__buf svg = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__plot_grid(&grid, &svg);
        spar__alloc_fail_at(0);
        spar__buf_free(&svg);
        if (status == SPAR_OK)
            break;
        if (status != SPAR_NOMEM)
            ok(false, "allocation %zu fails without a clean error", k);
    }
    ok(failures >= 4, "each of %zu failed allocations is an error", failures);
}

int main(void)
{
    test_grid();
    test_odd();
    test_memory();
    return done();
}
