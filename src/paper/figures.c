#include "base/alloc.h"
#include "base/error.h"
#include "paper/paper.h"
#include "plot/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t spar__policy_color(const char *label)
{
    static const struct {
        const char *label;
        size_t color; /* of plot/palette.h, from 1 */
    } known[] = {
        {"IndSelfSparring", 1},
        {"KernelSelfSparring", 3},
        {"DTS", 2},
        {"RMED1", 3},
        {"BOPPER", 8},
        {"RUCB", 4},
        {"MergeRUCB", 5},
        {"Sparring-UCB1", 6},
        {"MultiSparring", 6},
        {"GP-Sparring", 6},
        {"Sparring-EXP3", 7},
        {"BTM", 8},
        {"IF", 9},
        {"MDB", 10},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].label, label) == 0)
            return known[i].color;
    return 0;
}

/* What lines and bands are. */
static const char *note_of(spar__panel_line line)
{
    static const char *const notes[] = {
        [SPAR__PANEL_MEAN] = "lines: mean over runs; bands: \xC2\xB1 1 sd",
        [SPAR__PANEL_MEDIAN] = "lines: median over runs; bands: 5 to 95 %",
        [SPAR__PANEL_MEAN_SE] = "lines: mean over runs; bands: \xC2\xB1 2 standard errors",
    };
    return notes[line];
}

/* The curve of one cell: y, lo and hi, each one number per checkpoint. */
static spar_status fill_curve(const spar__cell *cell, spar__panel_line line, double *y, double *lo, double *hi)
{
    for (size_t c = 0; c < cell->n_checkpoints; c++) {
        spar__summary at;
        spar_status status = spar__cell_curve(cell, c, &at);
        if (status)
            return status;
        bool median = line == SPAR__PANEL_MEDIAN;
        y[c] = median ? at.median : at.mean;
        double reach = line == SPAR__PANEL_MEAN_SE ? 2 * at.se : at.sd;
        lo[c] = median ? at.q05 : at.mean - reach;
        hi[c] = median ? at.q95 : at.mean + reach;
    }
    return SPAR_OK;
}

/* One line of a panel; its numbers begin at x. */
static spar_status make_series(const spar__cell *cell, spar__panel_line line, double *x, spar__series *out)
{
    size_t n = cell->n_checkpoints;
    double *y = x + n, *lo = y + n, *hi = lo + n;
    for (size_t c = 0; c < n; c++)
        x[c] = (double)cell->checkpoint[c];
    *out = (spar__series){.label = cell->spec.label,
                          .n = n,
                          .x = x,
                          .y = y,
                          .lo = lo,
                          .hi = hi,
                          .color = spar__policy_color(cell->spec.label)};
    return fill_curve(cell, line, y, lo, hi);
}

static spar_status fill_panel(const spar__paper_setting *setting, spar__panel_line line, spar__panel *p)
{
    size_t n = 4 * setting->cell[0].n_checkpoints; /* numbers of a line */
    p->series = spar__alloc(setting->n_policies, sizeof *p->series);
    p->number = spar__alloc(setting->n_policies * n, sizeof *p->number);
    if (!p->series || !p->number)
        return SPAR_NOMEM;
    for (size_t i = 0; i < setting->n_policies; i++) {
        spar_status status = make_series(&setting->cell[i], line, p->number + i * n, &p->series[i]);
        if (status)
            return status;
    }
    (void)snprintf(p->subtitle, sizeof p->subtitle, "m = %zu, %" PRIu64 " run%s", setting->m, setting->runs,
                   setting->runs == 1 ? "" : "s");
    p->figure = (spar__figure){.title = setting->title,
                               .subtitle = p->subtitle,
                               .x_label = "round",
                               .y_label = "cumulative regret",
                               .n_series = setting->n_policies,
                               .series = p->series,
                               .band_note = note_of(line)};
    return SPAR_OK;
}

spar_status spar__panel_make(const spar__paper_setting *setting, spar__panel_line line, spar__panel *out)
{
    *out = (spar__panel){0};
    spar_status status = setting ? fill_panel(setting, line, out) : SPAR_OK;
    if (status)
        spar__panel_free(out);
    return status;
}

void spar__panel_free(spar__panel *panel)
{
    spar__free(panel->series);
    spar__free(panel->number);
    *panel = (spar__panel){0};
}

spar_status spar__panels_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    static const double widths[SPAR__PANELS + 1] = {0, 680, 450, 320, 300}, heights[] = {0, 420, 360, 330, 300};
    spar__panel panel[SPAR__PANELS];
    spar__figure figure[SPAR__PANELS];
    size_t found = 0;
    uint64_t rounds = 0;
    bool alike = true; /* panels of as many rounds have one scale */
    spar_status status = SPAR_OK;
    for (const char *const *name = data; *name && found < SPAR__PANELS && !status; name++) {
        const spar__paper_setting *setting = spar__paper_find(paper, *name);
        if (!setting || (status = spar__panel_make(setting, SPAR__PANEL_MEAN, &panel[found])))
            continue;
        alike = alike && (!found || setting->rounds == rounds);
        rounds = setting->rounds;
        found++;
    }
    for (size_t i = 0; i < found; i++) {
        figure[i] = panel[i].figure;
        figure[i].width = widths[found];
        figure[i].height = heights[found];
        figure[i].same_y = alike;
        if (i > 0)
            figure[i].y_label = NULL;
    }
    if (!status && found > 0)
        status = spar__draw_panels(figure, found, found, to);
    for (size_t i = 0; i < found; i++)
        spar__panel_free(&panel[i]);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

/* The same policies in all fifteen scenarios, on one page. */

enum { SETS = SPAR__SCENARIO_SETS, LINKS = SPAR__SCENARIO_LINKS };

/* Row by row. */
#define ROW(set) "grid/linear-" set, "grid/logit-" set, "grid/natural-" set
static const char *const grid_settings[] = {ROW("1good"), ROW("2good"), ROW("6good"), ROW("arith"), ROW("geom"), NULL};
#undef ROW

static spar_status grid_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SETS * LINKS; i++)
        status = spar__paper_add_scenario(paper, spar__scenario_links[i % LINKS], spar__scenario_sets[i / LINKS], err);
    return status;
}

/* Before round 100 all curves are the same straight line. */
static void leave_out_start(spar__panel *panel)
{
    for (size_t i = 0; i < panel->figure.n_series; i++) {
        spar__series *series = &panel->series[i];
        for (; series->n > 1 && series->x[0] < 100; series->n--) {
            series->x++;
            series->y++;
            series->lo++;
            series->hi++;
        }
    }
}

static spar_status grid_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    spar__panel panel[SETS * LINKS] = {0};
    spar__figure figure[SETS * LINKS];
    size_t found = 0;
    char note[200];
    uint64_t runs = 0;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SETS * LINKS; i++) {
        const spar__paper_setting *setting = spar__paper_find(paper, grid_settings[i]);
        found += setting != NULL;
        runs = setting ? setting->runs : runs;
        status = spar__panel_make(setting, SPAR__PANEL_MEAN_SE, &panel[i]);
        leave_out_start(&panel[i]);
        figure[i] = panel[i].figure;
        figure[i].log_x = figure[i].log_y = true;
    }
    (void)snprintf(note, sizeof note,
                   "lines: mean of %" PRIu64
                   " runs, from round 100 on; bands: \xC2\xB1 2 standard errors; both axes are "
                   "logarithmic, all plots of a row have the same scale",
                   runs);
    if (!status && found > 0)
        status = spar__draw_grid(&(spar__grid){.x_label = "round",
                                               .y_label = "cumulative regret",
                                               .note = note,
                                               .rows = SETS,
                                               .columns = LINKS,
                                               .row = spar__scenario_sets,
                                               .column = spar__scenario_links,
                                               .panel = figure,
                                               .width = 900,
                                               .panel_height = 165},
                                 to);
    for (size_t i = 0; i < SETS * LINKS; i++)
        spar__panel_free(&panel[i]);
    return status ? spar__fail(err, status, "grid: %s", spar_status_text(status)) : SPAR_OK;
}

const spar__paper_figure spar__figure_grid = {
    .name = "grid",
    .title = "Dueling bandits in fifteen scenarios",
    .says = "Five sets of utilities under three links, two arms a round: what holds on logit / arith holds throughout. "
            "IndSelfSparring is competitive, and DTS fairly consistently the best.",
    .plan = grid_plan,
    .draw = grid_draw,
    .settings = grid_settings,
};

/* Two arms a round, one scenario: the mean with its sd as in the paper, and the median, which a few runs
 * that never recover do not change. */

static const char NAME[] = "grid/logit-arith";

static spar_status vanilla_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    return spar__paper_add_scenario(paper, "logit", "arith", err);
}

static spar_status vanilla_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, NAME);
    if (!setting)
        return SPAR_OK;
    spar__panel mean = {0}, median = {0};
    spar_status status = spar__panel_make(setting, SPAR__PANEL_MEAN, &mean);
    if (!status)
        status = spar__panel_make(setting, SPAR__PANEL_MEDIAN, &median);
    if (!status) {
        spar__figure figure[] = {mean.figure, median.figure};
        figure[0].title = "Mean and one standard deviation";
        figure[1].title = "Median and 5 to 95 %";
        figure[1].y_label = NULL;
        for (size_t i = 0; i < 2; i++) {
            figure[i].width = 480;
            figure[i].height = 420;
            figure[i].same_y = true;
            figure[i].band_note = NULL;
        }
        status = spar__draw_panels(figure, 2, 2, to);
    }
    spar__panel_free(&mean);
    spar__panel_free(&median);
    return status ? spar__fail(err, status, "vanilla: %s", spar_status_text(status)) : SPAR_OK;
}

/* The two that the paper speaks of. */
static spar_status find(const void *data, const spar__paper *paper, spar__buf *out)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, NAME);
    const spar__cell *own = spar__paper_cell(setting, "IndSelfSparring"), *dts = spar__paper_cell(setting, "DTS");
    spar__regret_comparison c;
    if (!own || !dts)
        return SPAR_OK;
    if (spar__regret_compare(own, own->regret, dts->regret, &c))
        return SPAR_NOMEM;
    bool chance = fabs(c.difference.mean) <= 2 * c.difference.se;
    spar__buf_printf(out,
                     "We find a mean regret of %.0f for IndSelfSparring and of %.0f for DTS, a difference of %+.0f +- "
                     "%.0f%s; the medians are %.0f and %.0f.",
                     c.mean[0], c.mean[1], c.difference.mean, c.difference.se, chance ? ", which may be chance" : "",
                     c.median[0], c.median[1]);
    return SPAR_OK;
}

const spar__paper_figure spar__figure_vanilla = {
    .name = "vanilla",
    .title = "Dueling bandits on logit / arith",
    .says = "Nine policies that show two arms a round. IndSelfSparring competes with the best; DTS has the lowest "
            "mean, but both vary so much from run to run that they are about equal.",
    .plan = vanilla_plan,
    .draw = vanilla_draw,
    .find = find,
    .claim = "dts-best",
    .settings = (const char *const[]){NAME, NULL},
};

/* Four arms a round, independent arms. */

static const char *const multi_settings[] = {"multi/linear-1good", "multi/linear-arith", NULL};

static spar_status multi_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar__paper_setting wanted = {.name = multi_settings[0],
                                  .title = "linear / 1good",
                                  .env = "utility(set=1good,link=linear)",
                                  .m = 4,
                                  .rounds = 20000,
                                  .runs = 100,
                                  .quick_runs = 10,
                                  .policy = spar__multi_policies,
                                  .n_policies = SPAR__MULTI_POLICIES,
                                  .nanoseconds = 900};
    spar_status status = spar__paper_add(paper, &wanted, err);
    wanted.name = multi_settings[1];
    wanted.title = "linear / arith";
    wanted.env = "utility(set=arith,link=linear)";
    return status ? status : spar__paper_add(paper, &wanted, err);
}

const spar__paper_figure spar__figure_multi = {
    .name = "multi",
    .title = "Multi-dueling bandits on linear / 1good and arith",
    .says = "Four arms a round, and every pair of them compared: IndSelfSparring has far less regret than MDB and "
            "MultiSparring.",
    .plan = multi_plan,
    .draw = spar__panels_draw,
    .data = multi_settings,
    .settings = multi_settings,
};

/* Four rankers of a search engine a round, out of random subsets of sixteen. */

static const char *const rankers_settings[] = {"rankers/letor", "rankers/matrix", "rankers/generated", NULL};

static spar_status rankers_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    return spar__paper_add_rankers(paper,
                                   &(spar__paper_setting){.m = 4,
                                                          .rounds = 20000,
                                                          .runs = 50,
                                                          .quick_runs = 5,
                                                          .policy = spar__multi_policies,
                                                          .n_policies = SPAR__MULTI_POLICIES,
                                                          .nanoseconds = 3000},
                                   err);
}

const spar__paper_figure spar__figure_rankers = {
    .name = "rankers",
    .title = "Multi-dueling bandits on rankers",
    .says = "Four rankers a round, out of 50 random subsets of 16 in which one ranker beats all others (the paper "
            "takes them from MSLR): IndSelfSparring again has much less regret than the others.",
    .plan = rankers_plan,
    .draw = spar__panels_draw,
    .data = rankers_settings,
    .settings = rankers_settings,
};

/* Two arms a round that depend on each other through their features. */

static const char *const kernel_settings[] = {"kernel/gp", "kernel/forrester", "kernel/camel", NULL};

static spar_status kernel_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_setting wanted[] = {
        {.name = "kernel/gp",
         .title = "Draws of a GP",
         .env = "function(name=gp,points=30,length=0.2)",
         .m = 2,
         .rounds = 100,
         .runs = 100,
         .quick_runs = 100,
         .policy = spar__kernel_policies,
         .n_policies = 2,
         .nanoseconds = 20000},
        {.name = "kernel/forrester",
         .title = "Forrester",
         .env = "function(name=forrester,points=30)",
         .m = 2,
         .rounds = 100,
         .runs = 20,
         .quick_runs = 20,
         .policy = spar__kernel_policies,
         .n_policies = SPAR__KERNEL_POLICIES,
         .nanoseconds = 1e6},
        {.name = "kernel/camel",
         .title = "Six-hump camel",
         .env = "function(name=camel,points=8)",
         .m = 2,
         .rounds = 500,
         .runs = 100,
         .quick_runs = 20,
         .policy = spar__kernel_policies,
         .n_policies = 2,
         .nanoseconds = 50000},
    };
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++)
        status = spar__paper_add(paper, &wanted[i], err);
    return status;
}

const spar__paper_figure spar__figure_kernel = {
    .name = "kernel",
    .title = "Dueling bandits with dependent arms",
    .says = "Two arms a round; what is learned about one arm also informs about its neighbours. KernelSelfSparring "
            "does much "
            "better than GP-Sparring, and on Forrester than BOPPER.",
    .plan = kernel_plan,
    .draw = spar__panels_draw,
    .data = kernel_settings,
    .settings = kernel_settings,
};

/* Four arms a round that depend on each other through their features. */

static const char *const kernel_multi_settings[] = {"kernel-multi/forrester", "kernel-multi/camel", NULL};

static spar_status kernel_multi_plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar__paper_setting wanted = {.name = kernel_multi_settings[0],
                                  .title = "Forrester",
                                  .env = "function(name=forrester,points=30)",
                                  .m = 4,
                                  .rounds = 100,
                                  .runs = 50,
                                  .quick_runs = 50,
                                  .policy = spar__kernel_policies,
                                  .n_policies = 2,
                                  .nanoseconds = 50000};
    spar_status status = spar__paper_add(paper, &wanted, err);
    wanted.name = kernel_multi_settings[1];
    wanted.title = "Six-hump camel";
    wanted.env = "function(name=camel,points=8)";
    return status ? status : spar__paper_add(paper, &wanted, err);
}

const spar__paper_figure spar__figure_kernel_multi = {
    .name = "kernel-multi",
    .title = "Multi-dueling bandits with dependent arms",
    .says = "Four arms a round: KernelSelfSparring again has clearly less regret than GP-Sparring.",
    .plan = kernel_multi_plan,
    .draw = spar__panels_draw,
    .data = kernel_multi_settings,
    .settings = kernel_multi_settings,
};
