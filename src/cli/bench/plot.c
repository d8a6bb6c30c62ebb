/* Growth of the cost, on logarithmic axes. The legend has no room for every policy at every m: each is shown with the
 * smallest m it takes, the first one with every m. */
#include "plot/plot.h"
#include "base/alloc.h"
#include "cli/bench/bench.h"

#include <stdio.h>
#include <string.h>

typedef struct cost_lines {
    size_t n, n_points;
    spar__series *series;
    double *x, *y; /* of all series, one after the other */
    char (*label)[64];
} cost_lines;

static bool same_line(const spar__bench_case *a, const spar__bench_case *b)
{
    return a->m == b->m && strcmp(a->name, b->name) == 0;
}

/* Cases of the part, and the plain loop beside the arms; of two means with different rounds only the shorter. */
static bool is_shown(const spar__bench_report *report, const spar__bench_case *item, spar__bench_part part)
{
    if (item->part == SPAR__BENCH_PLAIN)
        return part == SPAR__BENCH_ARMS;
    if (item->part != part || !item->rounds || (part == SPAR__BENCH_ARMS && item->last > 100000))
        return false;
    const spar__bench_case *first = item; /* of its policy */
    const spar__bench_case *start = item;
    while (start > report->item && start[-1].part == part)
        start--;
    while (first > start && strcmp(first[-1].name, item->name) == 0)
        first--;
    return item->m == first->m || strcmp(item->name, start->name) == 0;
}

static double x_of(const spar__bench_case *item, spar__bench_part part)
{
    return part == SPAR__BENCH_ARMS ? (double)item->k : (double)item->last;
}

/* The line that begins with case `from`; its points need not follow each other. */
static void add_line(const spar__bench_report *report, size_t from, spar__bench_part part, cost_lines *s)
{
    const spar__bench_case *head = &report->item[from];
    spar__series *series = &s->series[s->n];
    (void)snprintf(s->label[s->n], sizeof *s->label, "%.50s, m = %zu", head->name, head->m);
    *series = (spar__series){.label = s->label[s->n], .x = s->x + s->n_points, .y = s->y + s->n_points, .dots = true};
    for (size_t i = from; i < report->n; i++) {
        const spar__bench_case *item = &report->item[i];
        if (item->part != head->part || !same_line(item, head) || !is_shown(report, item, part))
            continue;
        s->x[s->n_points] = x_of(item, part);
        s->y[s->n_points++] = item->ns;
        series->n++;
    }
    s->n++;
}

/* Is the case a point of a line that an earlier one began? */
static bool is_drawn(const spar__bench_report *report, size_t i, spar__bench_part part)
{
    for (size_t k = 0; k < i; k++)
        if (report->item[k].part == report->item[i].part && same_line(&report->item[k], &report->item[i]) &&
            is_shown(report, &report->item[k], part))
            return true;
    return false;
}

spar_status spar__bench_plot(const spar__bench_report *report, spar__bench_part part, spar__drawing *out)
{
    spar_status status = SPAR_OK;
    cost_lines s = {.series = spar__alloc(report->n, sizeof *s.series),
                    .x = spar__alloc(report->n, sizeof *s.x),
                    .y = spar__alloc(report->n, sizeof *s.y),
                    .label = spar__alloc(report->n, sizeof *s.label)};
    if (!s.series || !s.x || !s.y || !s.label)
        status = SPAR_NOMEM;
    bool any = false;
    for (size_t i = 0; !status && i < report->n; i++) {
        if (!is_shown(report, &report->item[i], part) || is_drawn(report, i, part))
            continue;
        add_line(report, i, part, &s);
        any |= report->item[i].part == part;
    }
    bool arms = part == SPAR__BENCH_ARMS;
    out->name = arms ? "Cost of a round against the number of arms" : "Cost of a round as rounds pass";
    spar__figure figure = {.title = out->name,
                           .subtitle = arms ? "CPU time, mean of up to 100000 rounds"
                                            : "CPU time, 16 arms, mean from one power of ten to the next",
                           .x_label = arms ? "arms" : "round",
                           .y_label = "ns a round",
                           .log_x = true,
                           .log_y = true,
                           .n_series = s.n,
                           .series = s.series,
                           .width = 900,
                           .height = 620};
    if (!status && any)
        status = spar__draw_panels(&figure, 1, 1, out);
    spar__free(s.series);
    spar__free(s.x);
    spar__free(s.y);
    spar__free(s.label);
    return status;
}
