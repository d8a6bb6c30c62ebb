/* status.c - spar status: what may be concluded from the answers so far, printed. What is said is found in report/: the
 * verdict and the standings as `spar decide` has them, the standings by group of items, and for an experiment over a
 * space what is believed along each axis. */

#include "base/alloc.h"
#include "cli/experiment.h"
#include "cli/outdir.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verdict/verdict.h"
#include "session/axes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- a space --- */

enum { BLOCKS = 8, WIDE = 32 };

static size_t more_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* How the curves stand below each other: cells of names and first values; how many a curve may have. */
typedef struct curve_columns {
    size_t name, first, wide;
    bool two_lines; /* the terminal is too narrow for all of it in one */
} curve_columns;

/* One character for each of up to `wide` values along an axis. */
static void add_curve(const spar__space_report *r, size_t a, double low, double high, size_t wide, spar__buf *out)
{
    static const char *const block[BLOCKS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const spar__space_curve *curve = &r->curve[a];
    size_t n = curve->n < wide ? curve->n : wide;
    for (size_t i = 0; i < n; i++) {
        double mean = curve->step[n < 2 ? 0 : i * (curve->n - 1) / (n - 1)].mean;
        double share = high > low ? (mean - low) / (high - low) : 0;
        spar__buf_adds(out, block[(size_t)fmin(fmax(share * BLOCKS, 0), BLOCKS - 1)]);
    }
}

static void write_ends(const spar__space_report *r, size_t a, char first[SPAR__AXES_VALUE], char last[SPAR__AXES_VALUE])
{
    (void)spar_axes_write(r->axes, a, 0, first, SPAR__AXES_VALUE);
    (void)spar_axes_write(r->axes, a, spar_axes_values(r->axes, a) - 1, last, SPAR__AXES_VALUE);
}

static void add_axis(const spar__space_report *r, size_t a, double low, double high, curve_columns c,
                     spar__layout layout, spar__buf *out)
{
    char first[SPAR__AXES_VALUE], last[SPAR__AXES_VALUE];
    const char *name = spar_axes_name(r->axes, a), *unit = spar_axes_unit(r->axes, a);
    spar__buf line = {0};
    write_ends(r, a, first, last);
    if (c.two_lines) {
        spar__buf_printf(&line, "%s: %s to %s%s%s", name, first, last, unit ? " " : "", unit ? unit : "");
        spar__layout_line(&line, layout, out);
        spar__buf_adds(out, "    ");
        add_curve(r, a, low, high, c.wide, out);
        spar__buf_adds(out, "\n");
    } else {
        size_t gap = c.name - spar__text_cells(name) + 1 + c.first - spar__text_cells(first);
        spar__buf_printf(out, "  %s%*s%s ", name, (int)gap, "", first);
        add_curve(r, a, low, high, c.wide, out);
        spar__buf_printf(out, " %s%s%s\n", last, unit ? " " : "", unit ? unit : "");
    }
    spar__buf_free(&line);
}

static void add_curves(const spar__space_report *r, spar__layout layout, spar__buf *out)
{
    double low = INFINITY, high = -INFINITY;
    size_t n = spar_axes_count(r->axes);
    size_t width = layout.width;
    char first[SPAR__AXES_VALUE], last[SPAR__AXES_VALUE];
    size_t end = 0;
    curve_columns columns = {.name = 10, .first = 8, .wide = WIDE};
    for (size_t a = 0; a < spar_axes_count(r->axes); a++) {
        const char *unit = spar_axes_unit(r->axes, a);
        size_t steps = r->curve[a].n < WIDE ? r->curve[a].n : WIDE;
        write_ends(r, a, first, last);
        size_t behind = steps + 1 + spar__text_cells(last) + (unit ? 1 + spar__text_cells(unit) : 0);
        columns.name = more_of(columns.name, spar__text_cells(spar_axes_name(r->axes, a)));
        columns.first = more_of(columns.first, spar__text_cells(first));
        end = more_of(end, behind);
    }
    columns.two_lines = width && 2 + columns.name + 1 + columns.first + 1 + end > width;
    if (columns.two_lines && columns.wide + 4 > width)
        columns.wide = width > 4 ? width - 4 : 1;
    spar__buf line = {0};
    for (size_t a = 0; a < n; a++)
        for (size_t i = 0; i < r->curve[a].n; i++) {
            low = fmin(low, r->curve[a].step[i].mean);
            high = fmax(high, r->curve[a].step[i].mean);
        }
    spar__buf_adds(out, "\n");
    spar__buf_printf(&line,
                     "along %s (strength %.1f to %.1f):", n > 1 ? "each axis, the others as recommended" : "the axis",
                     spar__space_tenth(low), spar__space_tenth(high));
    spar__layout_line(&line, layout, out);
    for (size_t a = 0; a < n; a++)
        add_axis(r, a, low, high, columns, layout, out);
    spar__buf_free(&line);
}

/* The part about a space; nothing before the first answer. */
static void space_text(const spar__space_report *r, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    if (!r->answers)
        return;
    spar__buf_printf(&line, "recommended: %s", r->best);
    spar__buf_adds(out, "\n");
    spar__layout_line(&line, layout, out);
    spar__buf_printf(&line, "strength: %.1f (95 %%: %.1f to %.1f), in log-odds against the average setting",
                     spar__space_tenth(r->mean), spar__space_tenth(r->low), spar__space_tenth(r->high));
    spar__layout_line(&line, layout, out);
    if (r->winner) {
        if (strcmp(r->winner, r->best) == 0)
            spar__buf_adds(&line, "it is the last winner, too");
        else
            spar__buf_printf(&line, "chance to beat the last winner, %s: %.0f %%", r->winner, 100 * r->chance);
        spar__layout_line(&line, layout, out);
    }
    for (size_t i = 0; i < r->others; i++) {
        spar__buf_printf(&line, "with another %s: %s; chance to beat the recommended one: %.0f %%",
                         spar_axes_name(r->axes, r->other[i].axis), r->other[i].text, 100 * r->other[i].chance);
        spar__layout_line(&line, layout, out);
    }
    spar__buf_adds(&line, "a recommendation: for a space there is no decision with a known error");
    spar__layout_line(&line, layout, out);
    add_curves(r, layout, out);
    spar__buf_free(&line);
}

/* --- standings by group of items --- */

enum { GROUPS = 20, LISTED = 10, ENOUGH = 10 }; /* ENOUGH: answers, as for all standings */

static void add_table(const spar__group_report *group, const spar__verdict_report *v, spar__layout layout,
                      spar__buf *out)
{
    static const char *const head[] = {"option", "strength", "95 % interval", "chosen"};
    static const size_t drop[] = {2};
    spar__text_table table = {.columns = 4, .left = 1, .width = layout.width, .n_drop = 1, .drop = drop};
    size_t *order = spar__standings_order(&group->standings), others = sizeof "  strength  -1.23 to -0.12  100 of 100";
    out->failed |= !order;
    for (size_t i = 0; i < table.columns; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; order && i < v->n && i < LISTED; i++) {
        spar__verdict_add_name(v, order[i], layout.width, others, &table);
        size_t option = order[i];
        double mean = 0, low = 0, high = 0;
        uint64_t shown = 0, chosen = 0;
        (void)spar_standings_strength(group->standings.standings, option, &mean, &low, &high);
        (void)spar_decision_record(group->has.decision, option, &shown, &chosen);
        spar__text_table_add(&table, "%.2f", mean);
        spar__text_table_add(&table, "%.2f to %.2f", low, high);
        spar__text_table_add(&table, "%" PRIu64 " of %" PRIu64, chosen, shown);
    }
    spar__text_table_print(&table, layout.styled, out);
    spar__text_table_free(&table);
    spar__free(order);
}

static void item_groups_text(const spar__item_groups_report *r, const spar__verdict_report *v, spar__layout layout,
                             spar__buf *out)
{
    const char *words = r->why_not ? r->why_not
                                   : "each group of items alone, approximate; no decision is taken from parts of the "
                                     "answers";
    if (!r->n && !r->why_not)
        return;
    spar__layout_heading("by group", ": ", words, layout, out);
    for (size_t g = 0; g < r->n && g < GROUPS; g++) {
        const spar__group_report *group = &r->group[g];
        spar__buf line = {0};
        spar__buf_add_printable(&line, group->none ? "without a group" : group->name ? group->name : "(removed)");
        spar__buf_adds(&line, ": ");
        spar__verdict_count(group->has.items, "item, ", "items, ", &line);
        spar__verdict_count(group->has.answers, "answer", "answers", &line);
        bool enough = group->standings.standings && group->has.answers >= ENOUGH;
        if (!enough && group->has.answers)
            spar__buf_adds(&line, "; standings are shown from 10 on");
        spar__layout_line(&line, layout, out);
        spar__buf_free(&line);
        if (enough)
            add_table(group, v, layout, out);
    }
    if (r->n > GROUPS)
        spar__buf_printf(out, "and %zu groups more (--json has all)\n", r->n - GROUPS);
}

/* --- all of it --- */

static void add_part(uint64_t count, const char *one, const char *many, const char **before, spar__buf *out)
{
    if (!count)
        return;
    spar__buf_adds(out, *before);
    spar__verdict_count(count, one, many, out);
    *before = ", ";
}

static void add_summary(const spar__status_report *r, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    /* '42 answers on 4 options: 5 ties, 2 bad, 1 screen still open'. */
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    const char *before = ": ";
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__verdict_count(answers, "answer on ", "answers on ", &line);
    if (r->space.axes)
        spar__verdict_count(spar_axes_count(r->space.axes), "axis", "axes", &line);
    else
        spar__verdict_count(r->n, "option", "options", &line);
    add_part(r->standings.tied, "tie", "ties", &before, &line);
    add_part(r->standings.bad, "bad", "bad", &before, &line);
    if (r->space.axes)
        add_part(r->space.skipped, "that says nothing (bad, skipped)", "that say nothing (bad, skipped)", &before,
                 &line);
    else
        add_part(spar_decision_skipped(r->verdict.decision), "skipped", "skipped", &before, &line);
    add_part(imported, "imported", "imported", &before, &line);
    add_part(undone, "taken back", "taken back", &before, &line);
    add_part(spar_experiment_open_screens(r->experiment, NULL, 0, NULL), "screen still open", "screens still open",
             &before, &line);
    spar__layout_line(&line, layout, out);
    if (r->without_flagged)
        spar__buf_printf(out, "without %" PRIu64 " flagged %s\n", r->flagged, r->flagged == 1 ? "answer" : "answers");
    if (spar_experiment_is_closed(r->experiment))
        spar__buf_adds(out, "closed\n");
    spar__buf_free(&line);
}

void spar__status_text(const spar__status_report *r, spar__layout layout, spar__buf *out)
{
    enum { QUESTION_LINES = 100 };
    const char *question = spar_experiment_question(r->experiment);
    spar__verdict_sentence(&r->verdict, layout, out);
    if (question) {
        spar__wrap(question, layout.width, 0, 0, QUESTION_LINES, out);
        spar__buf_adds(out, "\n");
    }
    add_summary(r, layout, out);
    if (r->space.axes) {
        space_text(&r->space, layout, out);
        return;
    }
    spar__verdict_options(&r->verdict, layout, out);
    spar__standings_text(&r->standings, &r->verdict, layout, out);
    item_groups_text(&r->groups, &r->verdict, layout, out);
    spar__verdict_closest(&r->verdict, layout, out);
    spar__verdict_next(&r->verdict, layout, out);
    spar__verdict_warnings(&r->verdict, &r->standings, NULL, layout, out);
}

/* --- the command --- */

static void add_json(const spar__status_report *report, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__status_members(report, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

static spar_status write_files(const spar__settings *settings, const spar__status_report *r, spar_error *err)
{
    spar__output_file file[] = {{"status", {0}, true}, {"standings", {0}, true}, {"status.json", {0}, false}};
    if (!spar__report_has_files(settings))
        return SPAR_OK;
    spar__stop_catch(); /* files are written whole */
    file[0].text.failed |= spar__status_plot(r, &file[0].text) != SPAR_OK;
    file[1].text.failed |= spar__status_plot_standings(r, &file[1].text) != SPAR_OK;
    add_json(r, &file[2].text);
    return spar__report_write(settings, sizeof file / sizeof *file, file, err);
}

static spar_status status_of(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    spar_experiment *experiment = NULL;
    spar__status_report report;
    const char *dir = spar__setting_text(settings, "out");
    spar__standings_how how = spar__standings_how_of(spar__setting_text(settings, "standings"));
    spar_status status = spar__need_operands(settings, 1, err);
    if (!status)
        status = spar__report_check_files(settings, "status", false, err);
    if (!status)
        status = spar__experiment_of(settings, SPAR_EXPERIMENT_READ, &experiment, err);
    if (!status && dir)
        status = spar__outdir_make(dir, err);
    if (!status)
        status = spar__status_make(experiment, spar__setting_text(settings, "without") != NULL, how, &report, err);
    if (!status) {
        if (spar__setting_number(settings, "json"))
            add_json(&report, out);
        else
            spar__status_text(&report, spar__layout_of_output(), out);
        status = write_files(settings, &report, err); /* the text is printed even if this fails */
        spar__status_free(&report);
    }
    spar_experiment_close(experiment);
    return status;
}

static const spar__option options[] = {
    SPAR__OPTION_STANDINGS,
    SPAR__CHOICE_OPTION("without", "WHICH", NULL, "flagged", "leave these answers out"),
    SPAR__TEXT_OPTION("plot", "FILE.svg", "also write a picture there"),
    SPAR__TEXT_OPTION("out", "DIR", "also write status.json, status.svg, status.png and the standings there"),
    SPAR__SWITCH_OPTION("json", "print JSON"),
    {.name = NULL},
};

const spar__command spar__command_status = {
    .name = "status",
    .brief = "Say what may be concluded from the answers so far, and what is still open",
    .operands = "FILE [OPTIONS]",
    .max_operands = 1,
    .options = options,
    .notes = "Look as often as you like: a statement is false with at most 5 % probability over the whole experiment\n"
             "(doc/deciding.md).",
    .example = "spar status tea.db",
    .run = status_of,
};
