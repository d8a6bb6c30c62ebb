/* heat.c - heat maps: the plane divided among points, and the cells drawn in the colours of a scale.
 *
 * Points that form a grid get its rectangles; others the regions nearest to each, on a raster of 180 x 180 fields,
 * where the search for the nearest goes outwards from a sorted coordinate. */
#include "plot/heat.h"

#include "base/alloc.h"
#include "base/order.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- cells --- */

enum { RASTER = 180 }; /* fields of the raster each way; also used for a finer grid */

/* One coordinate of the points: its distinct values, ascending, and the edges between their cells. */
typedef struct ruler {
    size_t n;
    double *value;
    double *edge; /* n + 1 */
} ruler;

static spar_status make_ruler(size_t n, const double *xy, size_t axis, ruler *out)
{
    out->value = spar__alloc(n, sizeof *out->value);
    out->edge = spar__alloc(n + 1, sizeof *out->edge);
    if (!out->value || !out->edge)
        return SPAR_NOMEM;
    double *value = out->value, *edge = out->edge;
    for (size_t i = 0; i < n; i++)
        value[i] = xy[2 * i + axis];
    size_t kept = spar__distinct(n, value);
    for (size_t i = 1; i < kept; i++)
        edge[i] = value[i - 1] + (value[i] - value[i - 1]) / 2;
    edge[0] = kept > 1 ? value[0] - (edge[1] - value[0]) : value[0] - 0.5;
    edge[kept] = kept > 1 ? value[kept - 1] + (value[kept - 1] - edge[kept - 1]) : value[0] + 0.5;
    out->n = kept;
    return SPAR_OK;
}

static size_t place_of(const ruler *r, double value)
{
    size_t lo = 0, hi = r->n;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (r->value[middle] <= value)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

static double narrowest(const ruler *r)
{
    double width = r->edge[1] - r->edge[0];
    for (size_t i = 1; i < r->n; i++)
        width = fmin(width, r->edge[i + 1] - r->edge[i]);
    return width;
}

/* A cell for each crossing of the rulers; false when one has no point. */
static bool fill_grid(size_t n, const double *xy, const ruler *x, const ruler *y, spar__cells *out)
{
    memset(out->cell, 0, x->n * y->n * sizeof *out->cell);
    for (size_t p = n; p-- > 0;) { /* so that the first of equal points stays */
        size_t i = place_of(x, xy[2 * p]), j = place_of(y, xy[2 * p + 1]);
        out->cell[j * x->n + i] =
            (spar__tile){{x->edge[i], y->edge[j], x->edge[i + 1] - x->edge[i], y->edge[j + 1] - y->edge[j]}, p};
    }
    for (size_t k = 0; k < x->n * y->n; k++)
        if (!(out->cell[k].box.width > 0))
            return false;
    out->n = x->n * y->n;
    out->width = narrowest(x);
    out->height = narrowest(y);
    return true;
}

/* A point with coordinates scaled to the area, so that distances are those on the page. */
typedef struct site {
    double x, y;
    size_t point;
} site;

static int by_x(const void *a, const void *b)
{
    const site *s = a, *t = b;
    if (s->x != t->x)
        return s->x < t->x ? -1 : 1;
    return (s->point > t->point) - (s->point < t->point);
}

static bool nearer(const site *s, double x, double y, double *best, size_t *point)
{
    double distance = (s->x - x) * (s->x - x) + (s->y - y) * (s->y - y);
    if (distance < *best || (distance == *best && s->point < *point)) {
        *best = distance;
        *point = s->point;
    }
    return (s->x - x) * (s->x - x) <= *best; /* may a site further on in x be nearer? */
}

/* Outwards from where x would stand among the sites, until they are too far in x alone. */
static size_t nearest(size_t n, const site *sites, double x, double y)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (sites[middle].x < x)
            lo = middle + 1;
        else
            hi = middle;
    }
    double best = HUGE_VAL;
    size_t point = 0, down = lo;
    while (down > 0 && nearer(&sites[down - 1], x, y, &best, &point))
        down--;
    while (lo < n && nearer(&sites[lo], x, y, &best, &point))
        lo++;
    return point;
}

static spar_status make_raster(size_t n, const double *xy, spar__cells *out)
{
    site *sites = spar__alloc(n, sizeof *sites);
    if (!sites)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++)
        sites[i] = (site){(xy[2 * i] - out->x.lo) / (out->x.hi - out->x.lo),
                          (xy[2 * i + 1] - out->y.lo) / (out->y.hi - out->y.lo), i};
    qsort(sites, n, sizeof *sites, by_x);
    out->n = 0;
    /* Neighbouring fields of a row that belong to one point are one cell. */
    double wide = (out->x.hi - out->x.lo) / RASTER, high = (out->y.hi - out->y.lo) / RASTER;
    for (size_t j = 0; j < RASTER; j++) {
        for (size_t i = 0; i < RASTER; i++) {
            size_t point = nearest(n, sites, ((double)i + 0.5) / RASTER, ((double)j + 0.5) / RASTER);
            if (i > 0 && out->cell[out->n - 1].point == point)
                out->cell[out->n - 1].box.width += wide;
            else
                out->cell[out->n++] =
                    (spar__tile){{out->x.lo + (double)i * wide, out->y.lo + (double)j * high, wide, high}, point};
        }
    }
    spar__free(sites);
    return SPAR_OK;
}

/* With a margin around points that form no grid. */
static spar__range around(const ruler *r)
{
    double lo = r->value[0], hi = r->value[r->n - 1], room = r->n > 1 ? 0.05 * (hi - lo) : 0.5;
    return (spar__range){lo - room, hi + room};
}

spar_status spar__cells_make(size_t n, const double *xy, spar__cells *out)
{
    *out = (spar__cells){0};
    ruler x = {0}, y = {0};
    spar_status status = make_ruler(n, xy, 0, &x);
    if (!status)
        status = make_ruler(n, xy, 1, &y);
    if (status)
        goto end;
    bool fine = x.n > RASTER || y.n > RASTER, maybe = !fine && x.n * y.n <= n;
    out->cell = spar__alloc(RASTER * RASTER, sizeof *out->cell); /* a coarser grid has fewer */
    status = out->cell ? SPAR_OK : SPAR_NOMEM;
    if (status)
        goto end;
    out->x = (spar__range){x.edge[0], x.edge[x.n]};
    out->y = (spar__range){y.edge[0], y.edge[y.n]};
    if (maybe && fill_grid(n, xy, &x, &y, out))
        goto end;
    out->x = around(&x);
    out->y = around(&y);
    status = make_raster(n, xy, out);
end:
    spar__free(x.value);
    spar__free(x.edge);
    spar__free(y.value);
    spar__free(y.edge);
    if (status)
        spar__cells_free(out);
    return status;
}

void spar__cells_free(spar__cells *cells)
{
    spar__free(cells->cell);
    *cells = (spar__cells){0};
}

/* --- colours --- */

enum { STEPS = 128 }; /* of a smooth bar */

static const double THICK = 11;
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

/* Which of so many colours, the lowest first; the number of them where nothing is known. */
static size_t color_of(const spar__axis *scale, double value, size_t colors)
{
    double share = share_of(scale, value);
    if (isnan(share))
        return colors;
    size_t color = (size_t)(fmin(fmax(share, 0), 1) * (double)colors);
    return color < colors ? color : colors - 1;
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
        /* A rectangle from one cell to another of its row, at whole px: there it needs no overlap. */
        const spar__box *from = &cell[first].box, *to = &cell[i].box;
        double left = round(spar__axis_at(&frame->x, from->x));
        double right = round(spar__axis_at(&frame->x, to->x + to->width));
        double top = round(spar__axis_at(&frame->y, from->y + from->height));
        double bottom = round(spar__axis_at(&frame->y, from->y));
        spar__buf_printf(out, "M%.0f %.0fh%.0fv%.0fh%.0fz", left, top, right - left, bottom - top, left - right);
    }
    spar__buf_adds(out, "\"/>\n");
}

void spar__heat_draw(spar__buf *out, const spar__plot_frame *frame, const spar__cells *cells, const double *value,
                     const spar__axis *scale, size_t colors)
{
    spar__buf_adds(out, "<g shape-rendering=\"crispEdges\">\n");
    for (size_t color = 0; colors && color <= colors; color++)
        draw_color(out, frame, cells, value, scale, color, colors);
    for (size_t i = 0; !colors && i < cells->n; i++) {
        const spar__box *box = &cells->cell[i].box;
        double left = spar__axis_at(&frame->x, box->x), right = spar__axis_at(&frame->x, box->x + box->width);
        double top = spar__axis_at(&frame->y, box->y + box->height), bottom = spar__axis_at(&frame->y, box->y);
        char attributes[32];
        fill(attributes, share_of(scale, value[cells->cell[i].point]));
        spar__svg_rect(out, left, top - OVERLAP, right - left + OVERLAP, bottom - top + OVERLAP, attributes);
    }
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
