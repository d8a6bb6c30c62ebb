/* With K = phi phi^T along an axis of p points, phi p x r, and w of standard normals: phi w is a draw on the axis, and
 * phi w phi^T, w now r x r, one on the square of two such axes, because the kernel is a product over the axes. phi is
 * Cholesky's factor with pivots, the point of the largest variance left always next, which smooth functions end early:
 * r is about 20 for a length of 0.2, whatever p is. The bases of num/basis.h are orthogonal, too, but made by LAPACK,
 * whose last bits differ between CPUs; and what a world is like may not. */
#include "env/gp_draw.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>

static const size_t MOST_NUMBERS = 50000000; /* in phi, 0.4 GB */
static const size_t MOST_RANK = 1000;
static const double LEFT_OUT = 1e-14; /* of the variance 1 of a point, at most */

static void add_multiple(size_t n, double factor, const double *x, double *sum)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += factor * x[i];
}

static spar_status reserve(spar__gp_draw *draw, size_t *capacity)
{
    if (draw->rank < *capacity)
        return SPAR_OK;
    size_t most = MOST_NUMBERS / draw->points, room = *capacity ? 2 * *capacity : 8;
    most = most < MOST_RANK ? most : MOST_RANK;
    room = room < most ? room : most;
    if (draw->rank >= room)
        return SPAR_UNSUPPORTED;
    double *phi = spar__realloc(draw->phi, *capacity, room, draw->points * sizeof *phi);
    if (!phi)
        return SPAR_NOMEM;
    draw->phi = phi;
    *capacity = room;
    return SPAR_OK;
}

/* The column of the point `next`: what the kernel says of it and the columns before it have not said. */
static void add_column(spar__gp_draw *draw, size_t next, double length, double root)
{
    size_t p = draw->points;
    double *column = draw->phi + draw->rank * p;
    for (size_t i = 0; i < p; i++) {
        double away = ((double)i - (double)next) / (double)(p - 1) / length;
        column[i] = -0.5 * away * away;
    }
    spar__vexp(column, column, p);
    for (size_t k = 0; k < draw->rank; k++)
        add_multiple(p, -draw->phi[k * p + next], draw->phi + k * p, column);
    for (size_t i = 0; i < p; i++)
        column[i] /= root;
    draw->rank++;
}

/* left: room for the variance of each point that is left. */
static spar_status factor(spar__gp_draw *draw, double length, double *left)
{
    size_t p = draw->points, next = 0, capacity = 0;
    for (size_t i = 0; i < p; i++)
        left[i] = 1;
    while (left[next] > LEFT_OUT) {
        spar_status status = reserve(draw, &capacity);
        if (status)
            return status;
        add_column(draw, next, length, sqrt(left[next]));
        const double *column = draw->phi + (draw->rank - 1) * p;
        for (size_t i = 0; i < p; i++)
            left[i] -= column[i] * column[i];
        left[next] = 0;
        for (size_t i = 0; i < p; i++)
            next = left[i] > left[next] ? i : next;
    }
    return SPAR_OK;
}

spar_status spar__gp_draw_init(spar__gp_draw *draw, size_t points, size_t dim, double length, spar_error *err)
{
    draw->points = points;
    draw->dim = dim;
    double *left = spar__alloc(points, sizeof *left);
    spar_status status = left ? factor(draw, length, left) : SPAR_NOMEM;
    spar__free(left);
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status)
        return spar__fail(err, status,
                          "function: length=%g with points=%zu is too rough a function to draw: take fewer points or a "
                          "greater length",
                          length, points);
    return SPAR_OK;
}

void spar__gp_draw_free(spar__gp_draw *draw)
{
    spar__free(draw->phi);
    *draw = (spar__gp_draw){0};
}

/* out = a b for a of m rows, whose number in place k of row i is a[i * row + k * place], and the r x p numbers of b. */
static void multiply(size_t m, size_t r, size_t p, const double *a, size_t row, size_t place, const double *b,
                     double *out)
{
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < p; j++)
            out[i * p + j] = 0;
        for (size_t k = 0; k < r; k++)
            add_multiple(p, a[i * row + k * place], b + k * p, out + i * p);
    }
}

spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out)
{
    const double *phi = draw->phi;
    size_t p = draw->points, r = draw->rank, rows = draw->dim == 1 ? 1 : r;
    double *w = spar__alloc(rows, r * sizeof *w), *half = spar__alloc(rows, p * sizeof *half);
    spar_status status = w && half ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__normal_batch(rng, rows * r, w);
        multiply(rows, r, p, w, r, 1, phi, draw->dim == 1 ? out : half);
        if (draw->dim == 2)
            multiply(p, r, p, phi, 1, p, half, out);
    }
    spar__free(w);
    spar__free(half);
    return status;
}
