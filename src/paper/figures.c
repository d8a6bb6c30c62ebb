/* figures.c - every figure of the paper, in its order, and how it is drawn: mostly the regret curves of settings side
 * by side. The same policy has the same colour in all figures. */
#include "base/alloc.h"
#include "base/error.h"
#include "num/elementary.h"
#include "paper/paper.h"
#include "plot/plot.h"
#include "types/arms.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SETS = SPAR__SCENARIO_SETS, LINKS = SPAR__SCENARIO_LINKS };

/* --- regret curves --- */

size_t spar__policy_color(const char *label)
{
    static const struct {
        const char *label;
        size_t color; /* of plot/svg.h, from 1 */
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
    /* The curve of one cell: y, lo and hi, each one number per checkpoint. */
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

static spar_status fill_panel(const spar__paper_setting *setting, spar__panel_line line, spar__panel *p)
{
    static const char *const notes[] = {
        [SPAR__PANEL_MEAN] = "lines: mean over runs; bands: \xC2\xB1 1 sd",
        [SPAR__PANEL_MEDIAN] = "lines: median over runs; bands: 5 to 95 %",
        [SPAR__PANEL_MEAN_SE] = "lines: mean over runs; bands: \xC2\xB1 2 standard errors",
    };
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
                               .band_note = notes[line]};
    return SPAR_OK;
}

void spar__panel_free(spar__panel *panel)
{
    spar__free(panel->series);
    spar__free(panel->number);
    *panel = (spar__panel){0};
}

spar_status spar__panel_make(const spar__paper_setting *setting, spar__panel_line line, spar__panel *out)
{
    *out = (spar__panel){0};
    spar_status status = setting ? fill_panel(setting, line, out) : SPAR_OK;
    if (status)
        spar__panel_free(out);
    return status;
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

/* --- the fifteen scenarios on one page --- */

/* Row by row. */
#define ROW(set) "grid/linear-" set, "grid/logit-" set, "grid/natural-" set
static const char *const grid_settings[] = {ROW("1good"), ROW("2good"), ROW("6good"), ROW("arith"), ROW("geom"), NULL};
#undef ROW

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

static spar_status draw_grid(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
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

/* --- one scenario: the mean with its sd as in the paper, and the median, which a few runs that never recover do not
 * change --- */

static const char VANILLA[] = "grid/logit-arith";

static spar_status draw_vanilla(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, VANILLA);
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
static spar_status find_vanilla(const void *data, const spar__paper *paper, spar__buf *out)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, VANILLA);
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

/* --- the belief of KernelSelfSparring about its arms as it learns --- */

enum { ARMS = 30, MARKS = SPAR__EVOLUTION_MARKS };

/* What the probe writes, for every arm. */
typedef struct arm_beliefs {
    double x[ARMS], mean[ARMS], sd[ARMS], truth[ARMS], won[ARMS], lost[ARMS];
} arm_beliefs;

static spar_status measure_belief(const spar_snapshot *snapshot, double *out)
{
    arm_beliefs now;
    const spar_arms *arms = spar_policy_arms(snapshot->policy);
    if (arms->n != ARMS || arms->dim != 1)
        return SPAR_UNSUPPORTED;
    spar_scratch *scratch = NULL;
    spar_status status = spar_scratch_new(&scratch);
    if (!status)
        status = spar_policy_belief(snapshot->policy, scratch, spar_arms_count(spar_policy_arms(snapshot->policy)),
                                    now.mean, now.sd, NULL);
    spar_scratch_free(scratch);
    if (status == SPAR_UNSUPPORTED) { /* swapped in, and without a belief: nothing to draw */
        status = SPAR_OK;
        for (size_t i = 0; i < ARMS; i++)
            now.mean[i] = now.sd[i] = NAN;
    }
    if (status)
        return status;
    size_t best = spar_world_best(snapshot->world, snapshot->t);
    for (size_t i = 0; i < ARMS; i++) {
        now.x[i] = arms->x[i];
        now.truth[i] = spar_world_prefer(snapshot->world, snapshot->t, i, best);
        now.won[i] = snapshot->tally[i].won;
        now.lost[i] = snapshot->tally[i].lost;
    }
    memcpy(out, &now, sizeof now);
    return SPAR_OK;
}

const spar__cell_probe spar__evolution_probe = {"belief", sizeof(arm_beliefs) / sizeof(double), measure_belief};

static spar_status draw_evolution(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, "evolution");
    if (!setting)
        return SPAR_OK;
    const spar__cell *cell = &setting->cell[0];
    arm_beliefs now[MARKS];
    spar__belief belief[MARKS];
    char label[MARKS][40];
    if (cell->n_marks != MARKS || cell->width != sizeof *now / sizeof(double))
        return spar__fail(err, SPAR_INVALID, "evolution: the cell has another size");
    memcpy(now, cell->probe, sizeof now);
    for (size_t k = 0; k < MARKS; k++) {
        (void)snprintf(label[k], sizeof label[k], "after %" PRIu64 " rounds", cell->spec.mark[k]);
        belief[k] = (spar__belief){.label = label[k],
                                   .n = ARMS,
                                   .x = now[k].x,
                                   .mean = now[k].mean,
                                   .sd = now[k].sd,
                                   .truth = now[k].truth,
                                   .won = now[k].won,
                                   .lost = now[k].lost};
    }
    spar_status status = spar__draw_beliefs(&(spar__beliefs){.dim = 1,
                                                             .feature = {"arm", NULL},
                                                             .value = "probability to win",
                                                             .truth = "true P(arm beats the best)",
                                                             .dashed = true,
                                                             .n = MARKS,
                                                             .belief = belief},
                                            to);
    return status ? spar__fail(err, status, "evolution: %s", spar_status_text(status)) : SPAR_OK;
}

/* At the last mark: where the belief is highest, and how far it is from the truth there. */
static spar_status find_evolution(const void *data, const spar__paper *paper, spar__buf *out)
{
    (void)data;
    const spar__paper_setting *setting = spar__paper_find(paper, "evolution");
    arm_beliefs now;
    if (!setting || setting->cell[0].n_marks != MARKS || setting->cell[0].width != sizeof now / sizeof(double))
        return SPAR_OK;
    memcpy(&now, setting->cell[0].probe + (MARKS - 1) * (sizeof now / sizeof(double)), sizeof now);
    size_t high = 0, best = 0;
    for (size_t i = 1; i < ARMS; i++) {
        high = now.mean[i] > now.mean[high] ? i : high;
        best = now.truth[i] > now.truth[best] ? i : best;
    }
    if (isfinite(now.mean[high]))
        spar__buf_printf(out,
                         "We find that after %" PRIu64
                         " rounds of this run the belief is highest at the arm %.2f, where "
                         "the best arm is %.2f; it is %.2f +- %.2f there, and the truth %.2f.",
                         setting->cell[0].spec.mark[MARKS - 1], now.x[high], now.x[best], now.mean[high], now.sd[high],
                         now.truth[high]);
    return SPAR_OK;
}

/* --- approximate linearity: a link between two straight lines, and the links of the scenarios --- */

enum { POINTS = 121 };

static const double LOW = 0.2, HIGH = 0.8; /* the scenarios' utilities */

static double logit(double difference)
{
    return spar__logistic(difference) - 0.5;
}

static double logit_slope(double difference)
{
    double p = spar__logistic(difference);
    return p * (1 - p);
}

/* -end ... end */
static void fill_x(double *x, double end)
{
    for (size_t i = 0; i < POINTS; i++)
        x[i] = end * (2 * (double)i / (POINTS - 1) - 1);
}

typedef struct link_panel {
    double x[POINTS], y[4][POINTS], lo[POINTS], hi[POINTS];
    char label[LINKS][64];
    spar__series series[LINKS];
} link_panel;

/* The logit link on [-1, 1]: it is steepest at 0, flattest at the ends, and gamma is how much flatter. */
static spar__figure draw_bound(link_panel *p)
{
    double steep = logit_slope(0), flat = logit_slope(1);
    fill_x(p->x, 1);
    for (size_t i = 0; i < POINTS; i++) {
        p->y[0][i] = logit(p->x[i]);
        p->y[1][i] = steep * p->x[i];
        p->y[2][i] = flat * p->x[i];
        p->lo[i] = fmin(p->y[1][i], p->y[2][i]);
        p->hi[i] = fmax(p->y[1][i], p->y[2][i]);
    }
    (void)snprintf(p->label[2], sizeof p->label[2], "\xCE\xB3 times that slope, \xCE\xB3 = %.3f", flat / steep);
    p->series[0] = (spar__series){"\xCE\xA6, the logit link", POINTS, p->x, p->y[0], NULL, NULL, 1, false};
    p->series[1] = (spar__series){"the slope of \xCE\xA6 at 0", POINTS, p->x, p->y[1], NULL, NULL, 29, false};
    p->series[2] = (spar__series){p->label[2], POINTS, p->x, p->y[2], p->lo, p->hi, 17, false};
    return (spar__figure){.title = "A link between two lines",
                          .subtitle = "\xCE\xA6(a + b) \xE2\x88\x92 \xCE\xA6(b) \xE2\x89\xA5 \xCE\xB3 \xCE\xA6(a)",
                          .x_label = "difference of utilities",
                          .y_label = "P(win) \xE2\x88\x92 \xC2\xBD",
                          .n_series = 3,
                          .series = p->series,
                          .width = 450,
                          .height = 400,
                          .legend_below = true};
}

/* The three links on the range of the scenarios. The natural link depends on more than the difference. */
static spar_status draw_links(link_panel *p, spar__figure *out, spar_error *err)
{
    fill_x(p->x, HIGH - LOW);
    for (size_t i = 0; i < POINTS; i++) {
        p->y[0][i] = p->x[i] / 2;
        p->y[1][i] = logit(p->x[i]);
        /* P(x beats y) - 1/2 = (x - y) / (2 (x + y)), of utilities with this difference, given the larger or the
         * smaller one. */
        p->y[2][i] = p->x[i] / (2 * (2 * HIGH - fabs(p->x[i])));
        double other = p->x[i] / (2 * (2 * LOW + fabs(p->x[i])));
        p->lo[i] = fmin(p->y[2][i], other);
        p->hi[i] = fmax(p->y[2][i], other);
    }
    for (size_t i = 0; i < LINKS; i++) {
        const char *link = spar__scenario_links[i];
        spar__transitivity law; /* of arith; 2good, 6good and geom have the same gamma */
        spar_status status = spar__scenario_measure(link, "arith", &law, err);
        if (status)
            return status;
        (void)snprintf(p->label[i], sizeof p->label[i], "%s, \xCE\xB3 = %.3f", link, law.linearity);
        p->series[i] = (spar__series){.label = p->label[i], .n = POINTS, .x = p->x, .y = p->y[i]};
    }
    p->series[0].color = 3;
    p->series[1].color = 1;
    p->series[2].color = 2;
    p->series[2].lo = p->lo;
    p->series[2].hi = p->hi;
    *out = (spar__figure){.title = "The links of the scenarios",
                          .subtitle = "utilities from 0.2 to 0.8",
                          .x_label = "difference of utilities",
                          .n_series = LINKS,
                          .series = p->series,
                          .width = 450,
                          .height = 400,
                          .legend_below = true,
                          .band_note = "natural: the line is against the best arm, the band any two utilities"};
    return SPAR_OK;
}

static spar_status draw_linearity(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data, (void)paper;
    link_panel bound, links;
    spar__figure figure[2] = {draw_bound(&bound)};
    spar_status status = draw_links(&links, &figure[1], err);
    if (!status && (status = spar__draw_panels(figure, 2, 2, to)))
        (void)spar__fail_memory(err);
    return status;
}

/* --- the figures --- */

static const char *const multi_settings[] = {"multi/linear-1good", "multi/linear-arith", NULL};
static const char *const rankers_settings[] = {"rankers/letor", "rankers/matrix", "rankers/generated", NULL};
static const char *const kernel_settings[] = {"kernel/gp", "kernel/forrester", "kernel/camel", NULL};
static const char *const kernel_multi_settings[] = {"kernel-multi/forrester", "kernel-multi/camel", NULL};

const spar__paper_figure spar__paper_figures[] = {
    {
        .name = "linearity",
        .title = "Approximate linearity",
        .says = "Differences of preferences are at least \xCE\xB3 times what a straight line gives; any increasing "
                "link on a bounded range satisfies this with some \xCE\xB3 > 0, and the linear one with \xCE\xB3 = 1.",
        .draw = draw_linearity,
    },
    {
        .name = "evolution",
        .title = "A belief as it learns",
        .says = "Utilities drawn from a Gaussian process: the belief of KernelSelfSparring after 5, 20 and 100 rounds "
                "approaches the probability of each arm to beat the best, and finds the best arm with confidence.",
        .needs = "evolution",
        .draw = draw_evolution,
        .find = find_evolution,
        .claim = "beats-kernel",
    },
    {
        .name = "vanilla",
        .title = "Dueling bandits on logit / arith",
        .says = "Nine policies that show two arms a round. IndSelfSparring competes with the best; DTS has the lowest "
                "mean, but both vary so much from run to run that they are about equal.",
        .needs = VANILLA,
        .draw = draw_vanilla,
        .find = find_vanilla,
        .claim = "dts-best",
        .settings = (const char *const[]){VANILLA, NULL},
    },
    {
        .name = "grid",
        .title = "Dueling bandits in fifteen scenarios",
        .says = "Five sets of utilities under three links, two arms a round: what holds on logit / arith holds "
                "throughout. IndSelfSparring is competitive, and DTS fairly consistently the best.",
        .needs = "grid/",
        .draw = draw_grid,
        .settings = grid_settings,
    },
    {
        .name = "multi",
        .title = "Multi-dueling bandits on linear / 1good and arith",
        .says = "Four arms a round, and every pair of them compared: IndSelfSparring has far less regret than MDB and "
                "MultiSparring.",
        .needs = "multi/",
        .draw = spar__panels_draw,
        .data = multi_settings,
        .settings = multi_settings,
    },
    {
        .name = "rankers",
        .title = "Multi-dueling bandits on rankers",
        .says = "Four rankers a round, out of 50 random subsets of 16 in which one ranker beats all others (the paper "
                "takes them from MSLR): IndSelfSparring again has much less regret than the others.",
        .needs = "rankers/",
        .draw = spar__panels_draw,
        .data = rankers_settings,
        .settings = rankers_settings,
    },
    {
        .name = "kernel",
        .title = "Dueling bandits with dependent arms",
        .says = "Two arms a round; what is learned about one arm also informs about its neighbours. KernelSelfSparring "
                "does much better than GP-Sparring, and on Forrester than BOPPER.",
        .needs = "kernel/",
        .draw = spar__panels_draw,
        .data = kernel_settings,
        .settings = kernel_settings,
    },
    {
        .name = "kernel-multi",
        .title = "Multi-dueling bandits with dependent arms",
        .says = "Four arms a round: KernelSelfSparring again has clearly less regret than GP-Sparring.",
        .needs = "kernel-multi/",
        .draw = spar__panels_draw,
        .data = kernel_multi_settings,
        .settings = kernel_multi_settings,
    },
};
const size_t spar__n_paper_figures = sizeof spar__paper_figures / sizeof *spar__paper_figures;
