/* Each option against the one that leads. */
#include "base/alloc.h"
#include "base/number.h"
#include "cli/decide/decide.h"
#include "plot/intervals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PLOTTED = 40, DETAIL = 64 };

/* Without a leader: the first option of the list. */
static size_t center_of(const spar__decide_report *r)
{
    return r->leader != SPAR_NO_OPTION ? r->leader : r->votes.options.n ? r->order[0] : SPAR_NO_OPTION;
}

static void fill_row(const spar__decide_report *r, size_t option, char detail[DETAIL], spar__interval_row *row)
{
    uint64_t shown = 0, chosen = 0;
    double before = 0, behind = 0;
    size_t center = center_of(r);
    (void)spar_decision_record(r->decision, option, &shown, &chosen);
    (void)snprintf(detail, DETAIL, "chosen %" PRIu64 " of %" PRIu64, chosen, shown);
    *row = (spar__interval_row){.label = r->name[option],
                                .detail = shown ? detail : "never shown",
                                .high = 1,
                                .faint = !spar_decision_in_running(r->decision, option)};
    if (option == center) {
        row->instead = r->leader != center ? "the others are compared with this one"
                       : spar_decision_verdict(r->decision) == SPAR_VERDICT_BEST ? "is best"
                                                                                 : "leads";
        return;
    }
    (void)spar_decision_pair(r->decision, option, center, &before, &behind, NULL);
    (void)spar_decision_interval(r->decision, option, center, 0, &row->low, &row->high);
    row->value = before + behind > 0 ? before / (before + behind) : NAN;
    if (!(before + behind > 0))
        row->instead = "no vote on the two";
}

static void draw(const spar__decide_report *r, size_t n, const spar__interval_row *row, spar__buf *out)
{
    char subtitle[200], label[260] = "", note[300], percent[SPAR__NUMBER_SIZE];
    size_t center = center_of(r), left = r->votes.options.n - n, running = spar_decision_running(r->decision);
    (void)snprintf(subtitle, sizeof subtitle, "%.100s: %" PRIu64 " vote%s on %zu options", r->source, r->total,
                   r->total == 1 ? "" : "s", r->votes.options.n);
    if (center != SPAR_NO_OPTION)
        (void)snprintf(label, sizeof label, "how often it comes before '%s'", r->name[center]);
    (void)spar__number_print_fixed(percent, 100 * (1 - r->settings.delta), 4);
    size_t used =
        (size_t)snprintf(note, sizeof note,
                         "Dots: the votes that order the two. Bars: intervals that hold for all pairs at once, "
                         "however often one looks, with probability %s %%.",
                         percent);
    if (left)
        (void)snprintf(note + used, sizeof note - used, " %zu more options are not shown.", left);
    spar__interval_figure figure = {.title = r->sentence,
                                    .subtitle = subtitle,
                                    .x_label = label,
                                    .note = note,
                                    .strong = "in the running",
                                    .faint = running < r->votes.options.n ? "out" : NULL,
                                    .n = n,
                                    .row = row};
    spar__plot_intervals(&figure, out);
}

spar_status spar__decide_plot(const spar__decide_report *r, spar__buf *out)
{
    size_t n = r->votes.options.n < PLOTTED ? r->votes.options.n : PLOTTED;
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    for (size_t i = 0; i < n && row && detail; i++)
        fill_row(r, r->order[i], detail[i], &row[i]);
    if (row && detail)
        draw(r, n, row, out);
    spar_status status = row && detail && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(row);
    spar__free(detail);
    return status;
}
