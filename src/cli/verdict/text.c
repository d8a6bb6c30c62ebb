#include "base/number.h"
#include "cli/terminal.h"
#include "cli/verdict/verdict.h"

#include <inttypes.h>
#include <string.h>

enum { LISTED = 40, LINES = 1000 };             /* options; of one text */
enum { NARROW = 60, SHORTEST = 12, ROOM = 30 }; /* columns of a narrow terminal, of a name, of a record */

static void add_number(double value, int places, spar__buf *out)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, places);
    spar__buf_adds(out, text);
}

/* An item of a list, broken if it must be. */
static void add_item(const spar__buf *line, spar__layout layout, spar__buf *out)
{
    out->failed |= line->failed;
    spar__buf_adds(out, "  ");
    if (line->text)
        spar__wrap(line->text, layout.width, 4, 2, LINES, out);
    spar__buf_adds(out, "\n");
}

static void add_bold(const char *text, spar__layout layout, spar__buf *out)
{
    spar__buf_adds(out, layout.styled ? "\033[1m" : "");
    spar__wrap(text, layout.width, 0, 0, LINES, out);
    spar__buf_adds(out, layout.styled ? "\033[0m" : "");
}

static void add_heading(const char *text, const char *more, spar__layout layout, spar__buf *out)
{
    spar__buf_adds(out, "\n");
    add_bold(text, layout, out);
    spar__buf_adds(out, ": ");
    spar__wrap(more, layout.width, 2, strlen(text) + 2, LINES, out);
    spar__buf_adds(out, "\n");
}

void spar__verdict_count(uint64_t count, const char *one, const char *many, spar__buf *out)
{
    spar__buf_printf(out, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

void spar__verdict_sentence(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    add_bold(v->sentence, layout, out);
    spar__buf_adds(out, "\n\n");
}

static void add_record(const spar__verdict_report *v, size_t option, bool narrow, spar__text_table *table)
{
    uint64_t shown = 0, chosen = 0;
    (void)spar_decision_record(v->decision, option, &shown, &chosen);
    if (shown)
        spar__text_table_add(table, "chosen %" PRIu64 " of %" PRIu64 "%s", chosen, shown,
                             v->shown && !narrow ? v->shown : "");
    else
        spar__text_table_add(table, "never shown");
}

void spar__verdict_add_name(const spar__verdict_report *v, size_t option, size_t width, size_t others,
                            spar__text_table *table)
{
    size_t room = width > others + SHORTEST ? width - others : SHORTEST;
    spar__buf name = {0};
    spar__wrap(v->name[option], width ? room : 0, 0, 0, 1, &name);
    table->failed |= name.failed;
    spar__text_table_add(table, "%s", name.text ? name.text : "");
    spar__buf_free(&name);
}

void spar__verdict_options(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    spar__text_table table = {.columns = 3, .left = 3};
    bool narrow = layout.width && layout.width < NARROW;
    size_t others = narrow ? sizeof "  chosen 100 of 100  running" : ROOM + sizeof "  in the running";
    spar__text_table_add(&table, "option");
    spar__text_table_add(&table, "record");
    spar__text_table_add(&table, narrow ? "running" : "in the running");
    for (size_t i = 0; i < v->n && i < LISTED; i++) {
        size_t option = v->order[i];
        spar__verdict_add_name(v, option, layout.width, others, &table);
        add_record(v, option, narrow, &table);
        spar__text_table_add(&table, "%s",
                             !spar_decision_is_live(v->decision, option)     ? "retired"
                             : spar_decision_in_running(v->decision, option) ? "yes"
                                                                             : "no");
    }
    if (v->n) {
        spar__buf_adds(out, "\n");
        spar__text_table_print(&table, layout.styled, out);
    }
    if (v->n > LISTED)
        spar__buf_printf(out, "and %zu more (--json has all)\n", v->n - LISTED);
    spar__text_table_free(&table);
}

static void add_pair(const spar__verdict_report *v, size_t a, size_t b, spar__buf *out)
{
    double before = 0, behind = 0, ties = 0, low = 0, high = 1;
    (void)spar_decision_pair(v->decision, a, b, &before, &behind, &ties);
    (void)spar_decision_interval(v->decision, a, b, 0, &low, &high);
    spar__buf_printf(out, "%s, %s: ", v->name[a], v->name[b]);
    add_number(before, 2, out);
    spar__buf_adds(out, " of ");
    add_number(before + behind, 2, out);
    spar__buf_adds(out, ", ");
    add_number(100 * before / (before + behind), 0, out);
    spar__buf_adds(out, " % (");
    add_number(100 * low, 0, out);
    spar__buf_adds(out, " to ");
    add_number(100 * high, 0, out);
    spar__buf_adds(out, " %)");
    if (ties > 0) {
        spar__buf_adds(out, ", and level ");
        add_number(ties, 2, out);
        spar__buf_adds(out, ties == 1 ? " time" : " times");
    }
}

void spar__verdict_closest(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    if (!v->closest.n)
        return;
    spar__buf_adds(&line, "how often the first came before the second, with ");
    add_number(100 * (1 - v->delta), 4, &line);
    spar__buf_adds(&line, " % intervals for all pairs at once");
    out->failed |= line.failed;
    add_heading("closest pairs", line.failed ? "" : line.text, layout, out);
    for (size_t i = 0; i < v->closest.n; i++) {
        spar__buf_clear(&line);
        add_pair(v, v->closest.a[i], v->closest.b[i], &line);
        add_item(&line, layout, out);
    }
    spar__buf_free(&line);
}

void spar__verdict_next(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    if (!v->next.n)
        return;
    add_heading("ask next", "the pairs that hold up the decision", layout, out);
    for (size_t i = 0; i < v->next.n; i++) {
        spar__buf_clear(&line);
        spar__buf_printf(&line, "%s or %s", v->name[v->next.a[i]], v->name[v->next.b[i]]);
        add_item(&line, layout, out);
    }
    spar__buf_free(&line);
}

/* The first one stands behind an empty line. */
static void add_warning(const char *text, const char **space, spar__layout layout, spar__buf *out)
{
    if (!text)
        return;
    spar__buf_adds(out, *space);
    add_bold("warning", layout, out);
    spar__buf_adds(out, ": ");
    spar__wrap(text, layout.width, 2, strlen("warning: "), LINES, out);
    spar__buf_adds(out, "\n");
    *space = "";
}

void spar__verdict_warnings(const spar__verdict_report *v, const spar__standings_report *standings, const char *more,
                            spar__layout layout, spar__buf *out)
{
    const char *space = "\n";
    spar__buf places = {0};
    for (int w = 0; w < SPAR_WARNINGS; w++)
        add_warning(v->warning[w], &space, layout, out);
    spar__standings_say_places(standings, v, &places);
    out->failed |= places.failed;
    add_warning(places.text, &space, layout, out);
    add_warning(more, &space, layout, out);
    spar__buf_free(&places);
}

spar__layout spar__layout_of_output(void)
{
    return (spar__layout){spar__output_styled(), spar__output_width()};
}
