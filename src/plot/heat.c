#include "plot/heat.h"

#include "plot/ramp.h"
#include "plot/svg.h"

#include <stdio.h>

enum { STEPS = 128 }; /* of the bar */

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

void spar__heat_draw(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                     const spar__axis *scale)
{
    char attributes[32];
    spar__buf_adds(out, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t i = 0; i < cells->n; i++) {
        const spar__tile *cell = &cells->cell[i];
        double left = spar__axis_at(&frame->x, cell->box.x);
        double right = spar__axis_at(&frame->x, cell->box.x + cell->box.width);
        double top = spar__axis_at(&frame->y, cell->box.y + cell->box.height);
        double bottom = spar__axis_at(&frame->y, cell->box.y);
        fill(attributes, share_of(scale, value[cell->point]));
        spar__svg_rect(out, left, top - OVERLAP, right - left + OVERLAP, bottom - top + OVERLAP, attributes);
    }
    spar__buf_adds(out, "</g>\n");
}

void spar__heat_bar(spar__buf *out, double x, double y, const spar__axis *scale, const char *label)
{
    char attributes[32];
    double each = scale->to / STEPS;
    spar__buf_adds(out, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t i = 0; i < STEPS; i++) { /* each to the end of the bar, the next one over it */
        fill(attributes, ((double)i + 0.5) / STEPS);
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
