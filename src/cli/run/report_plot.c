#include "cli/run/report.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "plot/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { SMALL_WIDTH = 460, SMALL_HEIGHT = 300, MOST_COLUMNS = 6 };

/* The memory of one figure. */
typedef struct panel {
    spar__series *series;
    double *number; /* the checkpoints, then y, lo and hi of each policy */
    char **label;
    char title[200], subtitle[200];
} panel;

static void panel_free(panel *p, size_t policies)
{
    for (size_t i = 0; p->label && i < policies; i++)
        spar__free(p->label[i]);
    spar__free(p->label);
    spar__free(p->series);
    spar__free(p->number);
}

/* "rucb  161.2 ± 0.9": the policy and its final regret. */
static char *make_label(const char *policy, const spar__summary *last)
{
    spar__buf text = {0};
    int places = fabs(last->mean) >= 1000 ? 0 : fabs(last->mean) >= 10 ? 1 : 3;
    if (last->n)
        spar__buf_printf(&text, "%s  %.*f \xC2\xB1 %.*f", policy, places, last->mean, places, last->se);
    else
        spar__buf_printf(&text, "%s  no complete run", policy);
    char *label = text.failed ? NULL : spar__strdup(text.text);
    spar__buf_free(&text);
    return label;
}

/* The series of a policy at its place in the legend. Colours follow the order of the options, in all panels alike. */
static spar_status fill_series(const spar__trial *trial, size_t policy, size_t place, const spar__plot_style *style,
                               panel *p)
{
    size_t n = trial->results->n_checkpoints;
    double *y = p->number + n * (1 + 3 * place), *lo = y + n, *hi = lo + n;
    spar__summary at = {0};
    for (size_t c = 0; c < n; c++) {
        spar_status status = spar__score_at(trial, policy, c, &at);
        if (status)
            return status;
        bool quantile = style->band == SPAR__BAND_QUANTILE;
        y[c] = quantile ? at.median : at.mean;
        lo[c] = quantile ? at.q05 : at.mean - at.sd;
        hi[c] = quantile ? at.q95 : at.mean + at.sd;
    }
    /* The last checkpoint is the end. Small panels have one legend for all. */
    const char *name = spar__plot_name(style, trial->plan.policies[policy]);
    p->label[place] = trial->grid->many ? spar__strdup(name) : make_label(name, &at);
    if (!p->label[place])
        return SPAR_NOMEM;
    bool bare = style->band == SPAR__BAND_NONE;
    p->series[place] = (spar__series){.label = p->label[place],
                                      .n = n,
                                      .x = p->number,
                                      .y = y,
                                      .lo = bare ? NULL : lo,
                                      .hi = bare ? NULL : hi,
                                      .color = policy + 1};
    return SPAR_OK;
}

/* The curves of the trial, the best policy first. */
static spar_status fill_all(const spar__trial *trial, const spar__plot_style *style, panel *p)
{
    size_t n = trial->results->n_checkpoints, policies = trial->plan.n_policies;
    p->series = spar__alloc(policies, sizeof *p->series);
    p->label = spar__alloc(policies, sizeof *p->label);
    p->number = spar__alloc(n * (1 + 3 * policies), sizeof *p->number);
    if (!p->series || !p->label || !p->number)
        return SPAR_NOMEM;
    for (size_t c = 0; c < n; c++)
        p->number[c] = (double)trial->results->checkpoint[c];
    spar__score *score = NULL;
    size_t *order = NULL;
    spar_status status = spar__scores_of(trial, &score, &order);
    for (size_t i = 0; !status && i < policies; i++)
        status = fill_series(trial, order[i], i, style, p);
    spar__free(score);
    spar__free(order);
    return status;
}

static const char *const notes[] = {
    [SPAR__BAND_SD] = "lines: mean, bands: \xC2\xB1 1 sd, numbers: mean \xC2\xB1 se",
    [SPAR__BAND_QUANTILE] = "lines: median, bands: 5 to 95 %, numbers: mean \xC2\xB1 se",
    [SPAR__BAND_NONE] = "lines: mean, numbers: mean \xC2\xB1 se",
};

static const char *const axes[] = {
    [SPAR_REGRET_SUM] = "cumulative regret",
    [SPAR_REGRET_WEAK] = "cumulative weak regret",
    [SPAR_REGRET_BEST_FIXED] = "regret to the best arm in hindsight",
    [SPAR_REGRET_BORDA] = "cumulative Borda regret",
    [SPAR_REGRET_COPELAND] = "cumulative Copeland regret",
    [SPAR_REGRET_VON_NEUMANN] = "cumulative von Neumann regret",
};

static spar_status make_figure(const spar__trial *trial, size_t panels, const spar__plot_style *style, panel *p,
                               spar__figure *figure)
{
    const spar_plan *plan = &trial->plan;
    spar_status status = fill_all(trial, style, p);
    if (status)
        return status;
    (void)snprintf(p->subtitle, sizeof p->subtitle, "m = %zu, %.80s, %" PRIu64 " run%s%s", plan->m, plan->feedback,
                   plan->runs, spar__plural(plan->runs), trial->results->interrupted ? " (interrupted)" : "");
    *figure = (spar__figure){
        .title = spar__plot_title(style, plan, panels, p->title),
        .subtitle = p->subtitle,
        .x_label = "round",
        .y_label = axes[plan->regret],
        .log_x = style->log_x,
        .log_y = style->log_y,
        .width = style->width,
        .height = style->height,
        .n_series = plan->n_policies,
        .series = p->series,
        .band_note = notes[style->band],
    };
    if (trial->grid->many) {
        figure->width = SMALL_WIDTH;
        figure->height = SMALL_HEIGHT;
    }
    return SPAR_OK;
}

/* A row for each environment, a column for each m. */
static size_t columns_of(const spar__run_grid *grid)
{
    return grid->n_m > 1 && grid->n_m <= MOST_COLUMNS ? grid->n_m : grid->many ? 3 : 2;
}

spar_status spar__report_plot(const spar__trial *trials, size_t n, spar__plot_style style, spar__drawing *out)
{
    out->name = style.title ? style.title : "Regret of the policies";
    panel *panels = spar__alloc(n, sizeof *panels);
    spar__figure *figures = spar__alloc(n, sizeof *figures);
    spar_status status = panels && figures ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        status = make_figure(&trials[i], n, &style, &panels[i], &figures[i]);
    if (!status)
        status = spar__draw_panels(figures, n, n == 1 ? 1 : columns_of(trials[0].grid), out);
    for (size_t i = 0; panels && i < n; i++)
        panel_free(&panels[i], trials[i].plan.n_policies);
    spar__free(panels);
    spar__free(figures);
    return status;
}
