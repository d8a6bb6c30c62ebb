/* How often each option would be chosen over the average one. */
#include "base/alloc.h"
#include "cli/decide/decide.h"
#include "num/elementary.h"
#include "plot/intervals.h"

#include <inttypes.h>
#include <stdio.h>

enum { PLOTTED = 40, DETAIL = 64 };

static void fill_row(const spar__decide_report *r, size_t option, char detail[DETAIL], spar__interval_row *row)
{
    double mean = 0, low = 0, high = 0, best = spar_standings_best(r->standings, option);
    (void)spar_standings_strength(r->standings, option, &mean, &low, &high);
    (void)snprintf(detail, DETAIL, "best with probability %.0f %%", 100 * best);
    *row = (spar__interval_row){.label = r->verdict.name[option],
                                .detail = detail,
                                .value = spar__logistic(mean),
                                .low = spar__logistic(low),
                                .high = spar__logistic(high),
                                .faint = spar_standings_group(r->standings, option) > 0};
}

static void draw(const spar__decide_report *r, size_t n, const spar__interval_row *row, spar__buf *out)
{
    char subtitle[200];
    (void)snprintf(subtitle, sizeof subtitle, "%.100s: %" PRIu64 " vote%s on %zu options", r->source, r->total,
                   r->total == 1 ? "" : "s", r->verdict.n);
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

spar_status spar__decide_standings_plot(const spar__decide_report *r, spar__buf *out)
{
    size_t n = r->verdict.n < PLOTTED ? r->verdict.n : PLOTTED;
    size_t *order = spar__decide_by_strength(r);
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    for (size_t i = 0; order && i < n && row && detail; i++)
        fill_row(r, order[i], detail[i], &row[i]);
    if (order && row && detail)
        draw(r, n, row, out);
    spar_status status = order && row && detail && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(order);
    spar__free(row);
    spar__free(detail);
    return status;
}
