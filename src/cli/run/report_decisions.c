/* What --stop and --identify add to the reports of `spar run`. */
#include "base/alloc.h"
#include "base/buf.h"
#include "cli/run/report.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "sim/decisions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 201 }; /* of a line in the plot */

size_t spar__decision_columns(const spar_plan *plan)
{
    return 4 * (size_t)(plan->stop != NULL) + plan->identify;
}

void spar__decision_heads(const spar_plan *plan, spar__text_table *table)
{
    static const char *const heads[] = {"decided at (5-95 %)", "right", "wrong", "open"};
    for (size_t k = 0; plan->stop && k < sizeof heads / sizeof *heads; k++)
        spar__text_table_add(table, "%s", heads[k]);
    if (plan->identify)
        spar__text_table_add(table, "identified");
}

static void add_share(spar__text_table *table, double share)
{
    if (isnan(share))
        spar__text_table_add(table, "-");
    else
        spar__text_table_add(table, "%.1f %%", 100 * share);
}

static void add_screens(spar__text_table *table, const spar__summary *screens)
{
    if (screens->n)
        spar__text_table_add(table, "%.0f (%.0f-%.0f)", screens->median, screens->q05, screens->q95);
    else
        spar__text_table_add(table, "-");
}

spar_status spar__decision_cells(const spar__trial *trial, size_t policy, spar__text_table *table)
{
    spar__decisions d;
    uint64_t t = 0;
    spar_status status = spar__results_decisions(trial->results, policy, &d);
    if (!status && trial->plan.identify)
        status = spar__results_identified(trial->results, policy, &t);
    if (status)
        return status;
    if (trial->plan.stop) {
        add_screens(table, &d.screens);
        add_share(table, d.right);
        add_share(table, d.wrong);
        add_share(table, d.open);
    }
    if (trial->plan.identify && t)
        spar__text_table_add(table, "%" PRIu64, t);
    else if (trial->plan.identify)
        spar__text_table_add(table, "-");
    return SPAR_OK;
}

static void add_screens_json(const spar__summary *screens, spar__json *json)
{
    spar__json_key(json, "screens");
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "runs", screens->n);
    spar__json_add_number(json, "mean", screens->mean);
    spar__json_add_number(json, "median", screens->median);
    spar__json_add_number(json, "q05", screens->q05);
    spar__json_add_number(json, "q25", screens->q25);
    spar__json_add_number(json, "q75", screens->q75);
    spar__json_add_number(json, "q95", screens->q95);
    spar__json_end_object(json);
}

static spar_status add_identified_json(const spar__trial *trial, size_t policy, spar__json *json)
{
    uint64_t t;
    spar_status status = spar__results_identified(trial->results, policy, &t);
    spar__json_key(json, "identified");
    spar__json_begin_object(json);
    spar__json_key(json, trial->plan.strongest ? "pl" : "copeland");
    spar__json_begin_object(json);
    if (t)
        spar__json_add_unsigned(json, "t", t);
    else
        spar__json_add_null(json, "t");
    spar__json_add_number(json, "right", spar_results_named_right(trial->results, policy, trial->plan.rounds));
    spar__json_end_object(json);
    spar__json_end_object(json);
    return status;
}

spar_status spar__decision_json(const spar__trial *trial, size_t policy, spar__json *json)
{
    spar__decisions d;
    spar_status status = spar__results_decisions(trial->results, policy, &d);
    if (!status && trial->plan.stop) {
        spar__json_key(json, "decision");
        spar__json_begin_object(json);
        spar__json_add_number(json, "right", d.right);
        spar__json_add_number(json, "wrong", d.wrong);
        spar__json_add_number(json, "open", d.open);
        add_screens_json(&d.screens, json);
        spar__json_end_object(json);
    }
    return status || !trial->plan.identify ? status : add_identified_json(trial, policy, json);
}

/* Two standard errors of a share of n runs. */
static double reach_of(double share, size_t n)
{
    return n ? 2 * sqrt(share * (1 - share) / (double)n) : 0;
}

/* The lines of one panel. */
typedef struct share_panel {
    spar__series *series;
    double *number; /* the rounds, then the shares of each policy, their lower and their upper bounds */
    char title[200], subtitle[200];
} share_panel;

/* Where the last run decides, so that the plot does not end with a long level line; all rounds where one is open. */
static double last_round(const spar__trial *trial, spar__share_kind kind)
{
    uint64_t last = 1;
    size_t n = trial->results->n_policies * trial->results->runs;
    for (size_t i = 0; i < n && kind == SPAR__SHARE_DECIDED; i++) {
        const spar__run_numbers *run = &trial->results->run[i];
        if (run->complete && !run->decided)
            return (double)trial->plan.rounds;
        last = run->complete && run->decided > last ? run->decided : last;
    }
    return kind == SPAR__SHARE_DECIDED ? (double)last : (double)trial->plan.rounds;
}

static void fill_panel(const spar__trial *trial, spar__share_kind kind, const spar__plot_style *style, share_panel *p)
{
    double last = last_round(trial, kind);
    for (size_t i = 0; i < POINTS; i++) {
        double part = (double)i / (POINTS - 1);
        p->number[i] = floor(0.5 + (style->log_x ? spar__pow(last, part) : last * part));
    }
    for (size_t k = 0; k < trial->plan.n_policies; k++) {
        double *y = p->number + (1 + 3 * k) * POINTS, *lo = y + POINTS, *hi = lo + POINTS;
        for (size_t i = 0; i < POINTS; i++) {
            uint64_t t = (uint64_t)p->number[i];
            y[i] = kind == SPAR__SHARE_DECIDED ? spar_results_decided_by(trial->results, k, t)
                                               : spar_results_named_right(trial->results, k, t);
            lo[i] = fmax(y[i] - reach_of(y[i], trial->results->runs), 0);
            hi[i] = fmin(y[i] + reach_of(y[i], trial->results->runs), 1);
        }
        p->series[k] = (spar__series){.label = spar__plot_name(style, trial->plan.policies[k]),
                                      .n = POINTS,
                                      .x = p->number,
                                      .y = y,
                                      .lo = style->band == SPAR__BAND_NONE ? NULL : lo,
                                      .hi = style->band == SPAR__BAND_NONE ? NULL : hi,
                                      .color = k + 1};
    }
}

static spar_status make_panel(const spar__trial *trial, size_t panels, spar__share_kind kind,
                              const spar__plot_style *style, share_panel *p, spar__figure *figure)
{
    const spar_plan *plan = &trial->plan;
    p->series = spar__alloc(plan->n_policies, sizeof *p->series);
    p->number = spar__alloc(3 * plan->n_policies + 1, POINTS * sizeof *p->number);
    if (!p->series || !p->number)
        return SPAR_NOMEM;
    fill_panel(trial, kind, style, p);
    (void)snprintf(p->subtitle, sizeof p->subtitle, "m = %zu, %.80s, %" PRIu64 " run%s, %.60s%s", plan->m,
                   plan->feedback, plan->runs, spar__plural(plan->runs),
                   kind == SPAR__SHARE_DECIDED ? plan->stop : "read-out copeland",
                   trial->results->interrupted ? " (interrupted)" : "");
    *figure = (spar__figure){
        .title = spar__plot_title(style, plan, panels, p->title),
        .subtitle = p->subtitle,
        .x_label = "screens",
        .y_label = kind == SPAR__SHARE_DECIDED ? "share of runs decided" : "share of runs that name a best arm",
        .log_x = style->log_x,
        .width = style->width,
        .height = style->height,
        .n_series = plan->n_policies,
        .series = p->series,
        .band_note = style->band == SPAR__BAND_NONE ? NULL : "bands: \xC2\xB1 2 standard errors of the share",
    };
    return SPAR_OK;
}

spar_status spar__report_shares(const spar__trial *trials, size_t n, spar__share_kind kind,
                                const spar__plot_style *style, spar__drawing *out)
{
    out->name = kind == SPAR__SHARE_DECIDED ? "Share of runs that are decided" : "Share of runs that name a best arm";
    share_panel *panels = spar__alloc(n, sizeof *panels);
    spar__figure *figures = spar__alloc(n, sizeof *figures);
    spar_status status = panels && figures ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        status = make_panel(&trials[i], n, kind, style, &panels[i], &figures[i]);
    if (!status)
        status = spar__draw_panels(figures, n, n == 1 ? 1 : 2, out);
    for (size_t i = 0; panels && i < n; i++) {
        spar__free(panels[i].series);
        spar__free(panels[i].number);
    }
    spar__free(panels);
    spar__free(figures);
    return status;
}
