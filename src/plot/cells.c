#include "plot/cells.h"

#include "base/alloc.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Neighbouring fields of a row that belong to one point are one cell. */
static void fill_raster(size_t n, const site *sites, spar__cells *out)
{
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
    fill_raster(n, sites, out);
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
