#include "plot/plot.h"

#include "base/alloc.h"
#include "page.h"
#include "tap.h"

enum { POINTS = 200, SERIES = 45 };

static double x[POINTS], y[SERIES][POINTS], lo[SERIES][POINTS], hi[SERIES][POINTS];
static char label[SERIES][80];
static spar__series series[SERIES];

static void make_curves(void)
{
    for (int i = 0; i < POINTS; i++)
        x[i] = 1 + 500.0 * i;
    for (int s = 0; s < SERIES; s++) {
        for (int i = 0; i < POINTS; i++) {
            y[s][i] = (s + 1) * sqrt(x[i]);
            lo[s][i] = y[s][i] - 10;
            hi[s][i] = y[s][i] + 10;
        }
        (void)snprintf(label[s], sizeof label[s], "self_sparring/thompson/beta %d   mean 161 \xC2\xB1 3", s);
        series[s] = (spar__series){label[s], POINTS, x, y[s], lo[s], hi[s], 0, false};
    }
}

/* The figure drawn, checked for what holds for all; to be freed by the caller. */
static spar__buf draw(const spar__figure *fig, const char *what)
{
    spar__buf svg = {0}, again = {0};
    ok(spar__plot_lines(fig, &svg) == SPAR_OK, "%s: drawn", what);
    sound_page(svg.text, what);
    ok(spar__plot_lines(fig, &again) == SPAR_OK && strcmp(svg.text, again.text) == 0, "%s: the same bytes again", what);
    spar__buf_free(&again);
    return svg;
}

static void test_curves(void)
{
    static const size_t sizes[] = {0, 1, 3, 10, 40, SERIES};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int log = 0; log < 4; log++) {
            spar__figure fig = {.title = "Cumulative regret",
                                .subtitle = "16 arms",
                                .x_label = "round",
                                .y_label = "regret",
                                .log_x = log & 1,
                                .log_y = log & 2,
                                .n_series = sizes[i],
                                .series = series,
                                .band_note = "bands: one standard deviation"};
            char what[64];
            (void)snprintf(what, sizeof what, "%zu series, scale %d", sizes[i], log);
            spar__buf svg = draw(&fig, what);
            ok(count(svg.text, "<path") == 2 * sizes[i], "%s: a line and a band each", what);
            ok(count(svg.text, ">self_sparring/thompson/beta") == sizes[i], "%s: and a label", what);
            ok(strstr(svg.text, "bands: one standard deviation"), "%s: and the note", what);
            spar__buf_free(&svg);
        }
}

static void test_odd_data(void)
{
    double xs[] = {1, 2, 3, 4, 5, 6};
    double rows[][6] = {{3, 3, 3, 3, 3, 3},
                        {0, 0, 0, 0, 0, 0},
                        {1, 2, NAN, 4, NAN, 3},
                        {1e9, 2e9, 3e9, 1e9, 4e9, 5e9},
                        {1e-9, 2e-9, 5e-9, 1e-9, 1e-9, 1e-9},
                        {-5, 3, -2, 8, 0, -9},
                        {1e-300, 1, 0, -1, HUGE_VAL, 1e300},
                        {NAN, NAN, NAN, NAN, NAN, NAN},
                        {-1e308, 1e308, 0, 0, 0, 0},
                        {-1, -2, -3, -4, -5, -6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int log = 0; log < 2; log++) {
            spar__series odd = {"odd", 6, xs, rows[i], rows[(i + 1) % 10], rows[(i + 2) % 10], 0, false};
            char what[64];
            (void)snprintf(what, sizeof what, "odd data %zu%s", i, log ? " log" : "");
            spar__buf svg = draw(&(spar__figure){.log_y = log, .n_series = 1, .series = &odd}, what);
            spar__buf_free(&svg);
        }
    spar__series gaps = {.label = "gaps", .n = 6, .x = xs, .y = rows[2]};
    spar__buf svg = draw(&(spar__figure){.n_series = 1, .series = &gaps}, "gaps");
    ok(count(svg.text, "<path") == 1 && count(svg.text, "<circle") == 2, "a run is a line, lone points are dots");
    spar__buf_free(&svg);
    gaps.dots = true;
    svg = draw(&(spar__figure){.n_series = 1, .series = &gaps}, "dots");
    ok(count(svg.text, "<path") == 1 && count(svg.text, "<circle") == 4, "every point can be marked");
    spar__buf_free(&svg);
    spar__series one[] = {{"one", 1, xs, rows[0], rows[0], rows[0], 0, false}, {.label = "none"}};
    svg = draw(&(spar__figure){.n_series = 2, .series = one}, "one point and none");
    ok(count(svg.text, "<circle") == 1, "one dot");
    spar__buf_free(&svg);
}

static void test_labels(void)
{
    double xs[] = {0, 1};
    spar__series strange[] = {{.label = "a <b> & \"c\" 'd' ]]>\x02\xFF", .n = 2, .x = xs, .y = xs},
                              {.n = 2, .x = xs, .y = xs}};
    spar__figure fig = {.title = "<&>",
                        .subtitle = "&amp;",
                        .x_label = "<x>",
                        .y_label = "\"y\"",
                        .n_series = 2,
                        .series = strange,
                        .band_note = "<note>"};
    spar__buf svg = draw(&fig, "strange labels");
    ok(strstr(svg.text, ">a &lt;b&gt; &amp; &quot;c&quot; 'd' ]]&gt;"), "are escaped");
    ok(strstr(svg.text, ">&amp;amp;<"), "what looks escaped is escaped again");
    spar__buf_free(&svg);
    char wide[301];
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    strange[1].label = wide;
    svg = draw(&fig, "a very long label");
    spar__buf_free(&svg);
}

/* The place of the legend: at the right where there is room, below otherwise; lines never run under it. */
static void test_legend(void)
{
    spar__buf svg = {0};
    spar__figure fig = {.n_series = 3, .series = series, .width = 1200, .height = 400};
    ok(spar__plot_lines(&fig, &svg) == SPAR_OK && attribute(svg.text, " height=\"") == 400,
       "at the right of a wide figure");
    const char *plot = strstr(svg.text + 4, "<svg"), *text = strstr(svg.text, ">self_sparring");
    while (text && *text != '<')
        text--;
    ok(attribute(plot, " x=\"") + attribute(plot, " width=\"") < attribute(text, " x=\"") - 26, "beside the lines");
    spar__buf_clear(&svg);
    fig.legend_below = true;
    ok(spar__plot_lines(&fig, &svg) == SPAR_OK && attribute(svg.text, " height=\"") > 400, "or below, when told so");
    spar__buf_clear(&svg);
    fig.legend_below = false;
    fig.width = 500;
    ok(spar__plot_lines(&fig, &svg) == SPAR_OK && attribute(svg.text, " height=\"") > 440, "below a narrow one");
    plot = strstr(svg.text + 4, "<svg");
    text = strstr(svg.text, ">self_sparring");
    while (text && *text != '<')
        text--;
    ok(attribute(plot, " y=\"") + attribute(plot, " height=\"") + 30 < attribute(text, " y=\""), "under the axis");
    spar__buf_free(&svg);
}

static void test_panels(void)
{
    spar__figure figs[5];
    for (size_t i = 0; i < 5; i++)
        figs[i] = (spar__figure){
            .title = "panel", .n_series = 3, .series = series, .width = 420, .height = 300, .band_note = "same"};
    spar__buf svg = {0};
    ok(spar__plot_page(NULL, figs, 5, 3, &svg) == SPAR_OK && !xml_wrong(svg.text), "five panels are well-formed");
    ok(count(svg.text, ">self_sparring/thompson/beta") == 3 && count(svg.text, ">same<") == 1,
       "with one legend and one note");
    ok(attribute(svg.text, " width=\"") == 3 * 420 && attribute(svg.text, " height=\"") > 600, "in two rows of three");
    ok(texts_outside(svg.text) == 0, "all texts are on the page");
    spar__buf_clear(&svg);
    figs[0].n_series = 2;
    ok(spar__plot_page(NULL, figs, 5, 3, &svg) == SPAR_OK && count(svg.text, ">self_sparring/thompson/beta") == 3,
       "one legend where one panel lacks a line, though it comes first");
    spar__buf_clear(&svg);
    figs[0].series = series + 1;
    figs[2].band_note = "other";
    ok(spar__plot_page(NULL, figs, 5, 9, &svg) == SPAR_OK && !xml_wrong(svg.text), "panels that differ");
    ok(count(svg.text, ">self_sparring/thompson/beta") == 14 && count(svg.text, ">same<") == 4,
       "have each their own legend and note");
    ok(attribute(svg.text, " width=\"") >= 5 * 420, "in one row, when that many columns are asked for");
    ok(spar__plot_page(NULL, figs, 0, 1, &svg) == SPAR_INVALID &&
           spar__plot_page(NULL, figs, 1, 0, &svg) == SPAR_INVALID,
       "none is an error");
    figs[0].width = NAN;
    ok(spar__plot_lines(&figs[0], &svg) == SPAR_INVALID, "so is a size that is no number");
    figs[0].width = -1;
    ok(spar__plot_lines(&figs[0], &svg) == SPAR_INVALID, "or negative");
    spar__buf_free(&svg);
}

/* Curves in another order keep the colours they were given: line, band and legend sample alike. */
static void test_colors(void)
{
    spar__series given[] = {series[1], series[0]};
    given[0].color = 2;
    given[1].color = 1;
    spar__buf svg = draw(&(spar__figure){.n_series = 2, .series = given}, "given colours");
    const char *first = strstr(svg.text, "0171b2"), *second = strstr(svg.text, "be4f03");
    ok(first && second && first < second, "the second is drawn below the first, in the colour given");
    ok(count(svg.text, "0171b2") == 4 && count(svg.text, "be4f03") == 4, "line, band and both samples have it");
    spar__buf_free(&svg);
}

static void test_thinning(void)
{
    enum { MANY = 100000 };
    double *much = spar__alloc(2 * MANY, sizeof *much), *ys = much + MANY;
    for (int i = 0; i < MANY; i++) {
        much[i] = i;
        ys[i] = i == MANY / 2 + 17 || i == MANY / 2 + 29 ? 1 : 0;
    }
    spar__series spike = {.label = "spike", .n = MANY, .x = much, .y = ys};
    spar__buf svg = draw(&(spar__figure){.n_series = 1, .series = &spike}, "100000 points");
    ok(svg.length < 100000, "make no large file (%zu bytes)", svg.length);
    const char *path = strstr(svg.text, "<path");
    ok(path && strstr(path, " 0L") && strstr(path, " 0L") < strchr(path, '>'), "and a spike of one point stays");
    spar__buf_free(&svg);
    spar__free(much);
}

static void test_memory(void)
{
    spar__figure figs[2] = {{.title = "a", .n_series = 3, .series = series},
                            {.title = "b", .n_series = 2, .series = series}};
    size_t failures = 0;
    for (size_t k = 1;; k++) {
        spar__buf svg = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__plot_page(NULL, figs, 2, 2, &svg);
        spar__alloc_fail_at(0);
        spar__buf_free(&svg);
        if (status == SPAR_OK)
            break;
        if (status != SPAR_NOMEM)
            ok(false, "allocation %zu fails without a clean error", k);
        failures++;
    }
    ok(failures >= 6, "each of %zu failed allocations is an error", failures);
}

int main(void)
{
    make_curves();
    test_curves();
    test_odd_data();
    test_labels();
    test_legend();
    test_panels();
    test_colors();
    test_thinning();
    test_memory();
    return done();
}
