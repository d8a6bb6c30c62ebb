#include "plot/curve.h"

#include "plot/svg.h"

#include <math.h>
#include <stdio.h>

static const double CLOSE = 0.3; /* points nearer than this, in px, are drawn as one */

bool spar__curve_visible(const spar__series *series, bool log_x, size_t i)
{
    return isfinite(series->x[i]) && isfinite(series->y[i]) && (!log_x || series->x[i] > 0);
}

bool spar__curve_band_visible(const spar__series *series, bool log_x, size_t i)
{
    return series->lo && series->hi && spar__curve_visible(series, log_x, i) && isfinite(series->lo[i]) &&
           isfinite(series->hi[i]);
}

/* A path that leaves out points closer than CLOSE to the last. */
typedef struct pen {
    spar__buf *out;
    size_t points;
    double x, y;
} pen;

static void draw_to(pen *p, double x, double y, bool must)
{
    if (p->points > 0 && !must && fabs(x - p->x) < CLOSE && fabs(y - p->y) < CLOSE)
        return;
    spar__buf_adds(p->out, p->points++ ? "L" : "M");
    spar__svg_pair(p->out, x, y);
    p->x = x;
    p->y = y;
}

/* The points from first to the next gap, which is returned; a single point is a dot. */
static size_t draw_run(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, size_t first,
                       spar__style style)
{
    size_t end = first;
    while (end < series->n && spar__curve_visible(series, frame->x.log, end))
        end++;
    char fill[64];
    (void)snprintf(fill, sizeof fill, " stroke=\"none\" fill=\"%s\"", style.color);
    for (size_t i = first; i < end && (series->dots || end - first == 1); i++)
        spar__svg_circle(out, spar__axis_at(&frame->x, series->x[i]), spar__axis_at(&frame->y, series->y[i]), 3, fill);
    if (end - first > 1) {
        pen p = {.out = out};
        spar__buf_adds(out, "<path d=\"");
        for (size_t i = first; i < end; i++)
            draw_to(&p, spar__axis_at(&frame->x, series->x[i]), spar__axis_at(&frame->y, series->y[i]), i + 1 == end);
        spar__buf_adds(out, "\"/>\n");
    }
    return end;
}

void spar__curve_line(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, spar__style style,
                      const char *width)
{
    spar__buf_printf(out, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\"", style.color,
                     width);
    if (*style.dash)
        spar__buf_printf(out, " stroke-dasharray=\"%s\"", style.dash);
    spar__buf_adds(out, ">\n");
    for (size_t i = 0; i < series->n; i++)
        i = draw_run(out, frame, series, i, style);
    spar__buf_adds(out, "</g>\n");
}

/* Along the upper edge and back along the lower one; a single point becomes a vertical bar. */
static size_t draw_band_run(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, size_t first)
{
    size_t end = first;
    while (end < series->n && spar__curve_band_visible(series, frame->x.log, end))
        end++;
    if (end == first)
        return end;
    double shift = end - first == 1 ? 3 : 0;
    pen p = {.out = out};
    spar__buf_adds(out, "<path d=\"");
    for (size_t i = first; i < end; i++)
        draw_to(&p, spar__axis_at(&frame->x, series->x[i]) - shift, spar__axis_at(&frame->y, series->hi[i]),
                i + 1 == end);
    if (shift > 0)
        draw_to(&p, p.x + 2 * shift, p.y, true);
    for (size_t i = end; i-- > first;)
        draw_to(&p, spar__axis_at(&frame->x, series->x[i]) + shift, spar__axis_at(&frame->y, series->lo[i]),
                i + 1 == end || i == first);
    if (shift > 0)
        draw_to(&p, p.x - 2 * shift, p.y, true);
    spar__buf_adds(out, "Z\"/>\n");
    return end;
}

void spar__curve_band(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, const char *color,
                      const char *opacity)
{
    if (!series->lo || !series->hi)
        return;
    spar__buf_printf(out, "<g fill=\"%s\" fill-opacity=\"%s\" stroke=\"none\">\n", color, opacity);
    for (size_t i = 0; i < series->n; i++)
        i = draw_band_run(out, frame, series, i);
    spar__buf_adds(out, "</g>\n");
}
