/* Arms with two features: maps of the mean and of the standard deviation for each snapshot, and at the right of the
 * first one map of the truth, with a scale of its own. The duels lie over the maps of beliefs as half discs, wins on
 * the left and losses on the right. For a page: maps of the mean alone, as wide as it is. */
#include "base/alloc.h"
#include "plot/belief.h"
#include "plot/heat.h"
#include "plot/mark.h"
#include "plot/svg.h"

#include <math.h>

static const double SIDE = 236, HEAD = 24, GAP = 12, BETWEEN = 22, EDGE = 14, AXIS = 58, SMALLEST = 3.6;

typedef struct page {
    const spar__beliefs *fig;
    spar__cells *cells; /* one per snapshot */
    size_t columns;     /* of the first row: 3, or 2 without a truth, or 1 */
    bool truth;
    size_t colors; /* 0: any number */
    spar__range x, y;
    spar__axis scale[3];            /* of each column */
    double most, largest;           /* duels of an arm, and the radius of their mark */
    double frame;                   /* half a side of the frame around the best arm */
    double side, head, left, width; /* of a map, above each row, beside the first column, in all */
} page;

enum { MEAN, SD, TRUTH, COLORS = 16 };

static const double *column_of(const spar__belief *belief, size_t column)
{
    return column == MEAN ? belief->mean : column == SD ? belief->sd : belief->truth;
}

/* Snapshots have the same scale; the truth, which need not be like what is believed, has its own. */
static void fit_scales(page *p)
{
    for (size_t column = 0; column < p->columns; column++) {
        spar__range range = SPAR__RANGE_EMPTY;
        for (size_t k = column == TRUTH ? p->fig->n - 1 : 0; k < p->fig->n; k++)
            for (size_t i = 0; i < p->fig->belief[k].n; i++)
                spar__range_add(&range, column_of(&p->fig->belief[k], column)[i]);
        spar__heat_scale(&p->scale[column], range, p->side);
    }
}

/* A mark fills its cell at most, and the frame around the best arm exactly; with tiny cells, or without a grid, they
 * may overlap others. */
static void size_marks(page *p)
{
    double half = p->side;
    for (size_t k = 0; k < p->fig->n; k++) {
        const spar__cells *cells = &p->cells[k];
        bool grid = cells->width > 0;
        double wide = cells->width / (p->x.hi - p->x.lo), high = cells->height / (p->y.hi - p->y.lo);
        half = fmin(half, grid ? 0.5 * p->side * fmin(wide, high) : 9);
    }
    p->frame = fmin(fmax(half, 6), 18);
    p->largest = fmin(fmax(0.85 * half, 5), 13);
}

static spar__plot_frame frame_at(const page *p, double x, double y)
{
    spar__plot_frame frame;
    spar__plot_frame_set(&frame, (spar__box){x, y, p->side, p->side}, p->x, false, p->y, false);
    spar__plot_frame_take_ticks(&frame, p->fig->belief[0].axis[0], p->fig->belief[0].axis[1]);
    frame.sparse = frame.covered = p->fig->width > 0;
    return frame;
}

static void lay_out_columns(page *p)
{
    bool narrow = p->fig->width > 0;
    p->truth = !narrow && spar__belief_has_truth(p->fig);
    p->columns = narrow ? 1 : p->truth ? 3 : 2;
    p->colors = narrow ? COLORS : 0;
    p->side = narrow ? 0.8 * p->fig->width : SIDE; /* about: it depends on the labels, which depend on it little */
    p->head = narrow ? 0 : HEAD;
    spar__plot_frame frame = frame_at(p, 0, 0);
    p->left = EDGE + 20 + spar__plot_frame_y_width(&frame) + 8;
    if (narrow)
        p->side = p->fig->width - p->left - EDGE - 14;
    p->width = p->left + (double)p->columns * (p->side + BETWEEN) - BETWEEN + EDGE + 14;
}

static void lay_out(page *p)
{
    const spar__beliefs *fig = p->fig;
    p->x = p->y = SPAR__RANGE_EMPTY;
    for (size_t k = 0; k < fig->n; k++) {
        spar__range_add(&p->x, p->cells[k].x.lo);
        spar__range_add(&p->x, p->cells[k].x.hi);
        spar__range_add(&p->y, p->cells[k].y.lo);
        spar__range_add(&p->y, p->cells[k].y.hi);
    }
    p->most = spar__belief_most(fig);
    lay_out_columns(p);
    size_marks(p);
    fit_scales(p);
}

static double left_of(const page *p, size_t column)
{
    return p->left + (double)column * (p->side + BETWEEN);
}

static void draw_duels(spar__buf *out, const page *p, const spar__plot_frame *frame, const spar__belief *belief)
{
    for (size_t i = 0; i < belief->n; i++) {
        double x = spar__axis_at(&frame->x, belief->x[2 * i]), y = spar__axis_at(&frame->y, belief->x[2 * i + 1]);
        double won = spar__mark_radius(belief->won[i], p->most, SMALLEST, p->largest);
        double lost = spar__mark_radius(belief->lost[i], p->most, SMALLEST, p->largest);
        if (won > 0)
            spar__mark_draw(out, SPAR__MARK_WON_HALF, x, y, won);
        if (lost > 0)
            spar__mark_draw(out, SPAR__MARK_LOST_HALF, x, y, lost);
    }
}

static void draw_map(spar__buf *out, const page *p, size_t row, size_t column, double top)
{
    const spar__beliefs *fig = p->fig;
    const spar__belief *belief = &fig->belief[row];
    bool truth = column == TRUTH, last = truth || row + 1 == fig->n;
    spar__plot_frame frame = frame_at(p, left_of(p, column), top);
    frame.outer = (spar__box){0, 0, p->width, 0};
    frame.bare_x = !last;
    frame.bare_y = column > 0;
    bool first = row == 0 && column == 0;
    spar__captions captions = {first ? fig->title : NULL, first ? fig->subtitle : NULL, last ? fig->feature[0] : NULL,
                               column ? NULL : fig->feature[1], p->width};
    spar__plot_frame_draw(out, &frame, &captions);
    spar__plot_frame_begin_panel(out, &frame, row);
    spar__plot_frame_begin_data(out, &frame, 0);
    spar__heat_draw(out, &frame, &p->cells[row], column_of(belief, column), &p->scale[column], p->colors);
    spar__plot_frame_end_data(out);
    spar__plot_frame_begin_data(out, &frame, EDGE); /* marks at the edge are not cut */
    size_t best = spar__belief_best(belief);
    if (best < belief->n)
        spar__mark_draw(out, SPAR__MARK_FRAME, spar__axis_at(&frame.x, belief->x[2 * best]),
                        spar__axis_at(&frame.y, belief->x[2 * best + 1]), p->frame);
    if (belief->chosen)
        spar__mark_draw(out, SPAR__MARK_FRAME, spar__axis_at(&frame.x, belief->chosen[0]),
                        spar__axis_at(&frame.y, belief->chosen[1]), p->frame);
    if (!truth)
        draw_duels(out, p, &frame, belief);
    spar__plot_frame_end_data(out);
    spar__plot_frame_end_panel(out);
}

/* The title of each map of a row. */
static void draw_heads(spar__buf *out, const page *p, size_t row, double y)
{
    spar__buf first = {0};
    const char *label = p->fig->belief[row].label;
    spar__buf_printf(&first, "%s%smean", label, *label ? ": " : "");
    spar__svg_text(out, left_of(p, MEAN), y, &spar__font_head, SPAR__START, first.failed ? "" : first.text);
    spar__svg_text(out, left_of(p, SD), y, &spar__font_head, SPAR__START, "standard deviation");
    out->failed = out->failed || first.failed;
    spar__buf_free(&first);
}

/* Once, beside the first snapshot; of the last one, which may have more arms. */
static void draw_truth(spar__buf *out, const page *p, double top)
{
    spar__svg_text(out, left_of(p, TRUTH), top - 8, &spar__font_head, SPAR__START, p->fig->truth);
    draw_map(out, p, p->fig->n - 1, TRUTH, top);
    spar__heat_bar(out, left_of(p, TRUTH), top + p->side + AXIS, &p->scale[TRUTH], p->colors, p->fig->truth);
}

static void draw_page(spar__buf *out, const page *p)
{
    const spar__beliefs *fig = p->fig;
    spar__belief_foot foot = {.note = p->most > 0 ? "the area of a mark is the number of duels" : NULL};
    if (p->most > 0) {
        spar__belief_foot_add(&foot, (spar__legend_entry){"duels won", 0, false, SPAR__MARK_WON_HALF});
        spar__belief_foot_add(&foot, (spar__legend_entry){"duels lost", 0, false, SPAR__MARK_LOST_HALF});
    }
    if (p->truth)
        spar__belief_foot_add(&foot, (spar__legend_entry){"best arm", 0, false, SPAR__MARK_FRAME});
    if (spar__belief_has_chosen(fig))
        spar__belief_foot_add(&foot, (spar__legend_entry){fig->chosen, 0, false, SPAR__MARK_FRAME});
    spar__belief_foot_fit(&foot, p->width - p->left - EDGE);
    spar__captions captions = {fig->title, fig->subtitle, NULL, NULL, p->width};
    double top = EDGE + spar__captions_height(&captions), row = p->head + p->side + GAP;
    double bars = top + (double)fig->n * row - GAP + AXIS, below = bars + spar__heat_bar_height() + 14;
    spar__belief_begin(fig, p->width, below + foot.height, out);
    for (size_t k = 0; k < fig->n; k++) {
        double at = top + (double)k * row + p->head;
        if (p->columns > SD)
            draw_heads(out, p, k, at - 8);
        for (size_t column = MEAN; column <= SD && column < p->columns; column++)
            draw_map(out, p, k, column, at);
    }
    spar__heat_bar(out, left_of(p, MEAN), bars, &p->scale[MEAN], p->colors, fig->value);
    if (p->columns > SD)
        spar__heat_bar(out, left_of(p, SD), bars, &p->scale[SD], p->colors, "standard deviation");
    if (p->truth)
        draw_truth(out, p, top + p->head);
    spar__belief_foot_draw(out, &foot, p->left, below);
    spar__svg_end(out);
}

spar_status spar__belief_maps(const spar__beliefs *fig, spar__buf *svg)
{
    page p = {.fig = fig, .cells = spar__alloc(fig->n, sizeof *p.cells)};
    spar_status status = p.cells ? SPAR_OK : SPAR_NOMEM;
    for (size_t k = 0; !status && k < fig->n; k++)
        status = spar__cells_make(fig->belief[k].n, fig->belief[k].x, &p.cells[k]);
    if (!status) {
        lay_out(&p);
        draw_page(svg, &p);
    }
    for (size_t k = 0; p.cells && k < fig->n; k++)
        spar__cells_free(&p.cells[k]);
    spar__free(p.cells);
    return status;
}
