#include "paper/panels.h"

#include "base/alloc.h"

#include <inttypes.h>
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
