/* belief.c - plots of a belief about arms with one or two features, one row per snapshot, all with the same axes and
 * scales. With one feature, lines: the mean, two standard deviations around it as a band, the truth dashed, and the
 * duels as marks, a win at 1, a loss at 0. With two, maps of the mean and of the standard deviation for each snapshot,
 * and at the right of the first one map of the truth, with a scale of its own; the duels lie over the maps of beliefs
 * as half discs, wins on the left and losses on the right. For a page: maps of the mean alone, as wide as it is. */

#include "base/alloc.h"
#include "base/order.h"
#include "plot/heat.h"
#include "plot/line_plot.h"
#include "plot/plot.h"
#include "plot/svg.h"

#include <math.h>

static const double GAP = 12, EDGE = 14;

/* --- what both kinds need --- */

double spar__belief_most(const spar__beliefs *fig)
{
    double most = 0;
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++)
            most = fmax(most, fmax(fig->belief[k].won[i], fig->belief[k].lost[i]));
    return most;
}

static bool has_chosen(const spar__beliefs *fig)
{
    for (size_t k = 0; k < fig->n; k++)
        if (fig->belief[k].chosen)
            return true;
    return false;
}

bool spar__belief_has_truth(const spar__beliefs *fig)
{
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++)
            if (isfinite(fig->belief[k].truth[i]))
                return true;
    return false;
}

/* Where the highest of the values is that are known; n: none is. */
static size_t highest(size_t n, const double *value)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i]) && (best == n || value[i] > value[best]))
            best = i;
    return best;
}

size_t spar__belief_best(const spar__belief *belief)
{
    return highest(belief->n, belief->truth);
}

static void add_place(const spar__beliefs *fig, const spar__belief *belief, size_t arm, spar__buf *out)
{
    for (size_t d = 0; d < fig->dim; d++) {
        spar__buf_adds(out, d ? ", " : "");
        spar__svg_value(out, belief->x[fig->dim * arm + d]);
    }
}

/* Begins the page: its name, and in words where the belief is highest in each snapshot. */
static void begin_page(const spar__beliefs *fig, double width, double height, spar__buf *out)
{
    spar__buf words = {0};
    spar__buf_adds(&words, fig->words ? fig->words : "What is believed of each arm.");
    for (size_t k = 0; !fig->words && k < fig->n; k++) {
        const spar__belief *belief = &fig->belief[k];
        size_t high = highest(belief->n, belief->mean), best = spar__belief_best(belief);
        spar__buf_printf(&words, " %s: %zu arms", belief->label, belief->n);
        if (high < belief->n) {
            spar__buf_adds(&words, ", the highest mean ");
            spar__svg_value(&words, belief->mean[high]);
            spar__buf_adds(&words, " at ");
            add_place(fig, belief, high, &words);
        }
        if (best < belief->n) {
            spar__buf_adds(&words, ", the best arm at ");
            add_place(fig, belief, best, &words);
        }
        spar__buf_adds(&words, ".");
    }
    spar__svg_begin(out, width, height, fig->name ? fig->name : fig->title, words.failed ? NULL : words.text);
    out->failed |= words.failed;
    spar__buf_free(&words);
}

void spar__belief_foot_add(spar__belief_foot *foot, spar__legend_entry entry)
{
    foot->entry[foot->legend.n++] = entry;
}

void spar__belief_foot_fit(spar__belief_foot *foot, double width)
{
    foot->legend.entry = foot->entry;
    spar__legend_fit(&foot->legend, width, foot->legend.n);
    foot->height = foot->legend.height + (foot->note ? 22 : 0) + 14;
}

void spar__belief_foot_draw(spar__buf *out, const spar__belief_foot *foot, double x, double y)
{
    spar__legend_draw(out, &foot->legend, x, y);
    if (foot->note)
        spar__svg_text(out, x, y + foot->legend.height + 16, &spar__font_note, SPAR__START, foot->note);
}

/* --- one feature: lines --- */

static const double WIDTH = 820, HEIGHT = 190, LINE_HEAD = 22, LABELS = 18, LINE_SMALLEST = 2.2, LARGEST = 8;

enum { BEST = 28 }; /* in the palette: grey and dotted */

/* One of mean and truth is solid and blue; the other is dashed: an orange truth, or a black mean. */
static size_t mean_style(const spar__beliefs *fig)
{
    return fig->dashed ? 16 : 0;
}

static size_t truth_style(const spar__beliefs *fig)
{
    return fig->dashed ? 0 : 11;
}

/* A snapshot in the order of the feature. */
typedef struct curve {
    double *x, *mean, *lo, *hi, *truth;
} curve;

static spar_status sort_curve(const spar__belief *belief, curve *out)
{
    size_t n = belief->n;
    spar__ranked *order = spar__alloc(n, sizeof *order);
    out->x = spar__alloc(5 * n, sizeof *out->x);
    if (!order || !out->x) {
        spar__free(order);
        return SPAR_NOMEM;
    }
    out->mean = out->x + n;
    out->lo = out->mean + n;
    out->hi = out->lo + n;
    out->truth = out->hi + n;
    for (size_t i = 0; i < n; i++)
        order[i] = (spar__ranked){belief->x[i], i};
    spar__rank(n, order);
    for (size_t i = 0; i < n; i++) {
        size_t arm = order[i].index;
        out->x[i] = order[i].value;
        out->mean[i] = belief->mean[arm];
        out->lo[i] = belief->mean[arm] - 2 * belief->sd[arm];
        out->hi[i] = belief->mean[arm] + 2 * belief->sd[arm];
        out->truth[i] = belief->truth[arm];
    }
    spar__free(order);
    return SPAR_OK;
}

static void draw_upright(spar__buf *out, const spar__plot_frame *frame, double value)
{
    spar__style style = spar__palette(BEST);
    double x = spar__axis_at(&frame->x, value);
    spar__legend_begin_part(out, (spar__legend_entry){.style = BEST});
    spar__buf_printf(out, "<g stroke=\"%s\" stroke-width=\"1.4\" stroke-dasharray=\"%s\">\n", style.color, style.dash);
    spar__svg_line(out, x, 0, x, frame->plot.height, "");
    spar__buf_adds(out, "</g>\n");
    spar__svg_end_group(out);
}

/* A bar and a dot for each arm: nothing is between them. */
static void draw_apart(spar__buf *out, const spar__plot_frame *frame, size_t n, const curve *c, const char *color)
{
    spar__buf_printf(out, "<g stroke=\"%s\" stroke-width=\"9\" stroke-opacity=\"0.25\">\n", color);
    for (size_t i = 0; i < n; i++) {
        double x = spar__axis_at(&frame->x, c->x[i]);
        spar__svg_line(out, x, spar__axis_at(&frame->y, c->lo[i]), x, spar__axis_at(&frame->y, c->hi[i]), "");
    }
    spar__buf_printf(out, "</g>\n<g fill=\"%s\">\n", color);
    for (size_t i = 0; i < n; i++)
        spar__svg_circle(out, spar__axis_at(&frame->x, c->x[i]), spar__axis_at(&frame->y, c->mean[i]), 4, "");
    spar__buf_adds(out, "</g>\n");
}

static void draw_row(spar__buf *out, const spar__plot_frame *frame, const spar__beliefs *fig, size_t k, const curve *c)
{
    const spar__belief *belief = &fig->belief[k];
    spar__series mean = {.n = belief->n, .x = c->x, .y = c->mean, .lo = c->lo, .hi = c->hi};
    spar__series truth = {.n = belief->n, .x = c->x, .y = c->truth};
    const spar__legend_entry mean_entry = {.style = mean_style(fig)}, truth_entry = {.style = truth_style(fig)};
    spar__style style = spar__palette(mean_style(fig));
    double most = spar__belief_most(fig);
    spar__plot_frame_begin_panel(out, frame, k);
    spar__plot_frame_begin_data(out, frame, 0);
    spar__legend_begin_part(out, mean_entry);
    if (!belief->apart)
        spar__curve_band(out, frame, &mean, style.color, "0.18");
    spar__svg_end_group(out);
    size_t best = spar__belief_best(belief);
    if (best < belief->n)
        draw_upright(out, frame, belief->x[best]);
    if (belief->chosen)
        draw_upright(out, frame, belief->chosen[0]);
    spar__legend_begin_part(out, truth_entry);
    spar__curve_line(out, frame, &truth, spar__palette(truth_style(fig)), "1.8");
    spar__svg_end_group(out);
    spar__legend_begin_part(out, mean_entry);
    if (belief->apart)
        draw_apart(out, frame, belief->n, c, style.color);
    else
        spar__curve_line(out, frame, &mean, style, "1.8");
    spar__svg_end_group(out);
    for (size_t lost = 0; lost < 2; lost++) {
        const double *duels = lost ? belief->lost : belief->won;
        spar__mark mark = lost ? SPAR__MARK_LOST : SPAR__MARK_WON;
        spar__legend_begin_part(out, (spar__legend_entry){.mark = mark});
        for (size_t i = 0; i < belief->n; i++) {
            double radius = spar__mark_radius(duels[i], most, LINE_SMALLEST, LARGEST);
            if (radius > 0)
                spar__mark_draw(out, mark, spar__axis_at(&frame->x, belief->x[i]),
                                spar__axis_at(&frame->y, lost ? 0 : 1), radius);
        }
        spar__svg_end_group(out);
    }
    spar__svg_end(out);
    spar__svg_end_group(out);
}

/* Where everything is. */
typedef struct line_page {
    spar__range x, y;
    double width, left, wide, top, row, below;
    bool labels; /* every row has its own below it */
} line_page;

static line_page lay_out_lines(const spar__beliefs *fig, const curve *curves)
{
    line_page p = {.width = fig->width > 0 ? fig->width : WIDTH};
    spar__plot_frame frame;
    spar__captions captions = {fig->title, fig->subtitle, NULL, fig->value, p.width};
    for (size_t k = 0; k < fig->n; k++)
        p.labels |= fig->belief[k].axis[0] != NULL;
    p.x = SPAR__RANGE_EMPTY;
    p.y = (spar__range){0, 1}; /* where the duels are */
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++) {
            spar__range_add(&p.x, curves[k].x[i]);
            spar__range_add(&p.y, curves[k].lo[i]);
            spar__range_add(&p.y, curves[k].hi[i]);
            spar__range_add(&p.y, curves[k].truth[i]);
        }
    double room = p.x.hi > p.x.lo ? 0.02 * (p.x.hi - p.x.lo) : 0.5;
    p.x = (spar__range){p.x.lo - room, p.x.hi + room};
    double air = 0.06 * (p.y.hi - p.y.lo); /* for the marks */
    p.y = (spar__range){p.y.lo - air, p.y.hi + air};
    spar__plot_frame_set(&frame, (spar__box){0, 0, p.width, HEIGHT}, p.x, false, p.y, false);
    p.left = EDGE + 20 + spar__plot_frame_y_width(&frame) + 8;
    p.wide = p.width - p.left - EDGE - 10;
    p.top = EDGE + spar__captions_height(&captions);
    p.row = LINE_HEAD + HEIGHT + GAP + (p.labels ? LABELS : 0);
    p.below = p.top + (double)fig->n * p.row + 40 - (p.labels ? LABELS : 0);
    return p;
}

static spar_status plot_lines(const spar__beliefs *fig, spar__buf *svg)
{
    curve *curves = spar__alloc(fig->n, sizeof *curves);
    spar_status status = curves ? SPAR_OK : SPAR_NOMEM;
    for (size_t k = 0; !status && k < fig->n; k++)
        status = sort_curve(&fig->belief[k], &curves[k]);
    if (!status) {
        line_page p = lay_out_lines(fig, curves);
        double most = spar__belief_most(fig);
        spar__belief_foot foot = {.note = most > 0 ? "the area of a mark is the number of duels" : NULL};
        const char *band = fig->band ? fig->band : "belief: mean and \xC2\xB1 2 sd";
        spar__belief_foot_add(&foot, (spar__legend_entry){band, mean_style(fig), true, SPAR__MARK_LINE});
        if (spar__belief_has_truth(fig)) {
            spar__belief_foot_add(&foot, (spar__legend_entry){fig->truth, truth_style(fig), false, SPAR__MARK_LINE});
            spar__belief_foot_add(&foot, (spar__legend_entry){"best arm", BEST, false, SPAR__MARK_LINE});
        }
        if (has_chosen(fig))
            spar__belief_foot_add(&foot, (spar__legend_entry){fig->chosen, BEST, false, SPAR__MARK_LINE});
        if (most > 0) {
            spar__belief_foot_add(&foot, (spar__legend_entry){"duels won", 0, false, SPAR__MARK_WON});
            spar__belief_foot_add(&foot, (spar__legend_entry){"duels lost", 0, false, SPAR__MARK_LOST});
        }
        spar__belief_foot_fit(&foot, p.wide);
        begin_page(fig, p.width, p.below + foot.height, svg);
        for (size_t k = 0; k < fig->n; k++) {
            spar__plot_frame frame;
            double at = p.top + (double)k * p.row;
            bool last = k + 1 == fig->n;
            spar__plot_frame_set(&frame, (spar__box){p.left, at + LINE_HEAD, p.wide, HEIGHT}, p.x, false, p.y, false);
            spar__plot_frame_take_ticks(&frame, fig->belief[k].axis[0], NULL);
            frame.outer = (spar__box){0, 0, p.width, p.below};
            frame.bare_x = !last && !p.labels;
            frame.sparse = fig->width > 0;
            spar__captions captions = {k ? NULL : fig->title, k ? NULL : fig->subtitle, last ? fig->feature[0] : NULL,
                                       fig->value, p.width};
            spar__plot_frame_draw(svg, &frame, &captions);
            spar__svg_text(svg, p.left, at + LINE_HEAD - 7, &spar__font_head, SPAR__START, fig->belief[k].label);
            draw_row(svg, &frame, fig, k, &curves[k]);
        }
        spar__belief_foot_draw(svg, &foot, p.left, p.below);
        spar__svg_end(svg);
    }
    for (size_t k = 0; curves && k < fig->n; k++)
        spar__free(curves[k].x);
    spar__free(curves);
    return status;
}

/* --- two features: maps --- */

static const double SIDE = 236, MAP_HEAD = 24, BETWEEN = 22, AXIS = 58, MAP_SMALLEST = 3.6;

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

static spar__plot_frame frame_at(const page *p, double x, double y)
{
    spar__plot_frame frame;
    spar__plot_frame_set(&frame, (spar__box){x, y, p->side, p->side}, p->x, false, p->y, false);
    spar__plot_frame_take_ticks(&frame, p->fig->belief[0].axis[0], p->fig->belief[0].axis[1]);
    frame.sparse = frame.covered = p->fig->width > 0;
    return frame;
}

static void lay_out_maps(page *p)
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
    bool narrow = p->fig->width > 0;
    p->truth = !narrow && spar__belief_has_truth(p->fig);
    p->columns = narrow ? 1 : p->truth ? 3 : 2;
    p->colors = narrow ? COLORS : 0;
    p->side = narrow ? 0.8 * p->fig->width : SIDE; /* about: it depends on the labels, which depend on it little */
    p->head = narrow ? 0 : MAP_HEAD;
    spar__plot_frame frame = frame_at(p, 0, 0);
    p->left = EDGE + 20 + spar__plot_frame_y_width(&frame) + 8;
    if (narrow)
        p->side = p->fig->width - p->left - EDGE - 14;
    p->width = p->left + (double)p->columns * (p->side + BETWEEN) - BETWEEN + EDGE + 14;
    /* A mark fills its cell at most, and the frame around the best arm exactly; with tiny cells, or without a grid,
     * they may overlap others. */
    double half = p->side;
    for (size_t k = 0; k < p->fig->n; k++) {
        const spar__cells *cells = &p->cells[k];
        bool grid = cells->width > 0;
        double wide = cells->width / (p->x.hi - p->x.lo), high = cells->height / (p->y.hi - p->y.lo);
        half = fmin(half, grid ? 0.5 * p->side * fmin(wide, high) : 9);
    }
    p->frame = fmin(fmax(half, 6), 18);
    p->largest = fmin(fmax(0.85 * half, 5), 13);
    /* Snapshots have the same scale; the truth, which need not be like what is believed, has its own. */
    for (size_t column = 0; column < p->columns; column++) {
        spar__range range = SPAR__RANGE_EMPTY;
        for (size_t k = column == TRUTH ? p->fig->n - 1 : 0; k < p->fig->n; k++)
            for (size_t i = 0; i < p->fig->belief[k].n; i++)
                spar__range_add(&range, column_of(&p->fig->belief[k], column)[i]);
        spar__heat_scale(&p->scale[column], range, p->side);
    }
}

static double left_of(const page *p, size_t column)
{
    return p->left + (double)column * (p->side + BETWEEN);
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
    spar__svg_end(out);
    spar__plot_frame_begin_data(out, &frame, EDGE); /* marks at the edge are not cut */
    size_t best = spar__belief_best(belief);
    if (best < belief->n)
        spar__mark_draw(out, SPAR__MARK_FRAME, spar__axis_at(&frame.x, belief->x[2 * best]),
                        spar__axis_at(&frame.y, belief->x[2 * best + 1]), p->frame);
    if (belief->chosen)
        spar__mark_draw(out, SPAR__MARK_FRAME, spar__axis_at(&frame.x, belief->chosen[0]),
                        spar__axis_at(&frame.y, belief->chosen[1]), p->frame);
    for (size_t i = 0; !truth && i < belief->n; i++) {
        double x = spar__axis_at(&frame.x, belief->x[2 * i]), y = spar__axis_at(&frame.y, belief->x[2 * i + 1]);
        double won = spar__mark_radius(belief->won[i], p->most, MAP_SMALLEST, p->largest);
        double lost = spar__mark_radius(belief->lost[i], p->most, MAP_SMALLEST, p->largest);
        if (won > 0)
            spar__mark_draw(out, SPAR__MARK_WON_HALF, x, y, won);
        if (lost > 0)
            spar__mark_draw(out, SPAR__MARK_LOST_HALF, x, y, lost);
    }
    spar__svg_end(out);
    spar__svg_end_group(out);
}

static void draw_map_page(spar__buf *out, const page *p)
{
    const spar__beliefs *fig = p->fig;
    spar__belief_foot foot = {.note = p->most > 0 ? "the area of a mark is the number of duels" : NULL};
    if (p->most > 0) {
        spar__belief_foot_add(&foot, (spar__legend_entry){"duels won", 0, false, SPAR__MARK_WON_HALF});
        spar__belief_foot_add(&foot, (spar__legend_entry){"duels lost", 0, false, SPAR__MARK_LOST_HALF});
    }
    if (p->truth)
        spar__belief_foot_add(&foot, (spar__legend_entry){"best arm", 0, false, SPAR__MARK_FRAME});
    if (has_chosen(fig))
        spar__belief_foot_add(&foot, (spar__legend_entry){fig->chosen, 0, false, SPAR__MARK_FRAME});
    spar__belief_foot_fit(&foot, p->width - p->left - EDGE);
    spar__captions captions = {fig->title, fig->subtitle, NULL, NULL, p->width};
    double top = EDGE + spar__captions_height(&captions), row = p->head + p->side + GAP;
    double bars = top + (double)fig->n * row - GAP + AXIS, below = bars + SPAR__HEAT_BAR_HEIGHT + 14;
    begin_page(fig, p->width, below + foot.height, out);
    for (size_t k = 0; k < fig->n; k++) {
        double at = top + (double)k * row + p->head;
        if (p->columns > SD) {
            spar__buf first = {0};
            const char *label = fig->belief[k].label;
            spar__buf_printf(&first, "%s%smean", label, *label ? ": " : "");
            spar__svg_text(out, left_of(p, MEAN), at - 8, &spar__font_head, SPAR__START,
                           first.failed ? "" : first.text);
            spar__svg_text(out, left_of(p, SD), at - 8, &spar__font_head, SPAR__START, "standard deviation");
            out->failed |= first.failed;
            spar__buf_free(&first);
        }
        for (size_t column = MEAN; column <= SD && column < p->columns; column++)
            draw_map(out, p, k, column, at);
    }
    spar__heat_bar(out, left_of(p, MEAN), bars, &p->scale[MEAN], p->colors, fig->value);
    if (p->columns > SD)
        spar__heat_bar(out, left_of(p, SD), bars, &p->scale[SD], p->colors, "standard deviation");
    if (p->truth) { /* once, beside the first snapshot; of the last one, which may have more arms */
        double x = left_of(p, TRUTH), y = top + p->head;
        spar__svg_text(out, x, y - 8, &spar__font_head, SPAR__START, fig->truth);
        draw_map(out, p, fig->n - 1, TRUTH, y);
        spar__heat_bar(out, x, y + p->side + AXIS, &p->scale[TRUTH], p->colors, fig->truth);
    }
    spar__belief_foot_draw(out, &foot, p->left, below);
    spar__svg_end(out);
}

static spar_status plot_maps(const spar__beliefs *fig, spar__buf *svg)
{
    page p = {.fig = fig, .cells = spar__alloc(fig->n, sizeof *p.cells)};
    spar_status status = p.cells ? SPAR_OK : SPAR_NOMEM;
    for (size_t k = 0; !status && k < fig->n; k++)
        status = spar__cells_make(fig->belief[k].n, fig->belief[k].x, &p.cells[k]);
    if (!status) {
        lay_out_maps(&p);
        draw_map_page(svg, &p);
    }
    for (size_t k = 0; p.cells && k < fig->n; k++)
        spar__cells_free(&p.cells[k]);
    spar__free(p.cells);
    return status;
}

spar_status spar__plot_beliefs(const spar__beliefs *fig, spar__buf *svg)
{
    if (fig->n == 0 || fig->dim < 1 || fig->dim > 2)
        return SPAR_INVALID;
    for (size_t k = 0; k < fig->n; k++)
        if (fig->belief[k].n == 0)
            return SPAR_INVALID;
    spar_status status = fig->dim == 1 ? plot_lines(fig, svg) : plot_maps(fig, svg);
    return status ? status : svg->failed ? SPAR_NOMEM : SPAR_OK;
}
