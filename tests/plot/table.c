#include "plot/plot.h"

#include "base/alloc.h"
#include "beliefs.h"

static double x[100], y[100], lo[100], hi[100], short_x[] = {1, 3}, short_y[] = {0.12345, NAN};

static void make(void)
{
    for (size_t i = 0; i < 100; i++) {
        x[i] = (double)(i + 1);
        y[i] = 1000 * x[i];
        lo[i] = y[i] - 0.5;
        hi[i] = y[i] + 12.25;
    }
}

static void test_lines(void)
{
    const spar__series series[] = {{.label = "a <b>", .n = 3, .x = x, .y = y, .lo = lo, .hi = hi},
                                   {.label = "", .n = 2, .x = short_x, .y = short_y}};
    spar__figure fig = {.x_label = "round", .y_label = "regret", .n_series = 2, .series = series};
    spar__buf html = {0};
    ok(!spar__table_lines(&fig, "the <caption>", &html) && strstr(html.text, "<caption>the &lt;caption&gt;</caption>"),
       "a caption");
    ok(strstr(html.text, "<th scope=\"col\">round</th><th scope=\"col\">a &lt;b&gt;</th><th scope=\"col\">regret</th>"),
       "a column for each line; one without a label has that of the axis");
    ok(strstr(html.text, "<tr><th scope=\"row\">1</th><td>1000 <small>[999.5, 1012]</small></td><td>0.1235</td></tr>"),
       "values with their band");
    ok(strstr(html.text, "<tr><th scope=\"row\">3</th><td>3000 <small>[3000, 3012]</small></td><td></td></tr>"),
       "and nothing where there is none");
    ok(count(html.text, "<tr><th scope=\"row\">") == 3, "a row for each x");
    spar__buf_free(&html);
}

static void test_many(void)
{
    const spar__series one = {.label = "a", .n = 100, .x = x, .y = y};
    spar__figure figs[] = {{.title = "first", .subtitle = "5 runs", .y_label = "regret", .n_series = 1, .series = &one},
                           {.title = " ", .subtitle = "rank", .n_series = 1, .series = &one}};
    spar__buf html = {0}, page = {0};
    ok(!spar__table_panels(figs, 2, &html), "two panels");
    ok(count(html.text, "<tr><th scope=\"row\">") == 2 * (size_t)SPAR__TABLE_ROWS,
       "long lines have rows spread over them");
    ok(count(html.text, "<th scope=\"row\">1</th>") == 2 && count(html.text, "<th scope=\"row\">100</th>") == 2,
       "with the first and the last");
    ok(strstr(html.text, "<caption>first, 5 runs: regret</caption>") &&
           strstr(html.text, "<caption>rank: regret</caption>"),
       "each with its caption");
    spar__buf_printf(&page, "<div>%s</div>", html.text);
    ok(!xml_wrong(page.text), "well-formed");
    spar__buf_free(&html);
    spar__buf_free(&page);
    for (size_t k = 1;; k++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__table_panels(figs, 2, &html);
        spar__alloc_fail_at(0);
        spar__buf_free(&html);
        if (!status || status != SPAR_NOMEM) {
            ok(!status && k > 4, "each of %zu failed allocations is an error", k - 1);
            break;
        }
    }
}

static void test_places(void)
{
    const spar__series one = {.label = "a", .n = 2, .x = x, .y = y};
    const spar__figure panel[] = {{.n_series = 1, .series = &one}, {.n_series = 0}};
    const char *const rows[] = {"set"}, *const columns[] = {"left", "right"};
    spar__grid grid = {.rows = 1, .columns = 2, .row = rows, .column = columns, .panel = panel, .y_label = "regret"};
    spar__buf html = {0};
    ok(!spar__table_grid(&grid, &html) && strstr(html.text, "<caption>left / set: regret</caption>") &&
           strstr(html.text, "<caption>right / set: regret</caption>"),
       "panels of a grid are named by their place");
    spar__buf_free(&html);
    for (size_t dim = 1; dim <= 2; dim++) {
        spar__beliefs fig = make_beliefs(dim);
        spar__table_beliefs(&fig, &html);
        ok(count(html.text, "<caption>after ") == SHOTS && count(html.text, "<tr><th scope=\"row\">") == SHOTS * ARMS,
           "a table for each snapshot, a row for each arm");
        ok((count(html.text, " data-dim=\"2\"") == SHOTS) == (dim == 2), "which knows how many features it has");
        spar__buf_free(&html);
    }
}

static void test_intervals(void)
{
    const spar__interval_row rows[] = {{.label = "a&b", .value = 0.25, .low = 0.125, .high = 0.5},
                                       {.label = "c", .instead = "leads", .value = NAN, .low = NAN, .high = NAN}};
    spar__buf html = {0};
    spar__table_intervals(&(spar__interval_figure){.title = "T", .n = 2, .row = rows}, &html);
    ok(strstr(html.text, "<th scope=\"row\">a&amp;b</th><td></td><td>0.25</td><td>0.125</td><td>0.5</td>") &&
           strstr(html.text, "<th scope=\"row\">c</th><td>leads</td><td>\xE2\x80\x93</td>"),
       "intervals have a table, too");
    spar__buf_free(&html);
}

int main(void)
{
    test_intervals();
    make();
    test_lines();
    test_many();
    test_places();
    return done();
}
