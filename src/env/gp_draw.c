/* With K = phi phi^T along an axis of p points, phi p x r, and w of standard normals: phi w is a draw on the axis, and
 * phi w phi^T, w now r x r, one on the square of two such axes, because the kernel is a product over the axes. r is
 * about 20 for a length of 0.2, whatever p is. */
#include "env/gp_draw.h"

#include "base/alloc.h"
#include "num/basis.h"
#include "num/linear.h"
#include "sampler/sampler.h"

enum { MOST_NUMBERS = 50000000, MOST_RANK = 1000 }; /* in phi, 0.4 GB */

/* The basis by columns, which is what the products below want. */
static spar_status factor(spar__gp_draw *draw, double length, const double *x)
{
    size_t p = draw->points, most = MOST_NUMBERS / p < MOST_RANK ? MOST_NUMBERS / p : MOST_RANK;
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 1};
    spar__basis basis;
    spar_status status = spar__basis_make(&kernel, p, x, 1e-14, most, &basis);
    if (status)
        return status;
    draw->rank = basis.r;
    draw->phi = spar__alloc(basis.r, p * sizeof *draw->phi);
    for (size_t i = 0; draw->phi && i < p; i++)
        for (size_t j = 0; j < basis.r; j++)
            draw->phi[j * p + i] = basis.phi[i * basis.r + j];
    spar__basis_free(&basis);
    return draw->phi ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__gp_draw_init(spar__gp_draw *draw, size_t points, size_t dim, double length, spar_error *err)
{
    draw->points = points;
    draw->dim = dim;
    double *x = spar__alloc(points, sizeof *x);
    for (size_t i = 0; x && i < points; i++)
        x[i] = (double)i / (double)(points - 1);
    spar_status status = x ? factor(draw, length, x) : SPAR_NOMEM;
    spar__free(x);
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

spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out)
{
    const double *phi = draw->phi;
    size_t p = draw->points, r = draw->rank, rows = draw->dim == 1 ? 1 : r;
    double *w = spar__alloc(rows, r * sizeof *w), *half = spar__alloc(rows, p * sizeof *half);
    double *left = spar__alloc(p, r * sizeof *left);
    spar_status status = w && half && left ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__normal_batch(rng, rows * r, w);
        spar__product(rows, p, r, w, r, phi, p, draw->dim == 1 ? out : half, p);
        for (size_t i = 0; i < p; i++)
            for (size_t k = 0; k < r; k++)
                left[i * r + k] = phi[k * p + i];
        if (draw->dim == 2)
            spar__product(p, p, r, left, r, half, p, out, p);
    }
    spar__free(w);
    spar__free(half);
    spar__free(left);
    return status;
}
