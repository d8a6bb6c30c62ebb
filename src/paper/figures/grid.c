/* grid.c - the same policies in all fifteen scenarios, on one page. */
#include "plot/plot.h"

#include "paper/panels.h"
#include "paper/scenarios.h"

#include <inttypes.h>
#include <stdio.h>

enum { SETS = SPAR__SCENARIO_SETS, LINKS = SPAR__SCENARIO_LINKS };

/* Row by row. */
#define ROW(set) "grid/linear-" set, "grid/logit-" set, "grid/natural-" set
static const char *const settings[] = {ROW("1good"), ROW("2good"), ROW("6good"), ROW("arith"), ROW("geom"), NULL};
#undef ROW

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
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

static spar_status draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err)
{
    (void)data;
    spar__panel panel[SETS * LINKS] = {0};
    spar__figure figure[SETS * LINKS];
    size_t found = 0;
    char note[200];
    uint64_t runs = 0;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SETS * LINKS; i++) {
        const spar__paper_setting *setting = spar__paper_find(paper, settings[i]);
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
    .plan = plan,
    .draw = draw,
    .settings = settings,
};
