#include "base/alloc.h"
#include "base/buf.h"
#include "plot/intervals.h"
#include "report/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PLOTTED = 40, DETAIL = 64 };

/* Without a leader: the first option of the list. */
static size_t center_of(const spar__verdict_report *v)
{
    return v->leader != SPAR_NO_OPTION ? v->leader : v->n ? v->order[0] : SPAR_NO_OPTION;
}

/* The room for texts of one row. */
typedef struct row_texts {
    char detail[DETAIL], instead[DETAIL];
} row_texts;

static void fill_row(const spar__verdict_report *v, size_t option, row_texts *texts, spar__interval_row *row)
{
    uint64_t shown = 0, chosen = 0;
    double before = 0, behind = 0;
    size_t center = center_of(v);
    (void)spar_decision_record(v->decision, option, &shown, &chosen);
    (void)snprintf(texts->detail, DETAIL, "chosen %" PRIu64 " of %" PRIu64, chosen, shown);
    *row = (spar__interval_row){.label = v->name[option],
                                .detail = shown ? texts->detail : "never shown",
                                .high = 1,
                                .faint = !spar_decision_in_running(v->decision, option)};
    if (option == center) {
        row->instead = v->leader != center ? "the others are compared with this one"
                       : spar_decision_verdict(v->decision) == SPAR_VERDICT_BEST ? "is best"
                                                                                 : "leads";
        return;
    }
    (void)spar_decision_pair(v->decision, option, center, &before, &behind, NULL);
    (void)spar_decision_interval(v->decision, option, center, 0, &row->low, &row->high);
    row->value = before + behind > 0 ? before / (before + behind) : NAN;
    if (!(before + behind > 0)) {
        (void)snprintf(texts->instead, DETAIL, "no %s on the two", v->unit);
        row->instead = texts->instead;
    }
}

static void draw(const spar__verdict_report *v, const char *subtitle, size_t n, const spar__interval_row *row,
                 spar__buf *out)
{
    char label[260] = "", note[300], percent[SPAR__NUMBER_SIZE];
    size_t center = center_of(v), left = v->n - n, running = spar_decision_running(v->decision);
    if (center != SPAR_NO_OPTION)
        (void)snprintf(label, sizeof label, "how often it comes before '%s'", v->name[center]);
    (void)spar__number_print_fixed(percent, 100 * (1 - v->delta), 4);
    size_t used = (size_t)snprintf(note, sizeof note,
                                   "Dots: the %s that order the two. Bars: intervals that hold for all pairs at once, "
                                   "however often one looks, with probability %s %%.",
                                   v->units, percent);
    if (left)
        (void)snprintf(note + used, sizeof note - used, " %zu more option%s not shown.", left,
                       left == 1 ? " is" : "s are");
    spar__interval_figure figure = {.title = v->sentence,
                                    .subtitle = subtitle,
                                    .x_label = label,
                                    .note = note,
                                    .strong = "in the running",
                                    .faint = running < v->n ? "out" : NULL,
                                    .n = n,
                                    .row = row};
    spar__plot_intervals(&figure, out);
}

spar_status spar__verdict_plot(const spar__verdict_report *v, const char *subtitle, spar__buf *out)
{
    size_t n = v->n < PLOTTED ? v->n : PLOTTED;
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    row_texts *texts = spar__alloc(n, sizeof *texts);
    for (size_t i = 0; i < n && row && texts; i++)
        fill_row(v, v->order[i], &texts[i], &row[i]);
    if (row && texts)
        draw(v, subtitle, n, row, out);
    spar_status status = row && texts && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(row);
    spar__free(texts);
    return status;
}
