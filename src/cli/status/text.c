#include "cli/status/status.h"

#include "cli/terminal.h"

#include <inttypes.h>

enum { LINES = 100 }; /* of a question */

static void add_part(uint64_t count, const char *one, const char *many, const char **before, spar__buf *out)
{
    if (!count)
        return;
    spar__buf_adds(out, *before);
    spar__verdict_count(count, one, many, out);
    *before = ", ";
}

/* '42 answers on 4 options: 5 ties, 2 bad, 1 screen still open'. */
static void add_counted(const spar__status_report *r, spar__buf *out)
{
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    const char *before = ": ";
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__verdict_count(answers, "answer on ", "answers on ", out);
    if (r->space.axes)
        spar__verdict_count(spar_axes_count(r->space.axes), "axis", "axes", out);
    else
        spar__verdict_count(r->n, "option", "options", out);
    add_part(r->standings.tied, "tie", "ties", &before, out);
    add_part(r->standings.bad, "bad", "bad", &before, out);
    if (r->space.axes)
        add_part(r->space.skipped, "that says nothing (bad, skipped)", "that say nothing (bad, skipped)", &before, out);
    else
        add_part(spar_decision_skipped(r->verdict.decision), "skipped", "skipped", &before, out);
    add_part(imported, "imported", "imported", &before, out);
    add_part(undone, "taken back", "taken back", &before, out);
    add_part(spar_experiment_open_screens(r->experiment, NULL, 0, NULL), "screen still open", "screens still open",
             &before, out);
}

static void add_summary(const spar__status_report *r, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    add_counted(r, &line);
    out->failed |= line.failed;
    spar__wrap(line.failed ? "" : line.text, layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
    if (r->without_flagged)
        spar__buf_printf(out, "without %" PRIu64 " flagged %s\n", r->flagged, r->flagged == 1 ? "answer" : "answers");
    if (spar_experiment_is_closed(r->experiment))
        spar__buf_adds(out, "closed\n");
    spar__buf_free(&line);
}

void spar__status_text(const spar__status_report *r, spar__layout layout, spar__buf *out)
{
    const char *question = spar_experiment_question(r->experiment);
    spar__verdict_sentence(&r->verdict, layout, out);
    if (question) {
        spar__wrap(question, layout.width, 0, 0, LINES, out);
        spar__buf_adds(out, "\n");
    }
    add_summary(r, layout, out);
    if (r->space.axes) {
        spar__space_text(&r->space, layout, out);
        return;
    }
    spar__verdict_options(&r->verdict, layout, out);
    spar__standings_text(&r->standings, &r->verdict, layout, out);
    spar__item_groups_text(&r->groups, &r->verdict, layout, out);
    spar__verdict_closest(&r->verdict, layout, out);
    spar__verdict_next(&r->verdict, layout, out);
    spar__verdict_warnings(&r->verdict, &r->standings, NULL, layout, out);
}
