/* Every figure, drawn from made-up cells. */
#include "settings.h"

#include "paper/paper.h"
#include "plot/page.h"

static const spar__paper_figure *figure_of(const char *name)
{
    for (size_t i = 0; i < spar__n_paper_figures; i++)
        if (strcmp(spar__paper_figures[i].name, name) == 0)
            return &spar__paper_figures[i];
    return NULL;
}

/* A paper with the settings of one figure, all filled. */
static spar__paper *paper_of(const spar__paper_figure *figure)
{
    spar__paper *paper = workspace_paper(&(spar__paper_options){.quick = true, .seed = 1});
    spar_error err = {0};
    if (strcmp(figure->name, "rankers") == 0) { /* its plan would read or make data */
        (void)add_setting(paper, "rankers/letor", "LETOR", spar__multi_policies, SPAR__MULTI_POLICIES);
        (void)add_setting(paper, "rankers/matrix", "matrix", spar__multi_policies, SPAR__MULTI_POLICIES);
    } else if (figure->needs) {
        ok(spar__paper_need(paper, figure->needs, &err) == SPAR_OK, "%s: planned", figure->name);
    }
    for (size_t i = 0; i < paper->n_settings; i++)
        fill_setting(paper->setting[i]);
    return paper;
}

static spar__buf draw(const spar__paper_figure *figure, const spar__paper *paper)
{
    spar__drawing drawing = {.name = figure->title}, again = {.name = figure->title};
    spar_error err = {0};
    ok(figure->draw(figure->data, paper, &drawing, &err) == SPAR_OK, "%s: drawn %s", figure->name, err.text);
    ok(figure->draw(figure->data, paper, &again, &err) == SPAR_OK && drawing.svg.length == again.svg.length &&
           (!drawing.svg.length || strcmp(drawing.svg.text, again.svg.text) == 0),
       "%s: the same bytes again", figure->name);
    if (drawing.svg.length) {
        spar__buf page = {0};
        spar__buf_printf(&page, "<div>%s</div>", drawing.tables.text ? drawing.tables.text : "<none>");
        const char *wrong = xml_wrong(page.text);
        ok(!wrong, "%s: with a table: %s", figure->name, wrong ? wrong : "yes");
        spar__buf_free(&page);
        ok(strstr(drawing.svg.text, "aria-label=\"") && strstr(drawing.svg.text, "<desc>"), "%s: has a name",
           figure->name);
    }
    spar__drawing_free(&again);
    spar__buf_free(&drawing.tables);
    return drawing.svg;
}

static void test_every(void)
{
    for (size_t i = 0; i < spar__n_paper_figures; i++) {
        const spar__paper_figure *figure = &spar__paper_figures[i];
        ok(*figure->name && *figure->title && *figure->says && !strchr(figure->name, '_'), "%s: named", figure->name);
        spar__paper *paper = paper_of(figure);
        spar__buf svg = draw(figure, paper);
        sound_page(svg.text, figure->name);
        ok(count(svg.text, "<path") > 0, "%s: there is something in it", figure->name);
        ok(count(svg.text, " id=\"") == 0, "%s: without ids, several can stand in one page", figure->name);
        ok(attribute(svg.text, " width=\"") <= 980, "%s: as wide as a page bears", figure->name);
        spar__buf_free(&svg);
        spar__paper_free(paper);
    }
}

static void test_missing(void)
{
    for (size_t i = 0; i < spar__n_paper_figures; i++) {
        const spar__paper_figure *figure = &spar__paper_figures[i];
        spar__paper *paper = paper_of(figure);
        for (size_t s = 0; s < paper->n_settings; s += 2)
            paper->setting[s]->cell[0].done = false;
        spar__buf svg = draw(figure, paper);
        if (svg.length)
            sound_page(svg.text, figure->name);
        ok(paper->n_settings < 2 || svg.length > 0, "%s: what is there is drawn", figure->name);
        spar__buf_free(&svg);
        for (size_t s = 0; s < paper->n_settings; s++)
            paper->setting[s]->cell[0].done = false;
        svg = draw(figure, paper);
        ok(figure->needs ? svg.length == 0 : svg.length > 0, "%s: nothing from nothing", figure->name);
        spar__buf_free(&svg);
        spar__paper_free(paper);
    }
}

/* Failed allocations leave no picture but an error, and nothing behind (the sanitizer watches). */
static void test_memory(void)
{
    static const char *const names[] = {"linearity", "evolution", "vanilla", "grid", "kernel"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const spar__paper_figure *figure = figure_of(names[i]);
        spar__paper *paper = paper_of(figure);
        size_t failures = 0, step = 1;
        for (size_t k = 1;; k += step, failures++) {
            spar__drawing drawing = {.name = figure->title};
            spar_error err = {0};
            spar__alloc_fail_at(k);
            spar_status status = figure->draw(figure->data, paper, &drawing, &err);
            spar__alloc_fail_at(0);
            bool failed = drawing.svg.failed || drawing.tables.failed;
            spar__drawing_free(&drawing);
            if (!status && !failed)
                break;
            if (status && (status != SPAR_NOMEM || !*err.text))
                ok(false, "%s: allocation %zu fails without a clean error", names[i], k);
            step = k > 40 ? 97 : 1; /* the many summaries are all alike */
        }
        ok(failures >= 4, "%s: %zu failed allocations are errors", names[i], failures);
        spar__paper_free(paper);
    }
}

static void test_curves(void)
{
    spar__paper *paper = paper_of(figure_of("multi"));
    const spar__paper_setting *setting = spar__paper_find(paper, "multi/linear-arith");
    spar__panel panel;
    ok(spar__panel_make(setting, SPAR__PANEL_MEAN, &panel) == SPAR_OK && panel.figure.n_series == 3, "three curves");
    const spar__series *mdb = &panel.series[2];
    size_t last = mdb->n - 1; /* runs 0 ... 9: mean 4.5, sd sqrt(55 / 6) */
    double end = 3 * sqrt(20000), sd = sqrt(55.0 / 6);
    ok(mdb->x[last] == 20000 && fabs(mdb->y[last] - end - 4.5) < 1e-9 &&
           fabs(mdb->hi[last] - mdb->y[last] - sd) < 1e-9 && fabs(mdb->y[last] - mdb->lo[last] - sd) < 1e-9,
       "mean and sd of the third");
    same_text(panel.subtitle, "m = 4, 10 runs", "with what it is of");
    spar__panel_free(&panel);
    ok(spar__panel_make(setting, SPAR__PANEL_MEDIAN, &panel) == SPAR_OK &&
           fabs(panel.series[0].y[last] - sqrt(20000) - 4.5) < 1e-9 &&
           fabs(panel.series[0].lo[last] - sqrt(20000) - 0.45) < 1e-9 &&
           fabs(panel.series[0].hi[last] - sqrt(20000) - 8.55) < 1e-9,
       "median and quantiles of the first");
    spar__panel_free(&panel);
    ok(spar__panel_make(NULL, SPAR__PANEL_MEAN, &panel) == SPAR_OK && panel.figure.n_series == 0, "of no setting none");
    spar__panel_free(&panel);
    spar__paper_free(paper);
}

static void test_colors(void)
{
    const spar__paper_policy *cases[] = {spar__vanilla_policies, spar__multi_policies, spar__kernel_policies};
    const size_t sizes[] = {SPAR__VANILLA_POLICIES, SPAR__MULTI_POLICIES, SPAR__KERNEL_POLICIES};
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < sizes[c]; i++) {
            size_t color = spar__policy_color(cases[c][i].label), same = 0;
            for (size_t j = 0; j < i; j++)
                same += spar__policy_color(cases[c][j].label) == color;
            ok(color > 0 && color <= 10 && same == 0, "%s has a colour of its own", cases[c][i].label);
        }
    ok(spar__policy_color("unknown") == 0, "others have that of their place");
    spar__paper *paper = paper_of(figure_of("kernel"));
    spar__buf svg = draw(figure_of("kernel"), paper);
    ok(count(svg.text, ">BOPPER<") == 1 && count(svg.text, ">GP-Sparring<") == 1,
       "one legend, though one has a line more");
    spar__buf_free(&svg);
    spar__paper_free(paper);
}

int main(void)
{
    test_every();
    test_missing();
    test_memory();
    test_curves();
    test_colors();
    return done();
}
