/* Lines with bands. A figure is laid out first (the size and place of its legend), then drawn; panels are figures laid
 * out side by side. */
#include "base/alloc.h"
#include "plot/ends.h"
#include "plot/svg.h"

#include <math.h>
#include <string.h>

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

/* Have the labels room at the ends of the lines? */
static bool ends_fit(const spar__figure *fig, const spar__legend *legend)
{
    spar__ends ends = {legend, true};
    spar__captions captions = captions_of(fig);
    double high = height_of(fig) - spar__captions_height(&captions) - 60;
    return !fig->legend_below && spar__ends_fit(&ends, high) && spar__ends_width(&ends) <= 0.34 * width_of(fig);
}

/* The legend stands beside the plot if it takes a third of the width at most and is not higher; otherwise below. */
static void lay_out(const spar__figure *fig, figure_layout *layout)
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
    layout->height += spar__figure_note_height(layout->note, layout->width);
}

static void draw_legend(spar__buf *out, const spar__figure *fig, const figure_layout *layout,
                        const spar__plot_frame *frame)
{
    const spar__legend *legend = &layout->legend;
    double right = layout->x + layout->frame_width, most = layout->x + layout->width - GAP - legend->width;
    if (layout->ends)
        spar__ends_draw(out, &(spar__ends){legend, true}, frame, fig);
    else if (layout->beside)
        spar__legend_draw(out, legend, right, frame->plot.y);
    else
        spar__legend_draw(out, legend, fmin(frame->plot.x, most), layout->y + layout->frame_height);
}

/* Frame and curves; `table` is the number of the panel. */
static void draw_plot(spar__buf *out, const spar__figure *fig, const figure_layout *layout, size_t table,
                      spar__plot_frame *frame)
{
    spar__range x, y;
    double own[SPAR__OWN_TICKS];
    size_t n_own = spar__figure_own_x(fig, own);
    spar__captions captions = captions_of(fig);
    spar__figure_ranges(fig, &x, &y);
    spar__plot_frame_fit(frame, (spar__box){layout->x, layout->y, layout->frame_width, layout->frame_height},
                         layout->head, &captions, x, fig->log_x, layout->range_y, fig->log_y);
    if (n_own)
        spar__plot_frame_mark_x(frame, n_own, own);
    spar__plot_frame_draw(out, frame, &captions);
    spar__plot_frame_begin_panel(out, frame, table);
    spar__figure_curves(out, frame, fig, layout->legend.among);
    spar__plot_frame_end_panel(out);
}

static void draw_figure(spar__buf *out, const spar__figure *fig, const figure_layout *layout, size_t table)
{
    double x = layout->x, below = layout->y + layout->frame_height;
    spar__plot_frame frame;
    draw_plot(out, fig, layout, table, &frame);
    if (layout->legend.n > 0) {
        draw_legend(out, fig, layout, &frame);
        below += layout->ends || layout->beside ? 0 : layout->legend.height + GAP;
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

/* The page in words, for those who cannot see it. */
static void begin_page(spar__buf *svg, const char *name, const spar__figure *figs, size_t n, double width,
                       double height)
{
    spar__buf words = {0};
    for (size_t i = 0; i < n; i++) {
        spar__buf_adds(&words, i ? " " : "");
        spar__figure_words(&figs[i], &words);
    }
    spar__svg_begin(svg, width, height, name, words.failed ? NULL : words.text);
    svg->failed |= words.failed;
    spar__buf_free(&words);
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
    begin_page(svg, name, figs, n, width, height + below + spar__figure_note_height(note, width));
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
        ends = ends && ends_fit(&figs[i], &layout[i].legend);
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

static spar_status lay_out_all(const spar__figure *figs, size_t n, bool one_note, figure_layout *layout)
{
    spar__range *y = spar__alloc(n, sizeof *y);
    if (!y)
        return SPAR_NOMEM;
    spar__figure_share_y(figs, n, y);
    for (size_t i = 0; i < n; i++) {
        layout[i].range_y = y[i];
        layout[i].note = one_note ? NULL : figs[i].band_note;
        lay_out(&figs[i], &layout[i]);
    }
    spar__free(y);
    return SPAR_OK;
}

spar_status spar__plot_page(const char *name, const spar__figure *figs, size_t n, size_t columns, spar__buf *svg)
{
    if (n == 0 || columns == 0)
        return SPAR_INVALID;
    bool one_note = n > 1;
    for (size_t i = 0; i < n; i++) {
        if (!good_size(&figs[i]))
            return SPAR_INVALID;
        one_note = one_note && same_notes(&figs[0], &figs[i]);
    }
    spar__legend common = {0};
    figure_layout *layout = spar__alloc(n, sizeof *layout);
    spar_status status = layout ? make_legends(figs, n, layout, &common) : SPAR_NOMEM;
    if (!status)
        status = lay_out_all(figs, n, one_note, layout);
    if (!status) {
        draw_page(svg, name ? name : figs[0].title, figs, n, columns, layout, &common,
                  one_note ? figs[0].band_note : NULL);
        status = svg->failed ? SPAR_NOMEM : SPAR_OK;
    }
    for (size_t i = 0; layout && i < n; i++)
        spar__free(layout[i].legend.entry);
    spar__free(layout);
    spar__free(common.entry);
    return status;
}

spar_status spar__plot_panels(const spar__figure *figs, size_t n, size_t columns, spar__buf *svg)
{
    return spar__plot_page(NULL, figs, n, columns, svg);
}

spar_status spar__plot_lines(const spar__figure *fig, spar__buf *svg)
{
    return spar__plot_panels(fig, 1, 1, svg);
}
