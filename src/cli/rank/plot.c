/* The best rankers, each against the one that it does worst against. */
#include "base/alloc.h"
#include "cli/rank/rank.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PLOTTED = 30, DETAIL = 80 };

static void fill_row(const spar__rank_result *r, const spar__rank_standing *s, char detail[DETAIL],
                     spar__interval_row *row)
{
    const spar__queries *queries = r->work->lists.queries;
    double p = 0.5 + s->margin, reach = isfinite(s->error) ? 2 * s->error : 0;
    (void)snprintf(detail, DETAIL, "beats %zu of %zu, worst against %.30s", s->beats, r->n - 1,
                   spar__queries_name(queries, s->hardest));
    *row = (spar__interval_row){.label = spar__queries_name(queries, s->ranker),
                                .detail = detail,
                                .value = p,
                                .low = fmax(p - reach, 0),
                                .high = fmin(p + reach, 1),
                                .faint = s != r->standing && spar__rank_told_apart(r, s->ranker)};
}

spar_status spar__rank_plot(const spar__rank_result *r, spar__drawing *out)
{
    size_t n = r->n < PLOTTED ? r->n : PLOTTED;
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    char subtitle[200];
    spar_status status = row && detail ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        fill_row(r, &r->standing[i], detail[i], &row[i]);
    (void)snprintf(subtitle, sizeof subtitle, "the first %zu of %zu, %" PRIu64 " queries, %.60s, %.60s", n, r->n,
                   r->work->tally->queries, r->work->click, r->work->mix);
    out->name = "Rankers against the one they do worst against";
    if (!status)
        status = spar__draw_intervals(
            &(spar__interval_figure){.title = out->name,
                                     .subtitle = subtitle,
                                     .x_label = "P(ranker beats the one it does worst against)",
                                     .note = "Bars: two standard errors over queries to each side.",
                                     .strong = "may be as good as the first",
                                     .faint = "shown to be behind the first",
                                     .n = n,
                                     .row = row},
            out);
    spar__free(row);
    spar__free(detail);
    return status;
}
