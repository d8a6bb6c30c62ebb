/* With K = phi phi^T along an axis of p points, phi p x r, and w of standard normals: phi w is a draw on the axis, and
 * phi w phi^T, w now r x r, one on the square of two such axes, because the kernel is a product over the axes. Smooth
 * functions have small r: about 20 for a length of 0.2, whatever p is. */
#include "env/gp_draw.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>

static const size_t MOST_NUMBERS = 50000000; /* in phi, 0.4 GB */
static const size_t MOST_RANK = 1000;

static double kernel(double x, double y, double length)
{
    return spar__exp(-0.5 * ((x - y) / length) * ((x - y) / length));
}

/* Cholesky's factor of the kernel's matrix, the point of largest variance left always next. */
static spar_status factor(spar__gp_draw *draw, size_t most, double length, double *left)
{
    size_t p = draw->points, r = 0, next = 0;
    double *phi = draw->basis.phi, step = (double)(p - 1);
    for (size_t i = 0; i < p; i++)
        left[i] = 1;
    for (; left[next] > 1e-14; r++) {
        if (r == most)
            return SPAR_UNSUPPORTED;
        double root = sqrt(left[next]);
        for (size_t i = 0; i < p; i++) {
            double sum = kernel((double)i / step, (double)next / step, length);
            for (size_t k = 0; k < r; k++)
                sum -= phi[i * most + k] * phi[next * most + k];
            phi[i * most + r] = left[i] > 0 ? sum / root : 0;
        }
        for (size_t i = 0; i < p; i++)
            left[i] = i == next ? 0 : fmax(left[i] - phi[i * most + r] * phi[i * most + r], 0);
        next = 0;
        for (size_t i = 1; i < p; i++)
            next = left[i] > left[next] ? i : next;
    }
    for (size_t i = 0; i < p; i++)
        for (size_t k = 0; k < r; k++)
            phi[i * r + k] = phi[i * most + k];
    draw->basis.n = p;
    draw->basis.r = r;
    return SPAR_OK;
}

spar_status spar__gp_draw_init(spar__gp_draw *draw, size_t points, size_t dim, double length, spar_error *err)
{
    draw->points = points;
    draw->dim = dim;
    size_t most = MOST_NUMBERS / points;
    most = most < MOST_RANK ? most : MOST_RANK;
    most = most < points ? most : points;
    double *left = spar__alloc(points, sizeof *left);
    draw->basis.phi = spar__alloc(points, most * sizeof(double));
    spar_status status = left && draw->basis.phi ? factor(draw, most, length, left) : SPAR_NOMEM;
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
    spar__free(draw->basis.phi);
}

/* out = a b^T: m x n numbers from m and n rows of r. */
static void products(size_t r, size_t m, const double *a, size_t n, const double *b, double *out)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < r; k++)
                sum += a[i * r + k] * b[j * r + k];
            out[i * n + j] = sum;
        }
}

spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out)
{
    const double *phi = draw->basis.phi;
    size_t p = draw->points, r = draw->basis.r, normals = draw->dim == 1 ? r : r * r;
    double *w = spar__alloc(normals, sizeof *w);
    double *half = draw->dim == 1 ? NULL : spar__alloc(p, r * sizeof *half);
    spar_status status = w && (half || draw->dim == 1) ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        spar__normal_batch(rng, normals, w);
    if (!status && half) {
        products(r, p, phi, r, w, half);
        products(r, p, half, p, phi, out);
    } else if (!status) {
        products(r, 1, w, p, phi, out);
    }
    spar__free(half);
    spar__free(w);
    return status;
}
