#include "plot/grid.h"

#include "base/alloc.h"
#include "plot/ends.h"
#include "plot/svg.h"

#include <math.h>

static const double EDGE = 14, GAP = 14, BETWEEN = 22, HEAD = 20;

enum { MOST = 64 };

/* Where everything is on the page. */
typedef struct grid_layout {
    spar__captions captions;
    spar__range x, y[MOST]; /* of all, of each row */
    double left, top;       /* of the first panel's plot */
    double wide, high;      /* of each panel's plot */
    double right, below;    /* of the last one's */
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

static void find_ranges(const spar__grid *grid, grid_layout *layout)
{
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

static double widest_labels(const spar__grid *grid, const grid_layout *layout)
{
    double widest = 0;
    for (size_t row = 0; row < grid->rows; row++) {
        spar__plot_frame frame = frame_of(grid, layout, row, 0);
        widest = fmax(widest, spar__plot_frame_y_width(&frame));
    }
    return widest;
}

static void lay_out(const spar__grid *grid, grid_layout *layout)
{
    double width = grid->width > 0 ? grid->width : 760;
    layout->captions = (spar__captions){.title = grid->title, .subtitle = grid->subtitle, .width = width};
    find_ranges(grid, layout);
    layout->high = grid->panel_height > 0 ? grid->panel_height : 150;
    layout->wide = 100; /* any: it does not change the width of the labels of y */
    layout->left = EDGE + (spar__svg_has(grid->y_label) ? 20 : 0) + 18 + widest_labels(grid, layout) + 8;
    spar__ends ends = {&layout->legend, false};
    layout->ends = spar__ends_fit(&ends, layout->high);
    layout->right =
        width - EDGE - (layout->ends ? spar__ends_width(&ends) : 16); /* where the last label of x extends */
    layout->top = EDGE + spar__captions_height(&layout->captions) + HEAD;
    layout->wide = fmax((layout->right - layout->left + BETWEEN) / (double)grid->columns - BETWEEN, 10);
    layout->below = row_top(layout, grid->rows - 1) + layout->high;
    spar__legend_fit(&layout->legend, width - 2 * EDGE, layout->legend.n);
    layout->page = layout->below + 22 + (spar__svg_has(grid->x_label) ? 20 : 0) + EDGE + layout->legend.height +
                   (layout->legend.n ? EDGE : 0) + spar__figure_note_height(grid->note, width);
}

static void draw_heads(spar__buf *out, const spar__grid *grid, const grid_layout *layout)
{
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
    spar__figure_curves(out, &frame, &grid->panel[place], layout->legend.among);
    spar__plot_frame_end_panel(out);
    if (layout->ends && column + 1 == grid->columns && grid->panel[place].n_series)
        spar__ends_draw(out, &(spar__ends){&layout->legend, false}, &frame, &grid->panel[place]);
}

/* The page in words: its rows, columns and lines; the numbers would be too many. */
static void begin_page(spar__buf *out, const spar__grid *grid, const grid_layout *layout)
{
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
}

static void draw_page(spar__buf *out, const spar__grid *grid, const grid_layout *layout)
{
    double width = layout->captions.width, below = layout->page - spar__figure_note_height(grid->note, width);
    begin_page(out, grid, layout);
    for (size_t row = 0; row < grid->rows; row++)
        for (size_t column = 0; column < grid->columns; column++)
            draw_panel(out, grid, layout, row, column);
    draw_heads(out, grid, layout);
    if (layout->legend.n)
        spar__legend_draw(out, &layout->legend, (width - layout->legend.width) / 2,
                          below - EDGE - layout->legend.height);
    if (spar__svg_has(grid->note))
        (void)spar__svg_paragraph(out, EDGE, below + 4, &spar__font_note, width - 2 * EDGE, grid->note);
    spar__svg_end(out);
}

static bool is_valid(const spar__grid *grid)
{
    return grid->rows > 0 && grid->columns > 0 && grid->rows <= MOST && grid->columns <= MOST && grid->width >= 0 &&
           grid->width <= 20000 && grid->panel_height >= 0 && grid->panel_height <= 20000;
}

spar_status spar__plot_grid(const spar__grid *grid, spar__buf *svg)
{
    if (!is_valid(grid))
        return SPAR_INVALID;
    const spar__figure *complete = spar__figure_complete(grid->panel, grid->rows * grid->columns);
    grid_layout *layout = spar__alloc(1, sizeof *layout);
    spar_status status = layout ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status = spar__figure_legend(complete ? complete : grid->panel, &layout->legend);
    if (!status) {
        lay_out(grid, layout);
        draw_page(svg, grid, layout);
        status = svg->failed ? SPAR_NOMEM : SPAR_OK;
    }
    if (layout)
        spar__free(layout->legend.entry);
    spar__free(layout);
    return status;
}
