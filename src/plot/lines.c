/* Lines with bands. A figure is laid out first (the size and place of its legend), then drawn; panels are figures laid
 * out side by side. */
#include "base/alloc.h"
#include "plot/figure.h"
#include "plot/svg.h"

#include <math.h>
#include <string.h>

static const double GAP = 14; /* between plot, legend and note */

typedef struct figure_layout {
    double x, y; /* its corner on the page */
    spar__legend legend;
    bool beside;          /* the legend stands at the right, otherwise below */
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
static void lay_out(const spar__figure *fig, figure_layout *layout)
{
    spar__captions captions = captions_of(fig);
    layout->width = layout->frame_width = width_of(fig);
    layout->height = layout->frame_height = height_of(fig);
    layout->head = spar__captions_height(&captions);
    spar__legend *legend = &layout->legend;
    if (legend->n > 0) {
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
    layout->height += spar__figure_note_height(layout->note, layout->width);
}

static void draw_figure(spar__buf *out, const spar__figure *fig, const figure_layout *layout)
{
    double x = layout->x, y = layout->y;
    spar__range range_x, range_y;
    spar__captions captions = captions_of(fig);
    spar__plot_frame frame;
    spar__figure_ranges(fig, &range_x, &range_y);
    spar__plot_frame_fit(&frame, (spar__box){x, y, layout->frame_width, layout->frame_height}, layout->head, &captions,
                         range_x, fig->log_x, range_y, fig->log_y);
    spar__plot_frame_draw(out, &frame, &captions);
    spar__figure_curves(out, &frame, fig);
    double below = y + layout->frame_height;
    if (layout->legend.n > 0 && layout->beside)
        spar__legend_draw(out, &layout->legend, x + layout->frame_width, frame.plot.y);
    else if (layout->legend.n > 0) {
        spar__legend_draw(out, &layout->legend, fmin(frame.plot.x, x + layout->width - GAP - layout->legend.width),
                          below);
        below += layout->legend.height + GAP;
    }
    draw_note(out, layout->note, x, below, layout->width);
}

static bool good_size(const spar__figure *fig)
{
    return fig->width >= 0 && fig->width <= 20000 && fig->height >= 0 && fig->height <= 20000;
}

static bool same_notes(const spar__figure *a, const spar__figure *b)
{
    return spar__svg_has(a->band_note) && spar__svg_has(b->band_note) && strcmp(a->band_note, b->band_note) == 0;
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
static void draw_page(spar__buf *svg, const spar__figure *figs, size_t n, size_t columns, figure_layout *layout,
                      spar__legend *legend, const char *note)
{
    double width, height;
    place(layout, n, columns < n ? columns : n, &width, &height);
    spar__legend_fit(legend, width - 2 * GAP, legend->n);
    width = fmax(width, legend->width + 2 * GAP);
    double below = legend->n ? legend->height + GAP : 0;
    spar__svg_begin(svg, width, height + below + spar__figure_note_height(note, width), figs[0].title);
    for (size_t i = 0; i < n; i++)
        draw_figure(svg, &figs[i], &layout[i]);
    spar__legend_draw(svg, legend, (width - legend->width) / 2, height);
    draw_note(svg, note, 0, height + below, width);
    spar__svg_end(svg);
}

spar_status spar__plot_panels(const spar__figure *figs, size_t n, size_t columns, spar__buf *svg)
{
    if (n == 0 || columns == 0)
        return SPAR_INVALID;
    bool one_note = n > 1;
    for (size_t i = 0; i < n; i++) {
        if (!good_size(&figs[i]))
            return SPAR_INVALID;
        one_note = one_note && same_notes(&figs[0], &figs[i]);
    }
    const spar__figure *complete = n > 1 ? spar__figure_complete(figs, n) : NULL;
    spar_status status = SPAR_NOMEM;
    spar__legend common = {0};
    figure_layout *layout = spar__alloc(n, sizeof *layout);
    if (!layout || (complete && spar__figure_legend(complete, &common)))
        goto fail;
    for (size_t i = 0; i < n; i++) {
        if (!complete && spar__figure_legend(&figs[i], &layout[i].legend))
            goto fail;
        layout[i].note = one_note ? NULL : figs[i].band_note;
        lay_out(&figs[i], &layout[i]);
    }
    draw_page(svg, figs, n, columns, layout, &common, one_note ? figs[0].band_note : NULL);
    status = svg->failed ? SPAR_NOMEM : SPAR_OK;
fail:
    for (size_t i = 0; layout && i < n; i++)
        spar__free(layout[i].legend.entry);
    spar__free(layout);
    spar__free(common.entry);
    return status;
}

spar_status spar__plot_lines(const spar__figure *fig, spar__buf *svg)
{
    return spar__plot_panels(fig, 1, 1, svg);
}
