/* Which backing serves.
 *
 * Kernels with a fast spectrum (se, linear) take the grid for points on a product grid with at least two features and
 * GRID points, where it is faster to build and to draw from, and else the basis. Rough ones (matern) need about as many
 * basis functions as there are points: from ROUGH points on they take Matheron's rule, which pays for the points played
 * only. If the first choice cannot serve, the next one is tried. Measured with length 0.2 at 2.8 GHz, microseconds of a
 * round of 4 draws and 4 points learned, and of asking for all moments:
 *
 *     se              30 on a line    1000 on a line    8 x 8      30 x 30        100 x 100      1000 x 1000
 *     dense           9 + 0.5         3600 + 10         90 + 0.7   32000 + 12     -              -
 *     basis           3 + 3           10 + 70           8 + 25     270 + 5000     6500 + 80000   -
 *     grid            3 + 3           10 + 90           6 + 25     85 + 2600      135 + 6000     450 + 180000
 *
 * and milliseconds of a round, on average over the rounds said:
 *
 *     matern32                              30 x 30     44 x 44     64 x 64
 *     basis                                 2.7         13          -
 *     matheron, 200, 100 and 100 rounds     1.3         7           49
 *
 *     product_matern32                      30 x 30     44 x 44     300 x 300      1000 x 1000
 *     basis, grid                           2.8         6.9         -              -
 *     matheron, 200, 100, 50 and 20 rounds  0.2         0.4         18             470
 *
 * dense keeps the moments up to date: it is for gp_ucb over tens of arms, and must be asked for. */
#include "posterior/gp/gp.h"

#include "base/alloc.h"

enum { AUTO, DENSE, BASIS, ON_GRID, MATHERON };

enum { GRID = 64, ROUGH = 128 };

#define LARGEST_VARIANCE 1e200 /* squares of what is computed from it are still finite */

static const spar__gp_backing *const backings[] = {
    [DENSE] = &spar__gp_dense, [BASIS] = &spar__gp_basis, [ON_GRID] = &spar__gp_grid, [MATHERON] = &spar__gp_matheron};

static spar_status try(const spar__gp_backing *cls, const spar__gp_model *model, void **state, spar_error *err)
{
    *state = spar__alloc(1, cls->size);
    if (!*state)
        return spar__fail_memory(err);
    spar_status status = cls->init(*state, model, err);
    if (status) {
        cls->fini(*state);
        spar__free(*state);
        *state = NULL;
    }
    return status;
}

static bool rough(const spar__kernel *kernel)
{
    return kernel->kind != SPAR__KERNEL_SE && kernel->kind != SPAR__KERNEL_LINEAR;
}

/* Those that may do, best first. */
static size_t order(const spar__gp_model *model, size_t *which)
{
    size_t n = 0;
    bool at_once = rough(&model->kernel) && model->points->n >= ROUGH;
    if (at_once)
        which[n++] = MATHERON;
    if (model->points->dim > 1 && model->points->n >= GRID)
        which[n++] = ON_GRID;
    which[n++] = BASIS;
    if (!at_once)
        which[n++] = MATHERON;
    return n;
}

/* Of several that refuse, the basis says why. */
static spar_status choose(const spar__gp_model *model, const spar__gp_backing **cls, void **state, spar_error *err)
{
    size_t which[3], n = order(model, which);
    spar_status status = SPAR_UNSUPPORTED;
    for (size_t i = 0; status == SPAR_UNSUPPORTED && i < n; i++) {
        *cls = backings[which[i]];
        status = try(*cls, model, state, which[i] == BASIS ? err : NULL);
    }
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

spar_status spar__gp_check_size(const spar__kernel *kernel, const double *x, spar_error *err)
{
    double variance = spar__kernel_at(kernel, x, x);
    if (variance <= LARGEST_VARIANCE)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID,
                      "gp: these features have a prior variance of %g, too large to compute with; scale them or "
                      "take a larger length",
                      variance);
}

spar_status spar__gp_backing_new(size_t wanted, const spar__gp_model *model, const spar__gp_backing **cls, void **state,
                                 spar_error *err)
{
    const spar__gp_points *points = model->points;
    for (size_t p = 0; p < points->n; p++) {
        spar_status status = spar__gp_check_size(&model->kernel, points->x + p * points->dim, err);
        if (status)
            return status;
    }
    if (wanted == AUTO)
        return choose(model, cls, state, err);
    *cls = backings[wanted];
    return try(*cls, model, state, err);
}
