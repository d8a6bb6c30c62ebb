/* Arms with two features: maps of the mean, of the truth in the same colours, and of the standard deviation; the duels
 * lie over them as half discs, wins on the left and losses on the right. */
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
    size_t columns;     /* 3, or 2 without a truth */
    bool truth;
    spar__range x, y;
    spar__axis chance, sd; /* the scales */
    double most, largest;  /* duels of an arm, and the radius of their mark */
    double frame;          /* half a side of the frame around the best arm */
    double left, top, width;
} page;

static const double *column_of(const page *p, const spar__belief *belief, size_t column)
{
    if (column == 0)
        return belief->mean;
    return p->truth && column == 1 ? belief->truth : belief->sd;
}

static void find_ranges(const spar__beliefs *fig, spar__range *chance, spar__range *sd)
{
    *chance = *sd = SPAR__RANGE_EMPTY;
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++) {
            spar__range_add(chance, fig->belief[k].mean[i]);
            spar__range_add(chance, fig->belief[k].truth[i]);
            spar__range_add(sd, fig->belief[k].sd[i]);
        }
}

/* A mark fills its cell at most, and the frame around the best arm exactly; with tiny cells, or without a grid, they
 * may overlap others. */
static void size_marks(page *p)
{
    double half = SIDE;
    for (size_t k = 0; k < p->fig->n; k++) {
        const spar__cells *cells = &p->cells[k];
        bool grid = cells->width > 0;
        double wide = cells->width / (p->x.hi - p->x.lo), high = cells->height / (p->y.hi - p->y.lo);
        half = fmin(half, grid ? 0.5 * SIDE * fmin(wide, high) : 9);
    }
    p->frame = fmin(fmax(half, 6), 18);
    p->largest = fmin(fmax(0.85 * half, 5), 13);
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
    p->truth = spar__belief_has_truth(fig);
    p->columns = p->truth ? 3 : 2;
    p->most = spar__belief_most(fig);
    size_marks(p);
    spar__range chance, sd;
    find_ranges(fig, &chance, &sd);
    spar__heat_scale(&p->chance, chance, p->truth ? 2 * SIDE + BETWEEN : SIDE);
    spar__heat_scale(&p->sd, sd, SIDE);
    spar__plot_frame frame;
    spar__plot_frame_set(&frame, (spar__box){0, 0, SIDE, SIDE}, p->x, false, p->y, false);
    p->left = EDGE + 20 + spar__plot_frame_y_width(&frame) + 8;
    p->width = p->left + (double)p->columns * (SIDE + BETWEEN) - BETWEEN + EDGE + 14;
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
    bool last = row + 1 == fig->n, truth = p->truth && column == 1;
    spar__plot_frame frame;
    spar__plot_frame_set(&frame, (spar__box){p->left + (double)column * (SIDE + BETWEEN), top, SIDE, SIDE}, p->x, false,
                         p->y, false);
    frame.outer = (spar__box){0, 0, p->width, 0};
    frame.bare_x = !last;
    frame.bare_y = column > 0;
    bool first = row == 0 && column == 0;
    spar__captions captions = {first ? fig->title : NULL, first ? fig->subtitle : NULL, last ? fig->feature[0] : NULL,
                               column ? NULL : fig->feature[1], p->width};
    spar__plot_frame_draw(out, &frame, &captions);
    spar__plot_frame_begin_data(out, &frame, 0);
    bool sd = column + 1 == p->columns;
    spar__heat_draw(out, &frame, &p->cells[row], column_of(p, belief, column), sd ? &p->sd : &p->chance);
    spar__plot_frame_end_data(out);
    spar__plot_frame_begin_data(out, &frame, EDGE); /* marks at the edge are not cut */
    size_t best = spar__belief_best(belief);
    if (best < belief->n)
        spar__mark_draw(out, SPAR__MARK_FRAME, spar__axis_at(&frame.x, belief->x[2 * best]),
                        spar__axis_at(&frame.y, belief->x[2 * best + 1]), p->frame);
    if (!truth)
        draw_duels(out, p, &frame, belief);
    spar__plot_frame_end_data(out);
}

/* The title of each map of a row. */
static void draw_heads(spar__buf *out, const page *p, size_t row, double y)
{
    spar__buf first = {0};
    spar__buf_printf(&first, "%s: mean", p->fig->belief[row].label);
    const char *const heads[] = {first.failed ? "" : first.text, p->truth ? p->fig->truth : "standard deviation",
                                 "standard deviation"};
    for (size_t column = 0; column < p->columns; column++)
        spar__svg_text(out, p->left + (double)column * (SIDE + BETWEEN), y, &spar__font_head, SPAR__START,
                       heads[column]);
    out->failed = out->failed || first.failed;
    spar__buf_free(&first);
}

static void draw_page(spar__buf *out, const page *p)
{
    const spar__beliefs *fig = p->fig;
    spar__belief_foot foot = {.note = p->most > 0 ? "the area of a mark is the number of duels" : NULL};
    spar__belief_foot_add(&foot, (spar__legend_entry){"duels won", 0, false, SPAR__MARK_WON_HALF});
    spar__belief_foot_add(&foot, (spar__legend_entry){"duels lost", 0, false, SPAR__MARK_LOST_HALF});
    if (p->truth)
        spar__belief_foot_add(&foot, (spar__legend_entry){"best arm", 0, false, SPAR__MARK_FRAME});
    spar__belief_foot_fit(&foot, p->width - p->left - EDGE);
    spar__captions captions = {fig->title, fig->subtitle, NULL, NULL, p->width};
    double top = EDGE + spar__captions_height(&captions), row = HEAD + SIDE + GAP;
    double bars = top + (double)fig->n * row - GAP + AXIS, below = bars + spar__heat_bar_height() + 14;
    spar__svg_begin(out, p->width, below + foot.height, fig->title);
    for (size_t k = 0; k < fig->n; k++) {
        double at = top + (double)k * row + HEAD;
        draw_heads(out, p, k, at - 8);
        for (size_t column = 0; column < p->columns; column++)
            draw_map(out, p, k, column, at);
    }
    spar__heat_bar(out, p->left, bars, &p->chance, fig->value);
    spar__heat_bar(out, p->left + (double)(p->columns - 1) * (SIDE + BETWEEN), bars, &p->sd, "standard deviation");
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
