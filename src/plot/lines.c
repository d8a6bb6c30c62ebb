/* Lines with bands. A figure is laid out first (how large is its legend, where does it stand), then drawn; panels are
 * figures laid out side by side. */
#include "base/alloc.h"
#include "plot/curve.h"
#include "plot/frame.h"
#include "plot/legend.h"
#include "plot/palette.h"
#include "plot/plot.h"
#include "plot/svg.h"

#include <math.h>
#include <string.h>

static const double GAP = 14; /* between plot, legend and note */

typedef struct layout {
    double x, y; /* its corner on the page */
    spar__legend legend;
    bool beside;          /* the legend stands at the right, otherwise below */
    double width, height; /* of all */
    double frame_width, frame_height;
    double head;      /* of the titles */
    const char *note; /* below all; NULL: none */
} layout;

static bool has(const char *text)
{
    return text && *text;
}

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

static bool is_band(const spar__series *series)
{
    return series->lo && series->hi;
}

/* A series keeps its colour wherever it stands when it was given one. */
static size_t style_of(const spar__figure *fig, size_t s)
{
    return fig->series[s].color ? fig->series[s].color - 1 : s;
}

static spar_status collect_legend(const spar__figure *fig, spar__legend *legend)
{
    *legend = (spar__legend){0};
    legend->entry = spar__alloc(fig->n_series, sizeof *legend->entry);
    if (!legend->entry)
        return SPAR_NOMEM;
    for (size_t i = 0; i < fig->n_series; i++)
        if (has(fig->series[i].label))
            legend->entry[legend->n++] =
                (spar__legend_entry){fig->series[i].label, style_of(fig, i), is_band(&fig->series[i]), SPAR__MARK_LINE};
    return SPAR_OK;
}

static double note_height(const char *note, double width)
{
    if (!has(note))
        return 0;
    size_t lines = spar__svg_paragraph(NULL, 0, 0, &spar__font_note, width - 2 * GAP, note);
    return (double)lines * spar__svg_line_height(&spar__font_note) + 8;
}

static void draw_note(spar__buf *out, const char *note, double x, double y, double width)
{
    if (has(note))
        (void)spar__svg_paragraph(out, x + GAP, y + 8, &spar__font_note, width - 2 * GAP, note);
}

/* The legend stands beside the plot when it leaves that most of the width and is no higher; otherwise below. */
static void lay_out(const spar__figure *fig, layout *plan)
{
    spar__captions captions = captions_of(fig);
    plan->width = plan->frame_width = width_of(fig);
    plan->height = plan->frame_height = height_of(fig);
    plan->head = spar__captions_height(&captions);
    spar__legend *legend = &plan->legend;
    if (legend->n > 0) {
        double free_height = plan->height - plan->head - 50;
        spar__legend_fit(legend, 0, 1);
        plan->beside = legend->width <= 0.34 * plan->width && legend->height <= free_height;
        if (plan->beside) {
            plan->frame_width -= legend->width + GAP;
        } else {
            spar__legend_fit(legend, plan->width - 2 * GAP, legend->n);
            plan->width = plan->frame_width = fmax(plan->width, legend->width + 2 * GAP);
            plan->height += legend->height + GAP;
        }
    }
    plan->height += note_height(plan->note, plan->width);
}

/* On a log axis the lower edge of a band may come arbitrarily near to zero; it widens the range only a little. */
static void add_y(spar__range *range, const spar__figure *fig, double value, double near)
{
    if (!fig->log_y || (value > 0 && value >= near / 3))
        spar__range_add(range, value);
}

static void find_ranges(const spar__figure *fig, spar__range *x, spar__range *y)
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
    if (!negative && y->lo < 0) /* mean - sd below zero where no line is: not worth the room */
        y->lo = 0;
}

static void draw_figure(spar__buf *out, const spar__figure *fig, const layout *plan)
{
    double x = plan->x, y = plan->y;
    spar__range range_x, range_y;
    spar__captions captions = captions_of(fig);
    spar__frame frame;
    find_ranges(fig, &range_x, &range_y);
    spar__frame_fit(&frame, (spar__box){x, y, plan->frame_width, plan->frame_height}, plan->head, &captions, range_x,
                    fig->log_x, range_y, fig->log_y);
    spar__frame_draw(out, &frame, &captions);
    spar__frame_begin_data(out, &frame, 0);
    const char *opacity = fig->n_series <= 4 ? "0.18" : fig->n_series <= 12 ? "0.12" : "0.04";
    for (size_t s = fig->n_series; s-- > 0;) /* the first on top */
        spar__curve_band(out, &frame, &fig->series[s], spar__palette(style_of(fig, s)).color, opacity);
    spar__frame_end_data(out);
    spar__frame_begin_data(out, &frame, 4); /* lines and dots on the edge are seen whole */
    for (size_t s = fig->n_series; s-- > 0;)
        spar__curve_line(out, &frame, &fig->series[s], spar__palette(style_of(fig, s)),
                         fig->n_series > 12 ? "1.3" : "1.8");
    spar__frame_end_data(out);
    double below = y + plan->frame_height;
    if (plan->legend.n > 0 && plan->beside)
        spar__legend_draw(out, &plan->legend, x + plan->frame_width, frame.plot.y);
    else if (plan->legend.n > 0) {
        spar__legend_draw(out, &plan->legend, fmin(frame.plot.x, x + plan->width - GAP - plan->legend.width), below);
        below += plan->legend.height + GAP;
    }
    draw_note(out, plan->note, x, below, plan->width);
}

static bool good_size(const spar__figure *fig)
{
    return fig->width >= 0 && fig->width <= 20000 && fig->height >= 0 && fig->height <= 20000;
}

static bool same_labels(const spar__figure *a, const spar__figure *b)
{
    if (a->n_series != b->n_series)
        return false;
    for (size_t i = 0; i < a->n_series; i++) {
        const char *one = a->series[i].label, *other = b->series[i].label;
        if (has(one) != has(other) || (has(one) && strcmp(one, other) != 0))
            return false;
    }
    return true;
}

static bool same_notes(const spar__figure *a, const spar__figure *b)
{
    return has(a->band_note) && has(b->band_note) && strcmp(a->band_note, b->band_note) == 0;
}

/* Puts the panels into rows and columns, lines up the plots of a row, and finds the size of it all. */
static void place(layout *plan, size_t n, size_t columns, double *width, double *height)
{
    *width = *height = 0;
    for (size_t column = 0; column < columns; column++) {
        double widest = 0;
        for (size_t i = column; i < n; i += columns) {
            plan[i].x = *width;
            widest = fmax(widest, plan[i].width);
        }
        *width += widest;
    }
    for (size_t row = 0; row < n; row += columns) {
        double highest = 0, head = 0;
        for (size_t i = row; i < n && i < row + columns; i++) {
            plan[i].y = *height;
            highest = fmax(highest, plan[i].height);
            head = fmax(head, plan[i].head);
        }
        for (size_t i = row; i < n && i < row + columns; i++)
            plan[i].head = head;
        *height += highest;
    }
}

/* Legend and note that the panels have in common stand below them all. */
static void draw_page(spar__buf *svg, const spar__figure *figs, size_t n, size_t columns, layout *plan,
                      spar__legend *legend, const char *note)
{
    double width, height;
    place(plan, n, columns < n ? columns : n, &width, &height);
    spar__legend_fit(legend, width - 2 * GAP, legend->n);
    width = fmax(width, legend->width + 2 * GAP);
    double below = legend->n ? legend->height + GAP : 0;
    spar__svg_begin(svg, width, height + below + note_height(note, width), figs[0].title);
    for (size_t i = 0; i < n; i++)
        draw_figure(svg, &figs[i], &plan[i]);
    spar__legend_draw(svg, legend, (width - legend->width) / 2, height);
    draw_note(svg, note, 0, height + below, width);
    spar__svg_end(svg);
}

spar_status spar__plot_panels(const spar__figure *figs, size_t n, size_t columns, spar__buf *svg)
{
    if (n == 0 || columns == 0)
        return SPAR_INVALID;
    bool one_legend = n > 1, one_note = n > 1;
    for (size_t i = 0; i < n; i++) {
        if (!good_size(&figs[i]))
            return SPAR_INVALID;
        one_legend = one_legend && same_labels(&figs[0], &figs[i]);
        one_note = one_note && same_notes(&figs[0], &figs[i]);
    }
    spar_status status = SPAR_NOMEM;
    spar__legend common = {0};
    layout *plan = spar__alloc(n, sizeof *plan);
    if (!plan || (one_legend && collect_legend(&figs[0], &common)))
        goto fail;
    for (size_t i = 0; i < n; i++) {
        if (!one_legend && collect_legend(&figs[i], &plan[i].legend))
            goto fail;
        plan[i].note = one_note ? NULL : figs[i].band_note;
        lay_out(&figs[i], &plan[i]);
    }
    draw_page(svg, figs, n, columns, plan, &common, one_note ? figs[0].band_note : NULL);
    status = svg->failed ? SPAR_NOMEM : SPAR_OK;
fail:
    for (size_t i = 0; plan && i < n; i++)
        spar__free(plan[i].legend.entry);
    spar__free(plan);
    spar__free(common.entry);
    return status;
}

spar_status spar__plot_lines(const spar__figure *fig, spar__buf *svg)
{
    return spar__plot_panels(fig, 1, 1, svg);
}
