/* With K = phi phi^T along an axis of p points, phi p x r, and w of standard normals: phi w is a draw on the axis, and
 * phi w phi^T, w now r x r, one on the square of two such axes, because the kernel is a product over the axes. r is
 * about 20 for a length of 0.2, whatever p is. */
#include "env/gp_draw.h"

#include "base/alloc.h"
#include "num/linear.h"
#include "sampler/sampler.h"

enum { MOST_NUMBERS = 50000000, MOST_RANK = 1000 }; /* of the basis, 0.4 GB */

static spar_status factor(spar__gp_draw *draw, double length, const double *x)
{
    size_t p = draw->points, most = MOST_NUMBERS / p < MOST_RANK ? MOST_NUMBERS / p : MOST_RANK;
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 1};
    spar_status status = spar__basis_make(&kernel, p, x, 1e-14, most, &draw->basis);
    if (status)
        return status;
    draw->columns = spar__basis_columns(&draw->basis);
    return draw->columns ? SPAR_OK : SPAR_NOMEM;
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
    spar__basis_free(&draw->basis);
    spar__free(draw->columns);
    *draw = (spar__gp_draw){0};
}

spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out)
{
    size_t p = draw->points, r = draw->basis.r, rows = draw->dim == 1 ? 1 : r;
    double *w = spar__alloc(rows, r * sizeof *w), *half = spar__alloc(rows, p * sizeof *half);
    spar_status status = w && half ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__normal_batch(rng, rows * r, w);
        spar__product(rows, p, r, w, r, draw->columns, p, draw->dim == 1 ? out : half, p);
        if (draw->dim == 2)
            spar__product(p, p, r, draw->basis.phi, r, half, p, out, p);
    }
    spar__free(w);
    spar__free(half);
    return status;
}
