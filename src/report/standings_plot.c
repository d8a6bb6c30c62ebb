/* How often each option would be chosen over the average one. */
#include "base/alloc.h"
#include "num/elementary.h"
#include "plot/intervals.h"
#include "report/standings.h"

#include <stdio.h>

enum { PLOTTED = 40, DETAIL = 64 };

static void fill_row(const spar_standings *st, const spar__verdict_report *v, size_t option, char detail[DETAIL],
                     spar__interval_row *row)
{
    double mean = 0, low = 0, high = 0, best = spar_standings_best(st, option);
    (void)spar_standings_strength(st, option, &mean, &low, &high);
    (void)snprintf(detail, DETAIL, "best with probability %.0f %%", 100 * best);
    *row = (spar__interval_row){.label = v->name[option],
                                .detail = detail,
                                .value = spar__logistic(mean),
                                .low = spar__logistic(low),
                                .high = spar__logistic(high),
                                .faint = spar_standings_group(st, option) > 0};
}

static void draw(const char *subtitle, size_t n, const spar__interval_row *row, spar__buf *out)
{
    spar__interval_figure figure = {
        .title = "Standings in a model of choices",
        .subtitle = subtitle,
        .x_label = "how often it would be chosen over the average option",
        .note = "Bars: each holds the value with probability 95 %, if the model is right and for one look. They are no "
                "rule for stopping.",
        .strong = "not separated from the first",
        .faint = "behind it",
        .n = n,
        .row = row};
    spar__plot_intervals(&figure, out);
}

spar_status spar__standings_plot(const spar__standings_report *r, const spar__verdict_report *v, const char *subtitle,
                                 spar__buf *out)
{
    size_t n = v->n < PLOTTED ? v->n : PLOTTED;
    size_t *order = spar__standings_order(r);
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    for (size_t i = 0; order && i < n && row && detail; i++)
        fill_row(r->standings, v, order[i], detail[i], &row[i]);
    if (order && row && detail)
        draw(subtitle, n, row, out);
    spar_status status = order && row && detail && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(order);
    spar__free(row);
    spar__free(detail);
    return status;
}
