#include "plot/grid.h"

#include "base/alloc.h"
#include "plot/figure.h"
#include "plot/svg.h"

#include <math.h>

static const double EDGE = 14, GAP = 14, BETWEEN = 22, HEAD = 20;

enum { MOST = 64 };

/* Where everything goes. */
typedef struct layout {
    spar__captions captions;
    spar__range x, y[MOST]; /* of all, of each row */
    double left, top;       /* of the first panel's plot */
    double wide, high;      /* each panel's plot */
    double right, below;    /* of the last one's */
    spar__legend legend;
    double page; /* its height */
} layout;

static double down(const layout *plan, size_t row)
{
    return plan->top + (double)row * (plan->high + GAP);
}

static double across(const layout *plan, size_t column)
{
    return plan->left + (double)column * (plan->wide + BETWEEN);
}

/* A range as an axis would have it: with ends at ticks, never empty. */
static spar__range rounded(spar__range range, bool log, bool snap)
{
    spar__axis axis;
    spar__axis_fit(&axis, range, log, snap, 4);
    return (spar__range){axis.lo, axis.hi};
}

static void find_ranges(const spar__grid *grid, layout *plan)
{
    bool log_x = grid->panel->log_x, log_y = grid->panel->log_y;
    plan->x = SPAR__RANGE_EMPTY;
    for (size_t row = 0; row < grid->rows; row++) {
        plan->y[row] = SPAR__RANGE_EMPTY;
        for (size_t column = 0; column < grid->columns; column++) {
            spar__range x, y;
            spar__figure_ranges(&grid->panel[row * grid->columns + column], &x, &y);
            spar__range_add(&plan->x, x.lo);
            spar__range_add(&plan->x, x.hi);
            spar__range_add(&plan->y[row], y.lo);
            spar__range_add(&plan->y[row], y.hi);
        }
        plan->y[row] = rounded(plan->y[row], log_y, true);
    }
    plan->x = rounded(plan->x, log_x, false);
}

static spar__frame frame_of(const spar__grid *grid, const layout *plan, size_t row, size_t column)
{
    spar__frame frame;
    spar__box box = {across(plan, column), down(plan, row), plan->wide, plan->high};
    spar__frame_set(&frame, box, plan->x, grid->panel->log_x, plan->y[row], grid->panel->log_y);
    frame.bare_x = row + 1 < grid->rows;
    frame.bare_y = column > 0;
    return frame;
}

static double widest_labels(const spar__grid *grid, const layout *plan)
{
    double widest = 0;
    for (size_t row = 0; row < grid->rows; row++) {
        spar__frame frame = frame_of(grid, plan, row, 0);
        widest = fmax(widest, spar__frame_y_width(&frame));
    }
    return widest;
}

static double note_height(const spar__grid *grid, double width)
{
    if (!spar__svg_has(grid->note))
        return 0;
    size_t lines = spar__svg_paragraph(NULL, 0, 0, &spar__font_note, width - 2 * EDGE, grid->note);
    return (double)lines * spar__svg_line_height(&spar__font_note) + 8;
}

static void lay_out(const spar__grid *grid, layout *plan)
{
    double width = grid->width > 0 ? grid->width : 760;
    plan->captions = (spar__captions){.title = grid->title, .subtitle = grid->subtitle, .width = width};
    find_ranges(grid, plan);
    plan->high = grid->panel_height > 0 ? grid->panel_height : 150;
    plan->wide = 100; /* whatever it is, the labels of y are as wide */
    plan->left = EDGE + (spar__svg_has(grid->y_label) ? 20 : 0) + 18 + widest_labels(grid, plan) + 8;
    plan->right = width - EDGE - 16; /* the last label of x reaches over the end */
    plan->top = EDGE + spar__captions_height(&plan->captions) + HEAD;
    plan->wide = fmax((plan->right - plan->left + BETWEEN) / (double)grid->columns - BETWEEN, 10);
    plan->below = down(plan, grid->rows - 1) + plan->high;
    spar__legend_fit(&plan->legend, width - 2 * EDGE, plan->legend.n);
    plan->page = plan->below + 22 + (spar__svg_has(grid->x_label) ? 20 : 0) + EDGE + plan->legend.height +
                 (plan->legend.n ? EDGE : 0) + note_height(grid, width);
}

static void draw_heads(spar__buf *out, const spar__grid *grid, const layout *plan)
{
    double middle = (plan->top + plan->below) / 2, edge = EDGE + 10 + (spar__svg_has(grid->y_label) ? 20 : 0);
    if (spar__svg_has(grid->y_label))
        spar__svg_text_turned(out, EDGE + 8, middle, &spar__font_label, grid->y_label);
    if (spar__svg_has(grid->x_label))
        spar__svg_text(out, (plan->left + plan->right) / 2, plan->below + 38, &spar__font_label, SPAR__MIDDLE,
                       grid->x_label);
    for (size_t column = 0; column < grid->columns; column++)
        spar__svg_text(out, across(plan, column) + plan->wide / 2, plan->top - 8, &spar__font_head, SPAR__MIDDLE,
                       grid->column[column]);
    for (size_t row = 0; row < grid->rows; row++)
        spar__svg_text_turned(out, edge, down(plan, row) + plan->high / 2, &spar__font_head, grid->row[row]);
}

static void draw_page(spar__buf *out, const spar__grid *grid, const layout *plan)
{
    double width = plan->captions.width, below = plan->page - note_height(grid, width);
    spar__svg_begin(out, width, plan->page, grid->title);
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++) {
            const spar__figure *panel = &grid->panel[row * grid->columns + column];
            spar__frame frame = frame_of(grid, plan, row, column);
            frame.outer = (spar__box){0, 0, width, plan->page};
            spar__captions none = {.width = width};
            spar__frame_draw(out, &frame, row + column ? &none : &plan->captions);
            spar__figure_curves(out, &frame, panel);
        }
    draw_heads(out, grid, plan);
    if (plan->legend.n)
        spar__legend_draw(out, &plan->legend, (width - plan->legend.width) / 2, below - EDGE - plan->legend.height);
    if (spar__svg_has(grid->note))
        (void)spar__svg_paragraph(out, EDGE, below + 4, &spar__font_note, width - 2 * EDGE, grid->note);
    spar__svg_end(out);
}

static bool good(const spar__grid *grid)
{
    return grid->rows > 0 && grid->columns > 0 && grid->rows <= MOST && grid->columns <= MOST && grid->width >= 0 &&
           grid->width <= 20000 && grid->panel_height >= 0 && grid->panel_height <= 20000;
}

spar_status spar__plot_grid(const spar__grid *grid, spar__buf *svg)
{
    if (!good(grid))
        return SPAR_INVALID;
    const spar__figure *tells_all = spar__figure_of_all(grid->panel, grid->rows * grid->columns);
    layout *plan = spar__alloc(1, sizeof *plan);
    spar_status status = plan ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status = spar__figure_legend(tells_all ? tells_all : grid->panel, &plan->legend);
    if (!status) {
        lay_out(grid, plan);
        draw_page(svg, grid, plan);
        status = svg->failed ? SPAR_NOMEM : SPAR_OK;
    }
    if (plan)
        spar__free(plan->legend.entry);
    spar__free(plan);
    return status;
}
