/* verdict_text.c - what `spar decide` and `spar status` have in common: verdict and standings as text for a terminal,
 * broken into lines that fit it, and the files that --plot and --out ask for. What is said is found in report/; here it
 * is only laid out. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/terminal.h"
#include "cli/verdict/verdict.h"

#include <inttypes.h>
#include <string.h>

enum { LISTED = 40, LINES = 1000 };             /* options; of one text */
enum { NARROW = 60, SHORTEST = 12, ROOM = 30 }; /* columns of a narrow terminal, of a name, of a record */

/* --- pieces of text --- */

spar__layout spar__layout_of_output(void)
{
    return (spar__layout){spar__output_styled(), spar__output_width()};
}

void spar__layout_line(spar__buf *line, spar__layout layout, spar__buf *out)
{
    out->failed |= line->failed;
    if (!line->failed && line->text)
        spar__wrap(line->text, layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
    spar__buf_clear(line);
}

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

void spar__layout_heading(const char *text, const char *between, const char *more, spar__layout layout, spar__buf *out)
{
    spar__buf_adds(out, "\n");
    add_bold(text, layout, out);
    spar__buf_adds(out, between);
    spar__wrap(more, layout.width, 2, strlen(text) + strlen(between), LINES, out);
    spar__buf_adds(out, "\n");
}

void spar__verdict_count(uint64_t count, const char *one, const char *many, spar__buf *out)
{
    spar__buf_printf(out, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

/* --- the verdict --- */

void spar__verdict_sentence(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    add_bold(v->sentence, layout, out);
    spar__buf_adds(out, "\n\n");
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
        uint64_t shown = 0, chosen = 0;
        (void)spar_decision_record(v->decision, option, &shown, &chosen);
        if (shown)
            spar__text_table_add(&table, "chosen %" PRIu64 " of %" PRIu64 "%s", chosen, shown,
                                 v->shown && !narrow ? v->shown : "");
        else
            spar__text_table_add(&table, "never shown");
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

void spar__verdict_closest(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    if (!v->closest.n)
        return;
    spar__buf_adds(&line, "how often the first came before the second, with ");
    add_number(100 * (1 - v->delta), 4, &line);
    spar__buf_adds(&line, " % intervals for all pairs at once");
    out->failed |= line.failed;
    spar__layout_heading("closest pairs", ": ", line.failed ? "" : line.text, layout, out);
    for (size_t i = 0; i < v->closest.n; i++) {
        spar__buf_clear(&line);
        size_t a = v->closest.a[i];
        size_t b = v->closest.b[i];
        double before = 0, behind = 0, ties = 0, low = 0, high = 1;
        (void)spar_decision_pair(v->decision, a, b, &before, &behind, &ties);
        (void)spar_decision_interval(v->decision, a, b, 0, &low, &high);
        spar__buf_printf(&line, "%s, %s: ", v->name[a], v->name[b]);
        add_number(before, 2, &line);
        spar__buf_adds(&line, " of ");
        add_number(before + behind, 2, &line);
        spar__buf_adds(&line, ", ");
        add_number(100 * before / (before + behind), 0, &line);
        spar__buf_adds(&line, " % (");
        add_number(100 * low, 0, &line);
        spar__buf_adds(&line, " to ");
        add_number(100 * high, 0, &line);
        spar__buf_adds(&line, " %)");
        if (ties > 0) {
            spar__buf_adds(&line, ", and level ");
            add_number(ties, 2, &line);
            spar__buf_adds(&line, ties == 1 ? " time" : " times");
        }
        add_item(&line, layout, out);
    }
    spar__buf_free(&line);
}

void spar__verdict_next(const spar__verdict_report *v, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    if (!v->next.n)
        return;
    spar__layout_heading("ask next", ": ", "the pairs that hold up the decision", layout, out);
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

/* --- the standings --- */

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
        size_t option = order[i];
        double mean = 0, low = 0, high = 0;
        size_t tier = spar_standings_group(st, option);
        (void)spar_standings_strength(st, option, &mean, &low, &high);
        spar__text_table_add(&table, "%.2f", mean);
        if (!narrow)
            spar__text_table_add(&table, "%.2f to %.2f", low, high);
        if (tier == (size_t)-1)
            spar__text_table_add(&table, "retired");
        else
            spar__text_table_add(&table, "%.1f", 100 * spar_standings_best(st, option));
        if (!narrow)
            spar__text_table_add(&table, "%.2f", spar_standings_loss(st, option));
        if (tier == (size_t)-1)
            spar__text_table_add(&table, "-");
        else
            spar__text_table_add(&table, "%zu", tier + 1);
    }
    spar__text_table_print(&table, layout.styled, out);
    if (v->n > LISTED)
        spar__buf_printf(out, "and %zu more (--json has all)\n", v->n - LISTED);
    spar__text_table_free(&table);
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
    const spar_standings *st = r->standings;
    if (r->why_not)
        add_note(r->why_not, layout, out);
    if (!st || verdict == SPAR_VERDICT_NONE)
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
    spar__buf line = {0};
    spar__buf_adds(&line, "in a model of choices");
    if (r->approximate)
        spar__buf_printf(&line, " (approximate: %s)", r->approximate);
    spar__buf_adds(&line, ": log-odds against the average option");
    spar__layout_heading("standings", " ", line.failed ? "" : line.text, layout, out);
    out->failed |= line.failed;
    spar__buf_clear(&line);
    add_table(st, v, order, layout, out);
    for (size_t place = 1; place < spar_standings_places(st); place++) {
        double mean, low, high;
        (void)spar_standings_place(st, place, &mean, &low, &high);
        spar__buf_printf(&line, "place %zu against the first: %.2f (%.2f to %.2f)", place + 1, mean, low, high);
        spar__layout_line(&line, layout, out);
    }
    /* Which options stood on screens of which nothing was acceptable. */
    for (size_t i = 0; i < v->n && i < LISTED; i++)
        if (spar_standings_bad(st, order[i]))
            spar__buf_printf(&line, "%s%s %" PRIu64,
                             line.length ? ", " : "on screens that were called bad: ", v->name[order[i]],
                             spar_standings_bad(st, order[i]));
    if (line.length)
        spar__layout_line(&line, layout, out);
    spar__standings_say_scale(r, v, &line);
    if (line.length)
        spar__layout_line(&line, layout, out);
    out->failed |= line.failed;
    spar__buf_free(&line);
    spar__wrap("'best %' is for one look: it must not be used to stop", layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
    spar__free(order);
}

/* --- files --- */

bool spar__report_has_files(const spar__settings *settings)
{
    return spar__setting_text(settings, "plot") || spar__setting_text(settings, "out");
}

spar_status spar__report_check_files(const spar__settings *settings, const char *command, bool make, spar_error *err)
{
    static const char *const ends[] = {".json", ".svg", ".png"};
    char name[3][32];
    const char *const written[] = {name[0], name[1], name[2], "standings.svg", "standings.png"};
    const char *dir = spar__setting_text(settings, "out");
    if (!spar__report_has_files(settings))
        return SPAR_OK;
    for (size_t i = 0; i < 3; i++)
        (void)snprintf(name[i], sizeof name[i], "%s%s", command, ends[i]);
    if (spar__setting_is(settings, "plot", "-"))
        return spar__fail(err, SPAR_INVALID, "%s: --plot takes a file, not '-'", command);
    spar_status status = spar__check_out(settings, err);
    if (!status)
        status = spar__target_check(settings->operand[0], spar__setting_text(settings, "plot"), err);
    if (!status)
        status = spar__target_check_dir(settings->operand[0], dir, sizeof written / sizeof *written, written, err);
    return !status && dir && make ? spar__outdir_make(dir, err) : status;
}

spar_status spar__report_write(const spar__settings *settings, size_t n, spar__output_file *file, spar_error *err)
{
    const char *plot = spar__setting_text(settings, "plot"), *dir = spar__setting_text(settings, "out");
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n && !status; i++)
        if (file[i].text.failed)
            status = spar__fail_memory(err);
    for (size_t i = 0; i < n && !status; i++) {
        spar__output_file *f = &file[i];
        if (f->picture && f->text.text && plot) {
            status = spar__file_write(plot, f->text.text, f->text.length, err);
            plot = NULL; /* it is for the first */
        }
        if (!status && dir && f->text.text)
            status = (f->picture ? spar__outdir_plot : spar__outdir_write)(dir, f->name, &f->text, err);
    }
    for (size_t i = 0; i < n; i++)
        spar__buf_free(&file[i].text);
    return status;
}
