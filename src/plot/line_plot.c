/* line_plot.c - plots of lines with bands: one figure or several panels on a page, and grids of small panels with
 * common axes. A figure is laid out first (the size and place of its legend, or of the labels at the ends of its
 * lines), then drawn; panels are figures laid out side by side. Linear in the points, of which those that fall together
 * are drawn once. */
#include "plot/line_plot.h"

#include "base/alloc.h"
#include "plot/plot.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a line and its band --- */

static const double CLOSE = 0.3; /* points nearer than this, in px, are drawn as one */

bool spar__curve_visible(const spar__series *series, bool log_x, size_t i)
{
    return isfinite(series->x[i]) && isfinite(series->y[i]) && (!log_x || series->x[i] > 0);
}

bool spar__curve_band_visible(const spar__series *series, bool log_x, size_t i)
{
    return series->lo && series->hi && spar__curve_visible(series, log_x, i) && isfinite(series->lo[i]) &&
           isfinite(series->hi[i]);
}

/* A path that leaves out points closer than CLOSE to the last. */
typedef struct pen {
    spar__buf *out;
    size_t points;
    double x, y;
} pen;

static void draw_to(pen *p, double x, double y, bool must)
{
    if (p->points > 0 && !must && fabs(x - p->x) < CLOSE && fabs(y - p->y) < CLOSE)
        return;
    spar__buf_adds(p->out, p->points++ ? "L" : "M");
    spar__svg_pair(p->out, x, y);
    p->x = x;
    p->y = y;
}

void spar__curve_line(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, spar__style style,
                      const char *width)
{
    char fill[64];
    (void)snprintf(fill, sizeof fill, " stroke=\"none\" fill=\"%s\"", style.color);
    spar__buf_printf(out, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"", style.color,
                     width);
    if (*style.dash)
        spar__buf_printf(out, " stroke-dasharray=\"%s\"", style.dash);
    spar__buf_adds(out, ">\n");
    for (size_t first = 0, end; first < series->n; first = end + 1) { /* from gap to gap; a single point is a dot */
        for (end = first; end < series->n && spar__curve_visible(series, frame->x.log, end);)
            end++;
        for (size_t i = first; i < end && (series->dots || end - first == 1); i++)
            spar__svg_circle(out, spar__axis_at(&frame->x, series->x[i]), spar__axis_at(&frame->y, series->y[i]), 3,
                             fill);
        if (end - first < 2)
            continue;
        pen p = {.out = out};
        spar__buf_adds(out, "<path d=\"");
        for (size_t i = first; i < end; i++)
            draw_to(&p, spar__axis_at(&frame->x, series->x[i]), spar__axis_at(&frame->y, series->y[i]), i + 1 == end);
        spar__buf_adds(out, "\"/>\n");
    }
    spar__buf_adds(out, "</g>\n");
}

void spar__curve_band(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, const char *color,
                      const char *opacity)
{
    if (!series->lo || !series->hi)
        return;
    spar__buf_printf(out, "<g fill=\"%s\" fill-opacity=\"%s\" stroke=\"none\">\n", color, opacity);
    for (size_t first = 0, end; first < series->n; first = end + 1) {
        for (end = first; end < series->n && spar__curve_band_visible(series, frame->x.log, end);)
            end++;
        if (end == first)
            continue;
        /* Along the upper edge and back along the lower one; a single point becomes a vertical bar. */
        double shift = end - first == 1 ? 3 : 0;
        pen p = {.out = out};
        spar__buf_adds(out, "<path d=\"");
        for (size_t i = first; i < end; i++)
            draw_to(&p, spar__axis_at(&frame->x, series->x[i]) - shift, spar__axis_at(&frame->y, series->hi[i]),
                    i + 1 == end);
        if (shift > 0)
            draw_to(&p, p.x + 2 * shift, p.y, true);
        for (size_t i = end; i-- > first;)
            draw_to(&p, spar__axis_at(&frame->x, series->x[i]) + shift, spar__axis_at(&frame->y, series->lo[i]),
                    i + 1 == end || i == first);
        if (shift > 0)
            draw_to(&p, p.x - 2 * shift, p.y, true);
        spar__buf_adds(out, "Z\"/>\n");
    }
    spar__buf_adds(out, "</g>\n");
}

/* --- the lines of a figure: legend, ranges, words --- */

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

/* Has fig every labelled line of the other, in the same style? */
static bool has_lines(const spar__figure *fig, const spar__figure *other)
{
    for (size_t s = 0; s < other->n_series; s++) {
        const char *label = other->series[s].label;
        size_t i = 0;
        while (i < fig->n_series && spar__svg_has(label) &&
               !(spar__svg_has(fig->series[i].label) && strcmp(fig->series[i].label, label) == 0))
            i++;
        if (spar__svg_has(label) && (i == fig->n_series || style_of(fig, i) != style_of(other, s)))
            return false;
    }
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

/* The height of a note below a page of this width; 0 without one. */
static double note_height(const char *note, double width)
{
    static const double margins = 28;
    if (!spar__svg_has(note))
        return 0;
    size_t lines = spar__svg_paragraph(NULL, 0, 0, &spar__font_note, width - margins, note);
    return (double)lines * spar__svg_line_height(&spar__font_note) + 8;
}

/* Bands, and the lines over them; `among` is the largest number of lines on the page. */
static void draw_curves(spar__buf *out, const spar__plot_frame *frame, const spar__figure *fig, size_t among)
{
    spar__plot_frame_begin_data(out, frame, 0);
    const char *opacity = fig->n_series <= 4 ? "0.18" : fig->n_series <= 12 ? "0.12" : "0.04";
    for (size_t s = fig->n_series; s-- > 0;) { /* the first on top */
        if (!is_band(&fig->series[s]))
            continue;
        spar__legend_begin_part(out, (spar__legend_entry){.style = style_of(fig, s)});
        spar__curve_band(out, frame, &fig->series[s], spar__palette(style_of(fig, s)).color, opacity);
        spar__buf_adds(out, "</g>\n");
    }
    spar__svg_end(out);
    spar__plot_frame_begin_data(out, frame, 4); /* lines and dots on the edge are not cut */
    for (size_t s = fig->n_series; s-- > 0;) {
        spar__legend_begin_part(out, (spar__legend_entry){.style = style_of(fig, s)});
        spar__curve_line(out, frame, &fig->series[s], spar__palette_among(style_of(fig, s), among),
                         fig->n_series > 12 ? "1.3" : "1.8");
        spar__buf_adds(out, "</g>\n");
    }
    spar__svg_end(out);
}

void spar__figure_words(const spar__figure *fig, spar__buf *out)
{
    enum { MAX_LINES_SAID = 12 };
    size_t said = 0, left_out = 0;
    spar__buf_printf(out, "%s%s%s against %s", spar__svg_has(fig->title) ? fig->title : "",
                     spar__svg_has(fig->title) ? ": " : "", spar__svg_has(fig->y_label) ? fig->y_label : "the value",
                     spar__svg_has(fig->x_label) ? fig->x_label : "x");
    for (size_t s = 0; s < fig->n_series; s++) {
        const spar__series *series = &fig->series[s];
        size_t end = series->n; /* behind the last point that is drawn */
        while (end > 0 && !spar__curve_visible(series, fig->log_x, end - 1))
            end--;
        if (!end || !spar__svg_has(series->label))
            continue;
        if (said == MAX_LINES_SAID) {
            left_out++;
            continue;
        }
        spar__buf_printf(out, "%s %s ", said++ ? "," : ". At the end:", series->label);
        spar__svg_value(out, series->y[end - 1]);
    }
    if (left_out)
        spar__buf_printf(out, " and %zu more", left_out);
    spar__buf_adds(out, ".");
}

/* --- labels at the ends of lines --- */

static const double LEADER = 16, SAMPLE = 22, LABEL_GAP = 6, LABEL_EDGE = 8;
static const spar__font small_font = {9.5, false, "#333"};

/* Where a line ends, on the page, and where its label stands. */
typedef struct line_end {
    const spar__legend_entry *entry;
    double x, y, at;
} line_end;

static const spar__font *font_of(const spar__ends *ends)
{
    return ends->samples ? &spar__font_tick : &small_font;
}

static double row_of(const spar__ends *ends)
{
    return ends->samples ? 15 : 10.5;
}

bool spar__ends_fit(const spar__ends *ends, double height)
{
    size_t n = ends->legend->n;
    return n >= SPAR__MANY_SERIES && (double)n * row_of(ends) <= height;
}

double spar__ends_width(const spar__ends *ends)
{
    double widest = 0;
    for (size_t i = 0; i < ends->legend->n; i++)
        widest = fmax(widest, spar__svg_text_width(font_of(ends), ends->legend->entry[i].label));
    return LEADER + (ends->samples ? SAMPLE + LABEL_GAP : 0) + widest + LABEL_EDGE;
}

/* The line with this label; its last point that is drawn. */
static void find_end(const spar__figure *fig, const spar__plot_frame *frame, line_end *end)
{
    end->x = frame->plot.x + frame->plot.width;
    end->y = frame->plot.y + frame->plot.height; /* without a point: at the bottom */
    for (size_t s = 0; s < fig->n_series; s++) {
        const spar__series *series = &fig->series[s];
        if (!spar__svg_has(series->label) || strcmp(series->label, end->entry->label) != 0)
            continue;
        for (size_t i = series->n; i-- > 0;)
            if (spar__curve_visible(series, fig->log_x, i)) {
                end->x = frame->plot.x + spar__axis_at(&frame->x, series->x[i]);
                end->y = frame->plot.y + spar__axis_at(&frame->y, series->y[i]);
                return;
            }
    }
}

void spar__ends_draw(spar__buf *out, const spar__ends *ends, const spar__plot_frame *frame, const spar__figure *fig)
{
    size_t n = ends->legend->n;
    line_end *end = spar__alloc(n, sizeof *end);
    if (!end) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        end[i].entry = &ends->legend->entry[i];
        find_end(fig, frame, &end[i]);
    }
    /* From the top: insertion sort, which keeps the order of those at the same height. */
    for (size_t i = 1; i < n; i++) {
        line_end moved = end[i];
        size_t at = i;
        for (; at > 0 && end[at - 1].y > moved.y; at--)
            end[at] = end[at - 1];
        end[at] = moved;
    }
    /* Down as far as those above need, then up from the bottom. */
    double row = row_of(ends), free_from = frame->plot.y + 4, free_to = frame->plot.y + frame->plot.height - 2;
    for (size_t i = 0; i < n; i++) {
        end[i].at = fmax(end[i].y, free_from);
        free_from = end[i].at + row;
    }
    for (size_t i = n; i-- > 0;) {
        end[i].at = fmin(end[i].at, free_to);
        free_to = end[i].at - row;
    }
    for (size_t i = 0; i < n; i++) {
        double right = frame->plot.x + frame->plot.width, x = right + LEADER;
        bool far = right - end[i].x > LEADER; /* it crosses the plot: less of it */
        char attributes[120];
        (void)snprintf(attributes, sizeof attributes, " stroke=\"%s\" stroke-width=\"0.8\" stroke-opacity=\"0.8\"%s",
                       spar__palette(end[i].entry->style).color, far ? " stroke-dasharray=\"1 4\"" : "");
        spar__buf_printf(out, "<g class=\"key\" data-series=\"%zu\">\n", spar__legend_key(end[i].entry));
        spar__svg_line(out, end[i].x, end[i].y, x - 3, end[i].at, attributes);
        if (ends->samples) {
            spar__legend_sample(out, end[i].entry, ends->legend->among, x, end[i].at, SAMPLE);
            x += SAMPLE + LABEL_GAP;
        }
        spar__svg_text(out, x, end[i].at + 0.36 * font_of(ends)->size, font_of(ends), SPAR__START, end[i].entry->label);
        spar__buf_adds(out, "</g>\n");
    }
    spar__free(end);
}

/* --- pages of figures --- */

static const double GAP = 14; /* between plot, legend and note */

typedef struct figure_layout {
    double x, y; /* its corner on the page */
    spar__legend legend;
    spar__range range_y;
    bool beside;          /* the legend stands at the right, otherwise below */
    bool ends;            /* its labels stand at the ends of the lines */
    double width, height; /* of all */
    double frame_width, frame_height;
    double head;      /* of the titles */
    const char *note; /* below all; NULL: none */
} figure_layout;

static double width_of(const spar__figure *fig)
{
    return fig->width > 0 ? fig->width : 900;
}

static spar__captions captions_of(const spar__figure *fig)
{
    return (spar__captions){fig->title, fig->subtitle, fig->x_label, fig->y_label, width_of(fig)};
}

static double height_of(const spar__figure *fig)
{
    return fig->height > 0 ? fig->height : 460;
}

static void draw_note(spar__buf *out, const char *note, double x, double y, double width)
{
    if (spar__svg_has(note))
        (void)spar__svg_paragraph(out, x + GAP, y + 8, &spar__font_note, width - 2 * GAP, note);
}

/* The legend stands beside the plot if it takes a third of the width at most and is not higher; otherwise below. */
static void lay_out_figure(const spar__figure *fig, figure_layout *layout)
{
    spar__captions captions = captions_of(fig);
    layout->width = layout->frame_width = width_of(fig);
    layout->height = layout->frame_height = height_of(fig);
    layout->head = spar__captions_height(&captions);
    spar__legend *legend = &layout->legend;
    if (layout->ends) {
        layout->frame_width -= spar__ends_width(&(spar__ends){legend, true});
    } else if (legend->n > 0) {
        double free_height = layout->height - layout->head - 50;
        spar__legend_fit(legend, 0, 1);
        layout->beside = !fig->legend_below && legend->width <= 0.34 * layout->width && legend->height <= free_height;
        if (layout->beside) {
            layout->frame_width -= legend->width + GAP;
        } else {
            spar__legend_fit(legend, layout->width - 2 * GAP, legend->n);
            layout->width = layout->frame_width = fmax(layout->width, legend->width + 2 * GAP);
            layout->height += legend->height + GAP;
        }
    }
    layout->height += note_height(layout->note, layout->width);
}

/* `table` is the number of the panel. */
static void draw_figure(spar__buf *out, const spar__figure *fig, const figure_layout *layout, size_t table)
{
    const spar__legend *legend = &layout->legend;
    spar__captions captions = captions_of(fig);
    spar__plot_frame frame;
    spar__range x, y;
    double own[SPAR__OWN_TICKS], below = layout->y + layout->frame_height;
    size_t n_own = spar__figure_own_x(fig, own);
    spar__figure_ranges(fig, &x, &y);
    spar__plot_frame_fit(&frame, (spar__box){layout->x, layout->y, layout->frame_width, layout->frame_height},
                         layout->head, &captions, x, fig->log_x, layout->range_y, fig->log_y);
    if (n_own)
        spar__plot_frame_mark_x(&frame, n_own, own);
    spar__plot_frame_draw(out, &frame, &captions);
    spar__plot_frame_begin_panel(out, &frame, table);
    draw_curves(out, &frame, fig, legend->among);
    spar__svg_end_group(out);
    if (legend->n > 0 && layout->ends) {
        spar__ends_draw(out, &(spar__ends){legend, true}, &frame, fig);
    } else if (legend->n > 0 && layout->beside) {
        spar__legend_draw(out, legend, layout->x + layout->frame_width, frame.plot.y);
    } else if (legend->n > 0) {
        double most = layout->x + layout->width - GAP - legend->width;
        spar__legend_draw(out, legend, fmin(frame.plot.x, most), below);
        below += legend->height + GAP;
    }
    draw_note(out, layout->note, layout->x, below, layout->width);
}

/* Puts the panels into rows and columns, aligns the plots of a row, and finds the size of the page. */
static void place(figure_layout *layout, size_t n, size_t columns, double *width, double *height)
{
    *width = *height = 0;
    for (size_t column = 0; column < columns; column++) {
        double widest = 0;
        for (size_t i = column; i < n; i += columns) {
            layout[i].x = *width;
            widest = fmax(widest, layout[i].width);
        }
        *width += widest;
    }
    for (size_t row = 0; row < n; row += columns) {
        double highest = 0, head = 0;
        for (size_t i = row; i < n && i < row + columns; i++) {
            layout[i].y = *height;
            highest = fmax(highest, layout[i].height);
            head = fmax(head, layout[i].head);
        }
        for (size_t i = row; i < n && i < row + columns; i++)
            layout[i].head = head;
        *height += highest;
    }
}

/* A legend and a note that all panels share stand below them. */
static void draw_page(spar__buf *svg, const char *name, const spar__figure *figs, size_t n, size_t columns,
                      figure_layout *layout, spar__legend *legend, const char *note)
{
    double width, height;
    place(layout, n, columns < n ? columns : n, &width, &height);
    spar__legend_fit(legend, width - 2 * GAP, legend->n);
    width = fmax(width, legend->width + 2 * GAP);
    double below = legend->n ? legend->height + GAP : 0;
    spar__buf words = {0}; /* for those who cannot see it */
    for (size_t i = 0; i < n; i++) {
        spar__buf_adds(&words, i ? " " : "");
        spar__figure_words(&figs[i], &words);
    }
    spar__svg_begin(svg, width, height + below + note_height(note, width), name, words.failed ? NULL : words.text);
    svg->failed |= words.failed;
    spar__buf_free(&words);
    for (size_t i = 0; i < n; i++)
        draw_figure(svg, &figs[i], &layout[i], i);
    spar__legend_draw(svg, legend, (width - legend->width) / 2, height);
    draw_note(svg, note, 0, height + below, width);
    spar__svg_end(svg);
}

/* The legends of all panels, each at the ends of the lines if all have room there, and else one for all where one of
 * them is complete. */
static spar_status make_legends(const spar__figure *figs, size_t n, figure_layout *layout, spar__legend *common)
{
    const spar__figure *complete = n > 1 ? spar__figure_complete(figs, n) : NULL;
    bool ends = true;
    size_t among = 0;
    for (size_t i = 0; i < n; i++) {
        if (spar__figure_legend(&figs[i], &layout[i].legend))
            return SPAR_NOMEM;
        /* Have the labels room at the ends of the lines? */
        const spar__ends at_ends = {&layout[i].legend, true};
        spar__captions captions = captions_of(&figs[i]);
        double high = height_of(&figs[i]) - spar__captions_height(&captions) - 60;
        ends = ends && !figs[i].legend_below && spar__ends_fit(&at_ends, high) &&
               spar__ends_width(&at_ends) <= 0.34 * width_of(&figs[i]);
        among = figs[i].n_series > among ? figs[i].n_series : among;
    }
    for (size_t i = 0; i < n; i++) {
        layout[i].legend.among = among;
        layout[i].ends = ends;
        if (complete && !ends)
            layout[i].legend.n = 0;
    }
    if (complete && !ends && spar__figure_legend(complete, common))
        return SPAR_NOMEM;
    common->among = among;
    return SPAR_OK;
}

spar_status spar__plot_page(const char *name, const spar__figure *figs, size_t n, size_t columns, spar__buf *svg)
{
    if (n == 0 || columns == 0)
        return SPAR_INVALID;
    bool one_note = n > 1 && spar__svg_has(figs[0].band_note);
    for (size_t i = 0; i < n; i++) {
        if (!(figs[i].width >= 0 && figs[i].width <= 20000 && figs[i].height >= 0 && figs[i].height <= 20000))
            return SPAR_INVALID;
        const char *note = figs[i].band_note;
        one_note = one_note && spar__svg_has(note) && strcmp(figs[0].band_note, note) == 0;
    }
    spar__legend common = {0};
    spar__range *y = spar__alloc(n, sizeof *y);
    figure_layout *layout = spar__alloc(n, sizeof *layout);
    spar_status status = y && layout ? make_legends(figs, n, layout, &common) : SPAR_NOMEM;
    if (!status) {
        spar__figure_share_y(figs, n, y);
        for (size_t i = 0; i < n; i++) {
            layout[i].range_y = y[i];
            layout[i].note = one_note ? NULL : figs[i].band_note;
            lay_out_figure(&figs[i], &layout[i]);
        }
        draw_page(svg, name ? name : figs[0].title, figs, n, columns, layout, &common,
                  one_note ? figs[0].band_note : NULL);
        status = svg->failed ? SPAR_NOMEM : SPAR_OK;
    }
    for (size_t i = 0; layout && i < n; i++)
        spar__free(layout[i].legend.entry);
    spar__free(y);
    spar__free(layout);
    spar__free(common.entry);
    return status;
}

spar_status spar__plot_lines(const spar__figure *fig, spar__buf *svg)
{
    return spar__plot_page(NULL, fig, 1, 1, svg);
}

/* --- grids --- */

static const double EDGE = 14, BETWEEN = 22, HEAD = 20;

enum { GRID_MAX = 64 };

/* Where everything is on the page. */
typedef struct grid_layout {
    spar__captions captions;
    spar__range x, y[GRID_MAX]; /* of all, of each row */
    double left, top;           /* of the first panel's plot */
    double wide, high;          /* of each panel's plot */
    double right, below;        /* of the last one's */
    spar__legend legend;
    bool ends;   /* labels also stand at the ends of the lines of the last column */
    double page; /* its height */
} grid_layout;

static double row_top(const grid_layout *layout, size_t row)
{
    return layout->top + (double)row * (layout->high + GAP);
}

static double column_left(const grid_layout *layout, size_t column)
{
    return layout->left + (double)column * (layout->wide + BETWEEN);
}

/* The range of an axis that is fitted to it: never empty, with snap ending at ticks. */
static spar__range rounded(spar__range range, bool log, bool snap)
{
    spar__axis axis;
    spar__axis_fit(&axis, range, log, snap, 4);
    return (spar__range){axis.lo, axis.hi};
}

static spar__plot_frame frame_of(const spar__grid *grid, const grid_layout *layout, size_t row, size_t column)
{
    spar__plot_frame frame;
    spar__box box = {column_left(layout, column), row_top(layout, row), layout->wide, layout->high};
    spar__plot_frame_set(&frame, box, layout->x, grid->panel->log_x, layout->y[row], grid->panel->log_y);
    frame.bare_x = row + 1 < grid->rows;
    frame.bare_y = column > 0;
    return frame;
}

static void lay_out_grid(const spar__grid *grid, grid_layout *layout)
{
    double width = grid->width > 0 ? grid->width : 760;
    layout->captions = (spar__captions){.title = grid->title, .subtitle = grid->subtitle, .width = width};
    bool log_x = grid->panel->log_x, log_y = grid->panel->log_y;
    layout->x = SPAR__RANGE_EMPTY;
    for (size_t row = 0; row < grid->rows; row++) {
        layout->y[row] = SPAR__RANGE_EMPTY;
        for (size_t column = 0; column < grid->columns; column++) {
            spar__range x, y;
            spar__figure_ranges(&grid->panel[row * grid->columns + column], &x, &y);
            spar__range_add(&layout->x, x.lo);
            spar__range_add(&layout->x, x.hi);
            spar__range_add(&layout->y[row], y.lo);
            spar__range_add(&layout->y[row], y.hi);
        }
        layout->y[row] = rounded(layout->y[row], log_y, true);
    }
    layout->x = rounded(layout->x, log_x, false);
    layout->high = grid->panel_height > 0 ? grid->panel_height : 150;
    layout->wide = 100; /* any: it does not change the width of the labels of y */
    double widest = 0;
    for (size_t row = 0; row < grid->rows; row++) {
        spar__plot_frame frame = frame_of(grid, layout, row, 0);
        widest = fmax(widest, spar__plot_frame_y_width(&frame));
    }
    layout->left = EDGE + (spar__svg_has(grid->y_label) ? 20 : 0) + 18 + widest + 8;
    spar__ends ends = {&layout->legend, false};
    layout->ends = spar__ends_fit(&ends, layout->high);
    layout->right =
        width - EDGE - (layout->ends ? spar__ends_width(&ends) : 16); /* where the last label of x extends */
    layout->top = EDGE + spar__captions_height(&layout->captions) + HEAD;
    layout->wide = fmax((layout->right - layout->left + BETWEEN) / (double)grid->columns - BETWEEN, 10);
    layout->below = row_top(layout, grid->rows - 1) + layout->high;
    spar__legend_fit(&layout->legend, width - 2 * EDGE, layout->legend.n);
    layout->page = layout->below + 22 + (spar__svg_has(grid->x_label) ? 20 : 0) + EDGE + layout->legend.height +
                   (layout->legend.n ? EDGE : 0) + note_height(grid->note, width);
}

static void draw_panel(spar__buf *out, const spar__grid *grid, const grid_layout *layout, size_t row, size_t column)
{
    double width = layout->captions.width;
    size_t place = row * grid->columns + column;
    spar__plot_frame frame = frame_of(grid, layout, row, column);
    frame.outer = (spar__box){0, 0, width, layout->page};
    spar__captions none = {.width = width};
    spar__plot_frame_draw(out, &frame, place ? &none : &layout->captions);
    spar__plot_frame_begin_panel(out, &frame, place);
    draw_curves(out, &frame, &grid->panel[place], layout->legend.among);
    spar__svg_end_group(out);
    if (layout->ends && column + 1 == grid->columns && grid->panel[place].n_series)
        spar__ends_draw(out, &(spar__ends){&layout->legend, false}, &frame, &grid->panel[place]);
}

static void draw_grid(spar__buf *out, const spar__grid *grid, const grid_layout *layout)
{
    double width = layout->captions.width, below = layout->page - note_height(grid->note, width);
    /* The page in words: its rows, columns and lines; the numbers would be too many. */
    spar__buf words = {0};
    spar__buf_printf(&words, "%zu panels, %s against %s. Rows:", grid->rows * grid->columns,
                     spar__svg_has(grid->y_label) ? grid->y_label : "the value",
                     spar__svg_has(grid->x_label) ? grid->x_label : "x");
    for (size_t i = 0; i < grid->rows; i++)
        spar__buf_printf(&words, "%s %s", i ? "," : "", grid->row[i]);
    for (size_t i = 0; i < grid->columns; i++)
        spar__buf_printf(&words, "%s %s", i ? "," : ". Columns:", grid->column[i]);
    for (size_t i = 0; i < layout->legend.n; i++)
        spar__buf_printf(&words, "%s %s", i ? "," : ". Lines:", layout->legend.entry[i].label);
    spar__buf_adds(&words, ".");
    spar__svg_begin(out, layout->captions.width, layout->page, grid->name ? grid->name : grid->title,
                    words.failed ? NULL : words.text);
    out->failed |= words.failed;
    spar__buf_free(&words);
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++)
            draw_panel(out, grid, layout, row, column);
    double middle = (layout->top + layout->below) / 2, edge = EDGE + 10 + (spar__svg_has(grid->y_label) ? 20 : 0);
    if (spar__svg_has(grid->y_label))
        spar__svg_text_turned(out, EDGE + 8, middle, &spar__font_label, grid->y_label);
    if (spar__svg_has(grid->x_label))
        spar__svg_text(out, (layout->left + layout->right) / 2, layout->below + 38, &spar__font_label, SPAR__MIDDLE,
                       grid->x_label);
    for (size_t column = 0; column < grid->columns; column++)
        spar__svg_text(out, column_left(layout, column) + layout->wide / 2, layout->top - 8, &spar__font_head,
                       SPAR__MIDDLE, grid->column[column]);
    for (size_t row = 0; row < grid->rows; row++)
        spar__svg_text_turned(out, edge, row_top(layout, row) + layout->high / 2, &spar__font_head, grid->row[row]);
    if (layout->legend.n)
        spar__legend_draw(out, &layout->legend, (width - layout->legend.width) / 2,
                          below - EDGE - layout->legend.height);
    if (spar__svg_has(grid->note))
        (void)spar__svg_paragraph(out, EDGE, below + 4, &spar__font_note, width - 2 * EDGE, grid->note);
    spar__svg_end(out);
}

spar_status spar__plot_grid(const spar__grid *grid, spar__buf *svg)
{
    bool valid = grid->rows > 0 && grid->columns > 0 && grid->rows <= GRID_MAX && grid->columns <= GRID_MAX &&
                 grid->width >= 0 && grid->width <= 20000 && grid->panel_height >= 0 && grid->panel_height <= 20000;
    if (!valid)
        return SPAR_INVALID;
    const spar__figure *complete = spar__figure_complete(grid->panel, grid->rows * grid->columns);
    grid_layout *layout = spar__alloc(1, sizeof *layout);
    spar_status status = layout ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status = spar__figure_legend(complete ? complete : grid->panel, &layout->legend);
    if (!status) {
        lay_out_grid(grid, layout);
        draw_grid(svg, grid, layout);
        status = svg->failed ? SPAR_NOMEM : SPAR_OK;
    }
    if (layout)
        spar__free(layout->legend.entry);
    spar__free(layout);
    return status;
}
