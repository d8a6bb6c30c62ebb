#include "plot/figure.h"

#include "base/alloc.h"
#include "plot/curve.h"
#include "plot/svg.h"

#include <string.h>

static bool is_band(const spar__series *series)
{
    return series->lo && series->hi;
}

/* The colour that the series was given, or else that of its place. */
static size_t style_of(const spar__figure *fig, size_t s)
{
    return fig->series[s].color ? fig->series[s].color - 1 : s;
}

spar_status spar__figure_legend(const spar__figure *fig, spar__legend *legend)
{
    *legend = (spar__legend){0};
    legend->entry = spar__alloc(fig->n_series, sizeof *legend->entry);
    if (!legend->entry)
        return SPAR_NOMEM;
    for (size_t i = 0; i < fig->n_series; i++)
        if (spar__svg_has(fig->series[i].label))
            legend->entry[legend->n++] =
                (spar__legend_entry){fig->series[i].label, style_of(fig, i), is_band(&fig->series[i]), SPAR__MARK_LINE};
    legend->among = fig->n_series;
    return SPAR_OK;
}

/* Has fig a line with the label and style of line s of the other? */
static bool has_line(const spar__figure *fig, const spar__figure *other, size_t s)
{
    for (size_t i = 0; i < fig->n_series; i++)
        if (spar__svg_has(fig->series[i].label) && strcmp(fig->series[i].label, other->series[s].label) == 0)
            return style_of(fig, i) == style_of(other, s);
    return false;
}

static bool has_lines(const spar__figure *fig, const spar__figure *other)
{
    for (size_t s = 0; s < other->n_series; s++)
        if (spar__svg_has(other->series[s].label) && !has_line(fig, other, s))
            return false;
    return true;
}

const spar__figure *spar__figure_complete(const spar__figure *figs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool all = true;
        for (size_t j = 0; all && j < n; j++)
            all = has_lines(&figs[i], &figs[j]);
        if (all)
            return &figs[i];
    }
    return NULL;
}

/* On a log axis the lower edge of a band may be arbitrarily near to zero; below a third of the line it is left out. */
static void add_y(spar__range *range, const spar__figure *fig, double value, double near)
{
    if (!fig->log_y || (value > 0 && value >= near / 3))
        spar__range_add(range, value);
}

void spar__figure_ranges(const spar__figure *fig, spar__range *x, spar__range *y)
{
    bool negative = false;
    *x = *y = SPAR__RANGE_EMPTY;
    for (size_t s = 0; s < fig->n_series; s++) {
        const spar__series *series = &fig->series[s];
        for (size_t i = 0; i < series->n; i++) {
            if (!spar__curve_visible(series, fig->log_x, i))
                continue;
            spar__range_add(x, series->x[i]);
            add_y(y, fig, series->y[i], 0);
            negative = negative || series->y[i] < 0;
            if (spar__curve_band_visible(series, fig->log_x, i)) {
                add_y(y, fig, series->lo[i], series->y[i]);
                add_y(y, fig, series->hi[i], series->y[i]);
            }
        }
    }
    if (!negative && y->lo < 0) /* only a band is below zero */
        y->lo = 0;
}

void spar__figure_share_y(const spar__figure *figs, size_t n, spar__range *y)
{
    spar__range shared = SPAR__RANGE_EMPTY, x;
    for (size_t i = 0; i < n; i++) {
        spar__figure_ranges(&figs[i], &x, &y[i]);
        if (figs[i].same_y) {
            spar__range_add(&shared, y[i].lo);
            spar__range_add(&shared, y[i].hi);
        }
    }
    for (size_t i = 0; i < n; i++)
        if (figs[i].same_y)
            y[i] = shared;
}

/* Adds a value to an ascending list of n; false: there is no room. */
static bool insert(double value[SPAR__OWN_TICKS], size_t *n, double x)
{
    size_t at = *n;
    while (at > 0 && value[at - 1] > x)
        at--;
    if (at > 0 && value[at - 1] == x)
        return true;
    if (*n == SPAR__OWN_TICKS)
        return false;
    memmove(value + at + 1, value + at, (*n - at) * sizeof *value);
    value[at] = x;
    ++*n;
    return true;
}

size_t spar__figure_own_x(const spar__figure *fig, double value[SPAR__OWN_TICKS])
{
    size_t n = 0;
    bool dots = false;
    for (size_t s = 0; s < fig->n_series; s++) {
        const spar__series *series = &fig->series[s];
        dots |= series->dots;
        for (size_t i = 0; i < series->n; i++)
            if (spar__curve_visible(series, fig->log_x, i) && !insert(value, &n, series->x[i]))
                return 0;
    }
    return dots && n > 1 ? n : 0;
}

double spar__figure_note_height(const char *note, double width)
{
    static const double margins = 28;
    if (!spar__svg_has(note))
        return 0;
    size_t lines = spar__svg_paragraph(NULL, 0, 0, &spar__font_note, width - margins, note);
    return (double)lines * spar__svg_line_height(&spar__font_note) + 8;
}

static void begin_series(spar__buf *out, const spar__figure *fig, size_t s)
{
    spar__legend_entry entry = {.style = style_of(fig, s), .mark = SPAR__MARK_LINE};
    spar__buf_printf(out, "<g data-series=\"%zu\">\n", spar__legend_key(&entry));
}

void spar__figure_curves(spar__buf *out, const spar__plot_frame *frame, const spar__figure *fig, size_t among)
{
    spar__plot_frame_begin_data(out, frame, 0);
    const char *opacity = fig->n_series <= 4 ? "0.18" : fig->n_series <= 12 ? "0.12" : "0.04";
    for (size_t s = fig->n_series; s-- > 0;) { /* the first on top */
        if (!is_band(&fig->series[s]))
            continue;
        begin_series(out, fig, s);
        spar__curve_band(out, frame, &fig->series[s], spar__palette(style_of(fig, s)).color, opacity);
        spar__buf_adds(out, "</g>\n");
    }
    spar__plot_frame_end_data(out);
    spar__plot_frame_begin_data(out, frame, 4); /* lines and dots on the edge are not cut */
    for (size_t s = fig->n_series; s-- > 0;) {
        begin_series(out, fig, s);
        spar__curve_line(out, frame, &fig->series[s], spar__palette_among(style_of(fig, s), among),
                         fig->n_series > 12 ? "1.3" : "1.8");
        spar__buf_adds(out, "</g>\n");
    }
    spar__plot_frame_end_data(out);
}

/* The last point that is drawn; n: there is none. */
static size_t last_visible(const spar__figure *fig, const spar__series *series)
{
    size_t i = series->n;
    while (i > 0 && !spar__curve_visible(series, fig->log_x, i - 1))
        i--;
    return i > 0 ? i - 1 : series->n;
}

void spar__figure_words(const spar__figure *fig, spar__buf *out)
{
    enum { MOST = 12 };
    size_t said = 0, left_out = 0;
    spar__buf_printf(out, "%s%s%s against %s", spar__svg_has(fig->title) ? fig->title : "",
                     spar__svg_has(fig->title) ? ": " : "", spar__svg_has(fig->y_label) ? fig->y_label : "the value",
                     spar__svg_has(fig->x_label) ? fig->x_label : "x");
    for (size_t s = 0; s < fig->n_series; s++) {
        const spar__series *series = &fig->series[s];
        size_t last = last_visible(fig, series);
        if (last == series->n || !spar__svg_has(series->label))
            continue;
        if (said == MOST) {
            left_out++;
            continue;
        }
        spar__buf_printf(out, "%s %s ", said++ ? "," : ". At the end:", series->label);
        spar__svg_value(out, series->y[last]);
    }
    if (left_out)
        spar__buf_printf(out, " and %zu more", left_out);
    spar__buf_adds(out, ".");
}
