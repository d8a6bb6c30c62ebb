/* Standings for a terminal. */
#include "base/alloc.h"
#include "cli/terminal.h"
#include "cli/verdict/verdict.h"

#include <inttypes.h>
#include <string.h>

enum { LISTED = 40, LINES = 100, NARROW = 60 }; /* options; of one text; columns of a narrow terminal */

/* A line of its own, broken if it must be. */
static void add_line(const spar__buf *line, spar__layout layout, spar__buf *out)
{
    out->failed |= line->failed;
    if (line->text)
        spar__wrap(line->text, layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
}

static void add_row(const spar_standings *st, size_t option, bool narrow, spar__text_table *table)
{
    double mean = 0, low = 0, high = 0;
    size_t tier = spar_standings_group(st, option);
    (void)spar_standings_strength(st, option, &mean, &low, &high);
    spar__text_table_add(table, "%.2f", mean);
    if (!narrow)
        spar__text_table_add(table, "%.2f to %.2f", low, high);
    if (tier == (size_t)-1)
        spar__text_table_add(table, "retired");
    else
        spar__text_table_add(table, "%.1f", 100 * spar_standings_best(st, option));
    if (!narrow)
        spar__text_table_add(table, "%.2f", spar_standings_loss(st, option));
    if (tier == (size_t)-1)
        spar__text_table_add(table, "-");
    else
        spar__text_table_add(table, "%zu", tier + 1);
}

static void add_table(const spar_standings *st, const spar__verdict_report *v, const size_t *order, spar__layout layout,
                      spar__buf *out)
{
    static const char *const head[] = {"option", "strength", "95 % interval", "best %", "loss", "tier"};
    static const char *const narrow_head[] = {"option", "strength", "best %", "tier"};
    bool narrow = layout.width && layout.width < NARROW;
    spar__text_table table = {.columns = narrow ? 4 : 6, .left = 1};
    size_t others =
        narrow ? sizeof "  strength  retired  tier" : sizeof "  strength  -1.23 to -0.12  retired  1.23  tier";
    for (size_t i = 0; i < table.columns; i++)
        spar__text_table_add(&table, "%s", (narrow ? narrow_head : head)[i]);
    for (size_t i = 0; i < v->n && i < LISTED; i++) {
        spar__verdict_add_name(v, order[i], layout.width, others, &table);
        add_row(st, order[i], narrow, &table);
    }
    spar__text_table_print(&table, layout.styled, out);
    if (v->n > LISTED)
        spar__buf_printf(out, "and %zu more (--json has all)\n", v->n - LISTED);
    spar__text_table_free(&table);
}

static void add_places(const spar_standings *st, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    for (size_t place = 1; place < spar_standings_places(st); place++) {
        double mean, low, high;
        (void)spar_standings_place(st, place, &mean, &low, &high);
        spar__buf_clear(&line);
        spar__buf_printf(&line, "place %zu against the first: %.2f (%.2f to %.2f)", place + 1, mean, low, high);
        add_line(&line, layout, out);
    }
    spar__buf_free(&line);
}

/* Which options stood on screens of which nothing was acceptable. */
static void add_bad(const spar_standings *st, const spar__verdict_report *v, const size_t *order, spar__layout layout,
                    spar__buf *out)
{
    spar__buf line = {0};
    const char *before = "on screens that were called bad: ";
    for (size_t i = 0; i < v->n && i < LISTED; i++)
        if (spar_standings_bad(st, order[i])) {
            spar__buf_printf(&line, "%s%s %" PRIu64, before, v->name[order[i]], spar_standings_bad(st, order[i]));
            before = ", ";
        }
    if (line.length)
        add_line(&line, layout, out);
    spar__buf_free(&line);
}

static void add_scale(const spar__standings_report *r, const spar__verdict_report *v, spar__layout layout,
                      spar__buf *out)
{
    spar__buf line = {0};
    spar__standings_say_scale(r, v, &line);
    if (line.length)
        add_line(&line, layout, out);
    out->failed |= line.failed;
    spar__buf_free(&line);
}

/* 'standings (approximate: more than 200 options): log-odds against the average option'. */
static void add_heading(const char *approximate, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    spar__buf_adds(&line, "in a model of choices");
    if (approximate)
        spar__buf_printf(&line, " (approximate: %s)", approximate);
    spar__buf_adds(&line, ": log-odds against the average option");
    spar__buf_printf(out, "\n%sstandings%s ", layout.styled ? "\033[1m" : "", layout.styled ? "\033[0m" : "");
    out->failed |= line.failed;
    spar__wrap(line.failed ? "" : line.text, layout.width, 2, strlen("standings "), LINES, out);
    spar__buf_adds(out, "\n");
    spar__buf_free(&line);
}

static void add_note(const char *words, spar__layout layout, spar__buf *out)
{
    spar__buf_adds(out, "\n");
    spar__wrap(words, layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
}

void spar__standings_text(const spar__standings_report *r, const spar__verdict_report *v, spar__layout layout,
                          spar__buf *out)
{
    spar_verdict verdict = spar_decision_verdict(v->decision);
    if (r->why_not)
        add_note(r->why_not, layout, out);
    if (!r->standings || verdict == SPAR_VERDICT_NONE)
        return;
    if (verdict == SPAR_VERDICT_EARLY) {
        add_note("standings are shown from 10 on", layout, out);
        return;
    }
    size_t *order = spar__standings_order(r);
    if (!order) {
        out->failed = true;
        return;
    }
    add_heading(r->approximate, layout, out);
    add_table(r->standings, v, order, layout, out);
    add_places(r->standings, layout, out);
    add_bad(r->standings, v, order, layout, out);
    add_scale(r, v, layout, out);
    spar__wrap("'best %' is for one look: it must not be used to stop", layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
    spar__free(order);
}
