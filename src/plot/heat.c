#include "plot/heat.h"

#include "plot/ramp.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 128 }; /* of a smooth bar */

static const double THICK = 11, ROOM = 48;
static const double OVERLAP = 0.5; /* with the cells to the right and above, so that there is no seam */

void spar__heat_scale(spar__axis *scale, spar__range range, double length)
{
    spar__axis_fit(scale, range, false, false, length > 300 ? 6 : 4);
    spar__axis_crop(scale, range);
    scale->from = 0;
    scale->to = length;
}

static double share_of(const spar__axis *scale, double value)
{
    return (value - scale->lo) / (scale->hi - scale->lo);
}

static void fill(char attributes[32], double share)
{
    char color[SPAR__RAMP_SIZE];
    spar__ramp(share, color);
    (void)snprintf(attributes, 32, " fill=\"%s\"", color);
}

static void draw_cells(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                       const spar__axis *scale)
{
    char attributes[32];
    for (size_t i = 0; i < cells->n; i++) {
        const spar__tile *cell = &cells->cell[i];
        double left = spar__axis_at(&frame->x, cell->box.x);
        double right = spar__axis_at(&frame->x, cell->box.x + cell->box.width);
        double top = spar__axis_at(&frame->y, cell->box.y + cell->box.height);
        double bottom = spar__axis_at(&frame->y, cell->box.y);
        fill(attributes, share_of(scale, value[cell->point]));
        spar__svg_rect(out, left, top - OVERLAP, right - left + OVERLAP, bottom - top + OVERLAP, attributes);
    }
}

/* Which of so many colours, the lowest first; the number of them where nothing is known. */
static size_t color_of(const spar__axis *scale, double value, size_t colors)
{
    double share = share_of(scale, value);
    if (isnan(share))
        return colors;
    size_t color = (size_t)(fmin(fmax(share, 0), 1) * (double)colors);
    return color < colors ? color : colors - 1;
}

/* A rectangle from one cell to another of its row, at whole px: there it needs no overlap. */
static void add_run(spar__buf *out, const spar__plot_frame *frame, const spar__tile *from, const spar__tile *to)
{
    double left = round(spar__axis_at(&frame->x, from->box.x));
    double right = round(spar__axis_at(&frame->x, to->box.x + to->box.width));
    double top = round(spar__axis_at(&frame->y, from->box.y + from->box.height));
    double bottom = round(spar__axis_at(&frame->y, from->box.y));
    spar__buf_printf(out, "M%.0f %.0fh%.0fv%.0fh%.0fz", left, top, right - left, bottom - top, left - right);
}

/* All cells of a colour are one path: a tenth of the bytes. */
static void draw_color(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                       const spar__axis *scale, size_t color, size_t colors)
{
    char attributes[32];
    const spar__tile *cell = cells->cell;
    fill(attributes, color < colors ? ((double)color + 0.5) / (double)colors : NAN);
    spar__buf_printf(out, "<path%s d=\"", attributes);
    for (size_t i = 0; i < cells->n; i++) {
        size_t first = i;
        if (color_of(scale, value[cell[i].point], colors) != color)
            continue;
        while (i + 1 < cells->n && cell[i + 1].box.y == cell[first].box.y &&
               color_of(scale, value[cell[i + 1].point], colors) == color)
            i++;
        add_run(out, frame, &cell[first], &cell[i]);
    }
    spar__buf_adds(out, "\"/>\n");
}

void spar__heat_draw(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                     const spar__axis *scale, size_t colors)
{
    spar__buf_adds(out, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t color = 0; colors && color <= colors; color++)
        draw_color(out, frame, cells, value, scale, color, colors);
    if (!colors)
        draw_cells(out, frame, cells, value, scale);
    spar__buf_adds(out, "</g>\n");
}

void spar__heat_bar(spar__buf *out, double x, double y, const spar__axis *scale, size_t colors, const char *label)
{
    char attributes[32];
    size_t steps = colors ? colors : STEPS;
    double each = scale->to / (double)steps;
    spar__buf_adds(out, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t i = 0; i < steps; i++) { /* each to the end of the bar, the next one over it */
        fill(attributes, ((double)i + 0.5) / (double)steps);
        spar__svg_rect(out, x + (double)i * each, y, scale->to - (double)i * each, THICK, attributes);
    }
    spar__buf_adds(out, "</g>\n");
    for (size_t i = 0; i < scale->n; i++) {
        const spar__tick *tick = &scale->tick[i];
        double at = x + spar__axis_at(scale, tick->value);
        spar__svg_line(out, at, y + THICK, at, y + THICK + (tick->major ? 5 : 3), " stroke=\"#444\"");
        if (tick->major)
            spar__svg_text_power(out, at, y + THICK + 17, &spar__font_tick, SPAR__MIDDLE, tick->label, tick->power);
    }
    spar__svg_text(out, x + scale->to / 2, y + THICK + 34, &spar__font_label, SPAR__MIDDLE, label);
}

double spar__heat_bar_height(void)
{
    return ROOM;
}
