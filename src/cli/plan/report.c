#include "base/alloc.h"
#include "cli/plan/plan.h"
#include "cli/terminal.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "text/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 120 };

static void add_screens(spar__text_table *table, const spar__forecast_report *r, double screens)
{
    if (isfinite(screens))
        spar__text_table_add(table, "%.0f", screens);
    else
        spar__text_table_add(table, "> %" PRIu64, r->limit);
}

static void add_row(spar__text_table *table, const spar__forecast_report *r, size_t i)
{
    const spar_forecast *f = r->forecast;
    spar__text_table_add(table, "%s", spar_forecast_policy(f, i));
    spar__text_table_add(table, "%zu", spar_forecast_slots(f, i));
    add_screens(table, r, spar_forecast_screens(f, i, 0.5));
    add_screens(table, r, spar_forecast_screens(f, i, 0.1));
    add_screens(table, r, spar_forecast_screens(f, i, 0.9));
    spar__text_table_add(table, "%.1f %%", 100 * spar_forecast_decided(f, i, 1e300));
    spar__text_table_add(table, "%.1f %%", 100 * spar_forecast_wrong(f, i));
}

void spar__forecast_text(const spar__forecast_report *r, bool styled, spar__buf *out)
{
    static const char *const head[] = {"policy", "m", "median", "10 %", "90 %", "decided", "wrong"};
    size_t played = spar_forecast_played(r->forecast);
    spar__text_table table = {.columns = 7, .left = 1, .width = spar__output_width()};
    spar__buf_printf(out, "%sscreens to a decision%s with error at most %g %%, for %zu truths%s:\n",
                     styled ? "\033[1m" : "", styled ? "\033[0m" : "", 100 * r->delta, played,
                     r->interrupted ? " (interrupted)" : "");
    spar__buf_printf(out, "%s\n\n", r->truths);
    for (size_t i = 0; i < 7; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; played && i < spar_forecast_cases(r->forecast); i++)
        add_row(&table, r, i);
    spar__text_table_print(&table, styled, out);
    size_t start = out->length;
    spar__buf_printf(out,
                     "\nassumed: people are alike and choose by the law of Plackett and Luce (%s); %.0f %% of the%s",
                     r->feedback, 100 * r->silent, table.width ? " " : "\n");
    spar__buf_adds(out, "answers say nothing; options neither come nor go\n");
    spar__fit(out, start, table.width);
    spar__text_table_free(&table);
}

static void add_case(const spar__forecast_report *r, size_t i, spar__json *json)
{
    static const struct {
        const char *key;
        double share;
    } part[] = {{"median", 0.5}, {"q10", 0.1}, {"q25", 0.25}, {"q75", 0.75}, {"q90", 0.9}};
    const spar_forecast *f = r->forecast;
    spar__json_begin_object(json);
    spar__json_add_string(json, "policy", spar_forecast_policy(f, i));
    spar__json_add_unsigned(json, "m", spar_forecast_slots(f, i));
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        spar__json_add_number(json, part[k].key, spar_forecast_screens(f, i, part[k].share)); /* beyond: null */
    spar__json_add_number(json, "decided", spar_forecast_decided(f, i, 1e300));
    spar__json_add_number(json, "wrong", spar_forecast_wrong(f, i));
    spar__json_end_object(json);
}

void spar__forecast_json(const spar__forecast_report *r, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "truths", r->truths);
    spar__json_add_unsigned(&json, "played", spar_forecast_played(r->forecast));
    spar__json_add_boolean(&json, "interrupted", r->interrupted);
    spar__json_add_string(&json, "feedback", r->feedback);
    spar__json_add_number(&json, "delta", r->delta);
    spar__json_add_number(&json, "silent", r->silent);
    spar__json_add_unsigned(&json, "limit", r->limit);
    spar__json_key(&json, "cases");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < spar_forecast_cases(r->forecast); i++)
        add_case(r, i, &json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static void draw(const spar__forecast_report *r, size_t n, const spar__series *series, spar__buf *out,
                 spar_status *status)
{
    char subtitle[300];
    (void)snprintf(subtitle, sizeof subtitle, "%s; error at most %g %%, %.60s", r->truths, 100 * r->delta, r->feedback);
    spar__figure figure = {.title = "How many screens a decision takes",
                           .subtitle = subtitle,
                           .x_label = "screens",
                           .y_label = "decided, %",
                           .log_x = true,
                           .n_series = n,
                           .series = series};
    *status = spar__plot_lines(&figure, out);
}

/* The share that is decided, against the screens. */
spar_status spar__forecast_plot(const spar__forecast_report *r, spar__buf *out)
{
    size_t n = spar_forecast_cases(r->forecast);
    double *x = spar__alloc(POINTS, sizeof *x), *y = spar__alloc(n * POINTS, sizeof *y);
    spar__series *series = spar__alloc(n, sizeof *series);
    char(*label)[120] = spar__alloc(n, sizeof *label);
    spar_status status = x && y && series && label ? SPAR_OK : SPAR_NOMEM;
    for (size_t k = 0; !status && k < POINTS; k++)
        x[k] = 10 * spar__pow((double)r->limit / 10, (double)k / (POINTS - 1));
    for (size_t i = 0; !status && i < n; i++) {
        for (size_t k = 0; k < POINTS; k++)
            y[i * POINTS + k] = 100 * spar_forecast_decided(r->forecast, i, x[k]);
        (void)snprintf(label[i], sizeof label[i], "%.90s, m = %zu", spar_forecast_policy(r->forecast, i),
                       spar_forecast_slots(r->forecast, i));
        series[i] = (spar__series){.label = label[i], .n = POINTS, .x = x, .y = y + i * POINTS};
    }
    if (!status)
        draw(r, n, series, out, &status);
    spar__free(x);
    spar__free(y);
    spar__free(series);
    spar__free(label);
    return status;
}
