/* Arms with one feature: the mean as a line, two standard deviations around it as a band, the truth as a dashed line,
 * and the duels as marks: a win at 1, a loss at 0. */
#include "base/alloc.h"
#include "base/order.h"
#include "plot/belief.h"
#include "plot/curve.h"
#include "plot/mark.h"
#include "plot/svg.h"

#include <math.h>

static const double WIDTH = 820, HEIGHT = 190, HEAD = 22, GAP = 12, EDGE = 14, LABELS = 18, SMALLEST = 2.2, LARGEST = 8;

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

static void find_ranges(const spar__beliefs *fig, const curve *curves, spar__range *x, spar__range *y)
{
    *x = SPAR__RANGE_EMPTY;
    *y = (spar__range){0, 1}; /* where the duels are */
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++) {
            spar__range_add(x, curves[k].x[i]);
            spar__range_add(y, curves[k].lo[i]);
            spar__range_add(y, curves[k].hi[i]);
            spar__range_add(y, curves[k].truth[i]);
        }
    double room = x->hi > x->lo ? 0.02 * (x->hi - x->lo) : 0.5;
    *x = (spar__range){x->lo - room, x->hi + room};
    double air = 0.06 * (y->hi - y->lo); /* for the marks */
    *y = (spar__range){y->lo - air, y->hi + air};
}

static void draw_duels(spar__buf *out, const spar__plot_frame *frame, const spar__belief *belief, double most)
{
    static const spar__mark marks[] = {SPAR__MARK_WON, SPAR__MARK_LOST};
    for (size_t k = 0; k < 2; k++) {
        const double *duels = k ? belief->lost : belief->won;
        spar__belief_begin_part(out, (spar__legend_entry){.mark = marks[k]});
        for (size_t i = 0; i < belief->n; i++) {
            double radius = spar__mark_radius(duels[i], most, SMALLEST, LARGEST);
            if (radius > 0)
                spar__mark_draw(out, marks[k], spar__axis_at(&frame->x, belief->x[i]),
                                spar__axis_at(&frame->y, k ? 0 : 1), radius);
        }
        spar__belief_end_part(out);
    }
}

static void draw_upright(spar__buf *out, const spar__plot_frame *frame, double value)
{
    spar__style style = spar__palette(BEST);
    double x = spar__axis_at(&frame->x, value);
    spar__belief_begin_part(out, (spar__legend_entry){.style = BEST});
    spar__buf_printf(out, "<g stroke=\"%s\" stroke-width=\"1.4\" stroke-dasharray=\"%s\">\n", style.color, style.dash);
    spar__svg_line(out, x, 0, x, frame->plot.height, "");
    spar__buf_adds(out, "</g>\n");
    spar__belief_end_part(out);
}

static void draw_best(spar__buf *out, const spar__plot_frame *frame, const spar__belief *belief)
{
    size_t best = spar__belief_best(belief);
    if (best < belief->n)
        draw_upright(out, frame, belief->x[best]);
    if (belief->chosen)
        draw_upright(out, frame, belief->chosen[0]);
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
    spar__plot_frame_begin_panel(out, frame, k);
    spar__plot_frame_begin_data(out, frame, 0);
    spar__belief_begin_part(out, mean_entry);
    if (!belief->apart)
        spar__curve_band(out, frame, &mean, style.color, "0.18");
    spar__belief_end_part(out);
    draw_best(out, frame, belief);
    spar__belief_begin_part(out, truth_entry);
    spar__curve_line(out, frame, &truth, spar__palette(truth_style(fig)), "1.8");
    spar__belief_end_part(out);
    spar__belief_begin_part(out, mean_entry);
    if (belief->apart)
        draw_apart(out, frame, belief->n, c, style.color);
    else
        spar__curve_line(out, frame, &mean, style, "1.8");
    spar__belief_end_part(out);
    draw_duels(out, frame, belief, spar__belief_most(fig));
    spar__plot_frame_end_data(out);
    spar__plot_frame_end_panel(out);
}

static spar__belief_foot make_foot(const spar__beliefs *fig)
{
    double most = spar__belief_most(fig);
    spar__belief_foot foot = {.note = most > 0 ? "the area of a mark is the number of duels" : NULL};
    const char *band = fig->band ? fig->band : "belief: mean and \xC2\xB1 2 sd";
    spar__belief_foot_add(&foot, (spar__legend_entry){band, mean_style(fig), true, SPAR__MARK_LINE});
    if (spar__belief_has_truth(fig)) {
        spar__belief_foot_add(&foot, (spar__legend_entry){fig->truth, truth_style(fig), false, SPAR__MARK_LINE});
        spar__belief_foot_add(&foot, (spar__legend_entry){"best arm", BEST, false, SPAR__MARK_LINE});
    }
    if (spar__belief_has_chosen(fig))
        spar__belief_foot_add(&foot, (spar__legend_entry){fig->chosen, BEST, false, SPAR__MARK_LINE});
    if (most > 0) {
        spar__belief_foot_add(&foot, (spar__legend_entry){"duels won", 0, false, SPAR__MARK_WON});
        spar__belief_foot_add(&foot, (spar__legend_entry){"duels lost", 0, false, SPAR__MARK_LOST});
    }
    return foot;
}

/* Where everything is. */
typedef struct line_page {
    spar__range x, y;
    double width, left, wide, top, row, below;
    bool labels; /* every row has its own below it */
} line_page;

static line_page lay_out(const spar__beliefs *fig, const curve *curves)
{
    line_page p = {.width = fig->width > 0 ? fig->width : WIDTH};
    spar__plot_frame frame;
    spar__captions captions = {fig->title, fig->subtitle, NULL, fig->value, p.width};
    for (size_t k = 0; k < fig->n; k++)
        p.labels |= fig->belief[k].axis[0] != NULL;
    find_ranges(fig, curves, &p.x, &p.y);
    spar__plot_frame_set(&frame, (spar__box){0, 0, p.width, HEIGHT}, p.x, false, p.y, false);
    p.left = EDGE + 20 + spar__plot_frame_y_width(&frame) + 8;
    p.wide = p.width - p.left - EDGE - 10;
    p.top = EDGE + spar__captions_height(&captions);
    p.row = HEAD + HEIGHT + GAP + (p.labels ? LABELS : 0);
    p.below = p.top + (double)fig->n * p.row + 40 - (p.labels ? LABELS : 0);
    return p;
}

static void draw_page(spar__buf *out, const spar__beliefs *fig, const curve *curves)
{
    line_page p = lay_out(fig, curves);
    spar__belief_foot foot = make_foot(fig);
    spar__belief_foot_fit(&foot, p.wide);
    spar__belief_begin(fig, p.width, p.below + foot.height, out);
    for (size_t k = 0; k < fig->n; k++) {
        spar__plot_frame frame;
        double at = p.top + (double)k * p.row;
        bool last = k + 1 == fig->n;
        spar__plot_frame_set(&frame, (spar__box){p.left, at + HEAD, p.wide, HEIGHT}, p.x, false, p.y, false);
        spar__plot_frame_take_ticks(&frame, fig->belief[k].axis[0], NULL);
        frame.outer = (spar__box){0, 0, p.width, p.below};
        frame.bare_x = !last && !p.labels;
        frame.sparse = fig->width > 0;
        spar__captions captions = {k ? NULL : fig->title, k ? NULL : fig->subtitle, last ? fig->feature[0] : NULL,
                                   fig->value, p.width};
        spar__plot_frame_draw(out, &frame, &captions);
        spar__svg_text(out, p.left, at + HEAD - 7, &spar__font_head, SPAR__START, fig->belief[k].label);
        draw_row(out, &frame, fig, k, &curves[k]);
    }
    spar__belief_foot_draw(out, &foot, p.left, p.below);
    spar__svg_end(out);
}

spar_status spar__belief_lines(const spar__beliefs *fig, spar__buf *svg)
{
    curve *curves = spar__alloc(fig->n, sizeof *curves);
    spar_status status = curves ? SPAR_OK : SPAR_NOMEM;
    for (size_t k = 0; !status && k < fig->n; k++)
        status = sort_curve(&fig->belief[k], &curves[k]);
    if (!status)
        draw_page(svg, fig, curves);
    for (size_t k = 0; curves && k < fig->n; k++)
        spar__free(curves[k].x);
    spar__free(curves);
    return status;
}
