/* Lines with bands. A figure is laid out first (how large is its legend, where does it stand), then drawn; panels are
 * figures laid out side by side. */
#include "base/alloc.h"
#include "plot/figure.h"
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

static double note_height(const char *note, double width)
{
    if (!spar__svg_has(note))
        return 0;
    size_t lines = spar__svg_paragraph(NULL, 0, 0, &spar__font_note, width - 2 * GAP, note);
    return (double)lines * spar__svg_line_height(&spar__font_note) + 8;
}

static void draw_note(spar__buf *out, const char *note, double x, double y, double width)
{
    if (spar__svg_has(note))
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
        plan->beside = !fig->legend_below && legend->width <= 0.34 * plan->width && legend->height <= free_height;
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

static void draw_figure(spar__buf *out, const spar__figure *fig, const layout *plan)
{
    double x = plan->x, y = plan->y;
    spar__range range_x, range_y;
    spar__captions captions = captions_of(fig);
    spar__frame frame;
    spar__figure_ranges(fig, &range_x, &range_y);
    spar__frame_fit(&frame, (spar__box){x, y, plan->frame_width, plan->frame_height}, plan->head, &captions, range_x,
                    fig->log_x, range_y, fig->log_y);
    spar__frame_draw(out, &frame, &captions);
    spar__figure_curves(out, &frame, fig);
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

static bool same_notes(const spar__figure *a, const spar__figure *b)
{
    return spar__svg_has(a->band_note) && spar__svg_has(b->band_note) && strcmp(a->band_note, b->band_note) == 0;
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
    bool one_note = n > 1;
    for (size_t i = 0; i < n; i++) {
        if (!good_size(&figs[i]))
            return SPAR_INVALID;
        one_note = one_note && same_notes(&figs[0], &figs[i]);
    }
    const spar__figure *tells_all = n > 1 ? spar__figure_of_all(figs, n) : NULL;
    spar_status status = SPAR_NOMEM;
    spar__legend common = {0};
    layout *plan = spar__alloc(n, sizeof *plan);
    if (!plan || (tells_all && spar__figure_legend(tells_all, &common)))
        goto fail;
    for (size_t i = 0; i < n; i++) {
        if (!tells_all && spar__figure_legend(&figs[i], &plan[i].legend))
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
