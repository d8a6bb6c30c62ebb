/* The status of an experiment over a space, in words. */
#include "cli/status/status.h"

#include "cli/terminal.h"
#include "session/axes.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 8, WIDE = 32 };

static void add_line(spar__buf *line, spar__layout layout, spar__buf *out)
{
    out->failed |= line->failed;
    if (!line->failed)
        spar__wrap(line->text, layout.width, 2, 0, 100, out);
    spar__buf_adds(out, "\n");
    spar__buf_clear(line);
}

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

static curve_columns measure(const spar__space_report *r, size_t width)
{
    char first[SPAR__AXES_VALUE], last[SPAR__AXES_VALUE];
    size_t end = 0;
    curve_columns c = {.name = 10, .first = 8, .wide = WIDE};
    for (size_t a = 0; a < spar_axes_count(r->axes); a++) {
        const char *unit = spar_axes_unit(r->axes, a);
        size_t steps = r->curve[a].n < WIDE ? r->curve[a].n : WIDE;
        write_ends(r, a, first, last);
        size_t behind = steps + 1 + spar__text_cells(last) + (unit ? 1 + spar__text_cells(unit) : 0);
        c.name = more_of(c.name, spar__text_cells(spar_axes_name(r->axes, a)));
        c.first = more_of(c.first, spar__text_cells(first));
        end = more_of(end, behind);
    }
    c.two_lines = width && 2 + c.name + 1 + c.first + 1 + end > width;
    if (c.two_lines && c.wide + 4 > width)
        c.wide = width > 4 ? width - 4 : 1;
    return c;
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
        add_line(&line, layout, out);
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
    curve_columns columns = measure(r, layout.width);
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
    add_line(&line, layout, out);
    for (size_t a = 0; a < n; a++)
        add_axis(r, a, low, high, columns, layout, out);
    spar__buf_free(&line);
}

void spar__space_text(const spar__space_report *r, spar__layout layout, spar__buf *out)
{
    spar__buf line = {0};
    if (!r->answers)
        return;
    spar__buf_printf(&line, "recommended: %s", r->best);
    spar__buf_adds(out, "\n");
    add_line(&line, layout, out);
    spar__buf_printf(&line, "strength: %.1f (95 %%: %.1f to %.1f), in log-odds against the average setting",
                     spar__space_tenth(r->mean), spar__space_tenth(r->low), spar__space_tenth(r->high));
    add_line(&line, layout, out);
    if (r->winner) {
        if (strcmp(r->winner, r->best) == 0)
            spar__buf_adds(&line, "it is the last winner, too");
        else
            spar__buf_printf(&line, "chance to beat the last winner, %s: %.0f %%", r->winner, 100 * r->chance);
        add_line(&line, layout, out);
    }
    for (size_t i = 0; i < r->others; i++) {
        spar__buf_printf(&line, "with another %s: %s; chance to beat the recommended one: %.0f %%",
                         spar_axes_name(r->axes, r->other[i].axis), r->other[i].text, 100 * r->other[i].chance);
        add_line(&line, layout, out);
    }
    spar__buf_adds(&line, "a recommendation: for a space there is no decision with a known error");
    add_line(&line, layout, out);
    add_curves(r, layout, out);
    spar__buf_free(&line);
}
