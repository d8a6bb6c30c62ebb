/* grid.c - the same policies in all fifteen scenarios, on one page. */
#include "plot/grid.h"

#include "paper/figures/figures.h"
#include "paper/panels.h"
#include "paper/roles.h"
#include "paper/scenarios.h"

#include <stdio.h>

enum { SETS = SPAR__SCENARIO_SETS, LINKS = SPAR__SCENARIO_LINKS, SIZE = 80 };

/* Row by row. */
#define ROW(set) "grid/linear-" set, "grid/logit-" set, "grid/natural-" set
static const char *const scenes[] = {ROW("1good"), ROW("2good"), ROW("6good"), ROW("arith"), ROW("geom"), NULL};
#undef ROW

spar_status spar__stage_grid(spar__paper *paper, const char *link, const char *set, spar_error *err)
{
    char name[SIZE], title[SIZE], env[SIZE];
    (void)snprintf(name, sizeof name, "grid/%s-%s", link, set);
    (void)snprintf(title, sizeof title, "%s / %s", link, set);
    (void)snprintf(env, sizeof env, "utility(set=%s,link=%s)", set, link);
    return spar__paper_stage(paper,
                             &(spar__setup){.name = name,
                                            .title = title,
                                            .env = env,
                                            .m = 2,
                                            .rounds = 20000,
                                            .runs = 100,
                                            .quick_runs = 8,
                                            .role = spar__vanilla_roles,
                                            .n_roles = SPAR__VANILLA_ROLES,
                                            .nanoseconds = 900},
                             err);
}

static spar_status stage(spar__paper *paper, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SETS * LINKS; i++)
        status = spar__stage_grid(paper, spar__scenario_links[i % LINKS], spar__scenario_sets[i / LINKS], err);
    return status;
}

/* Before that all curves are one: a straight line. */
static void leave_out_start(spar__panel *panel)
{
    for (size_t i = 0; i < panel->figure.n_series; i++) {
        spar__series *series = &panel->series[i];
        for (; series->n > 1 && series->x[0] < 100; series->n--) {
            series->x++;
            series->y++;
        }
    }
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    spar__panel panel[SETS * LINKS] = {0};
    spar__figure figure[SETS * LINKS];
    size_t found = 0;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SETS * LINKS; i++) {
        const spar__scene *scene = spar__paper_scene(paper, scenes[i]);
        found += scene != NULL;
        status = spar__panel_make(scene, SPAR__PANEL_MEAN_ONLY, &panel[i]);
        leave_out_start(&panel[i]);
        figure[i] = panel[i].figure;
        figure[i].log_x = figure[i].log_y = true;
    }
    if (!status && found > 0)
        status = spar__plot_grid(
            &(spar__grid){
                .x_label = "round",
                .y_label = "cumulative regret",
                .note = "lines: mean over runs, from round 100 on; both axes are logarithmic, a row has one scale",
                .rows = SETS,
                .columns = LINKS,
                .row = spar__scenario_sets,
                .column = spar__scenario_links,
                .panel = figure,
                .panel_height = 165},
            svg);
    for (size_t i = 0; i < SETS * LINKS; i++)
        spar__panel_free(&panel[i]);
    return status ? spar__fail(err, status, "grid: %s", spar_status_text(status)) : SPAR_OK;
}

const spar__paper_figure spar__figure_grid = {
    .name = "grid",
    .title = "Dueling bandits in fifteen scenarios",
    .says = "Five sets of utilities under three links, two arms a round: what holds on logit / arith holds throughout. "
            "IndSelfSparring is competitive, and DTS fairly consistently the best.",
    .stage = stage,
    .draw = draw,
    .scene = scenes,
};
