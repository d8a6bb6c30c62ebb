/* The status of an experiment over a space, in words. */
#include "cli/status/status.h"

#include "cli/wrap.h"
#include "session/axes.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 8, WIDE = 32 };

/* One character for each of up to WIDE values along an axis. */
static void add_curve(const spar__space_report *r, size_t a, double low, double high, spar__buf *out)
{
    static const char *const block[BLOCKS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const spar__space_curve *curve = &r->curve[a];
    size_t n = curve->n < WIDE ? curve->n : WIDE;
    for (size_t i = 0; i < n; i++) {
        double mean = curve->step[n < 2 ? 0 : i * (curve->n - 1) / (n - 1)].mean;
        double share = high > low ? (mean - low) / (high - low) : 0;
        spar__buf_adds(out, block[(size_t)fmin(fmax(share * BLOCKS, 0), BLOCKS - 1)]);
    }
}

static void add_axis(const spar__space_report *r, size_t a, double low, double high, spar__buf *out)
{
    char first[SPAR__AXES_VALUE], last[SPAR__AXES_VALUE];
    const char *unit = spar_axes_unit(r->axes, a);
    (void)spar_axes_write(r->axes, a, 0, first, sizeof first);
    (void)spar_axes_write(r->axes, a, spar_axes_values(r->axes, a) - 1, last, sizeof last);
    spar__buf_printf(out, "  %-10s %8s ", spar_axes_name(r->axes, a), first);
    add_curve(r, a, low, high, out);
    spar__buf_printf(out, " %s%s%s\n", last, unit ? " " : "", unit ? unit : "");
}

static void add_curves(const spar__space_report *r, spar__buf *out)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t a = 0; a < spar_axes_count(r->axes); a++)
        for (size_t i = 0; i < r->curve[a].n; i++) {
            low = fmin(low, r->curve[a].step[i].mean);
            high = fmax(high, r->curve[a].step[i].mean);
        }
    spar__buf_printf(out, "\nalong %s (strength %.1f to %.1f):\n",
                     spar_axes_count(r->axes) > 1 ? "each axis, the others as recommended" : "the axis",
                     spar__space_tenth(low), spar__space_tenth(high));
    for (size_t a = 0; a < spar_axes_count(r->axes); a++)
        add_axis(r, a, low, high, out);
}

static void add_line(spar__buf *line, spar__layout layout, spar__buf *out)
{
    out->failed |= line->failed;
    if (!line->failed)
        spar__wrap(line->text, layout.width, 2, 0, 100, out);
    spar__buf_adds(out, "\n");
    spar__buf_clear(line);
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
    add_curves(r, out);
    spar__buf_free(&line);
}
