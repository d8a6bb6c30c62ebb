#include "posterior/gp/prior.h"

#include "base/alloc.h"
#include "num/kernel.h"
#include "sampler/sampler.h"

#include <string.h>

static spar_status too_many(const spar__prior *prior, spar_error *err)
{
    return spar__fail(
        err, SPAR_UNSUPPORTED,
        "gp: backing=matheron serves %d points, or more on a product grid with a kernel that is a product "
        "over the features; here are %zu",
        SPAR__PRIOR_AXIS, prior->model->points->n);
}

/* Are the points a grid of which each axis is small enough? */
static spar_status find_grid(spar__prior *prior)
{
    const spar__gp_model *model = prior->model;
    if (model->points->dim < 2 || !spar__kernel_separable(&model->kernel))
        return SPAR_UNSUPPORTED;
    spar_status status = spar__lattice_find(model->points, &prior->lattice);
    if (status)
        return status;
    bool good = prior->lattice.cells <= SPAR__PRIOR_CELLS;
    for (size_t a = 0; a < prior->lattice.d; a++)
        good &= prior->lattice.n[a] <= SPAR__PRIOR_AXIS;
    if (good)
        return SPAR_OK;
    spar__lattice_free(&prior->lattice);
    return SPAR_UNSUPPORTED;
}

/* Where to cut the axes in two: near and far, as even as possible. */
static void cut(spar__prior *prior)
{
    prior->near = 1;
    prior->far = prior->cells;
    size_t near = 1;
    for (size_t a = 0; a + 1 < prior->d; a++) {
        near *= prior->n[a];
        if (near + prior->cells / near < prior->near + prior->far) {
            prior->near = near;
            prior->far = prior->cells / near;
            prior->split = a + 1;
        }
    }
}

static void transpose(size_t n, double *T)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            T[j * n + i] = T[i * n + j];
            T[i * n + j] = 0;
        }
}

static spar_status add_axis(spar__prior *prior, const spar__kernel *kernel, size_t n, const double *x, bool last)
{
    size_t a = prior->d++;
    prior->n[a] = n;
    prior->cells *= n;
    prior->triangle[a] = spar__alloc(n * n, sizeof(double));
    if (!prior->triangle[a] || spar__cholesky(kernel, n, x, prior->triangle[a]))
        return SPAR_NOMEM;
    if (!last)
        transpose(n, prior->triangle[a]);
    return SPAR_OK;
}

spar_status spar__prior_init(spar__prior *prior, const spar__gp_model *model, spar_error *err)
{
    prior->model = model;
    prior->cells = 1;
    spar_status status = find_grid(prior);
    if (status == SPAR_UNSUPPORTED) {
        if (model->points->n > SPAR__PRIOR_AXIS)
            return too_many(prior, err);
        status = add_axis(prior, &model->kernel, model->points->n, model->points->x, true);
    }
    for (size_t a = 0; !status && a < prior->lattice.d; a++) {
        spar__kernel axis = spar__kernel_axis(&model->kernel, a);
        status = add_axis(prior, &axis, prior->lattice.n[a], prior->lattice.value[a], a + 1 == prior->lattice.d);
    }
    if (status)
        return spar__fail_memory(err);
    cut(prior);
    return SPAR_OK;
}

void spar__prior_fini(spar__prior *prior)
{
    spar__lattice_free(&prior->lattice);
    for (size_t a = 0; a < prior->d; a++)
        spar__free(prior->triangle[a]);
}

/* The axes one after the other, the last one first; each takes what is in one array to the other. */
void spar__prior_draw(const spar__prior *prior, spar_rng *rng, double *value, double *work)
{
    size_t last = prior->d - 1, before = prior->cells / prior->n[last], after = prior->n[last];
    double *from = prior->d % 2 ? work : value, *to = prior->d % 2 ? value : work;
    spar__normal_batch(rng, prior->cells, from);
    spar__cholesky_rows(prior->n[last], prior->triangle[last], before, from, to);
    for (size_t a = last; a-- > 0;) {
        size_t block = prior->n[a] * after;
        double *swap = from;
        from = to;
        to = swap;
        before /= prior->n[a];
        for (size_t i = 0; i < before; i++)
            spar__cholesky_columns(prior->n[a], prior->triangle[a], after, from + i * block, to + i * block);
        after = block;
    }
}

/* The products of k along the axes from .. to - 1, at all their combinations. */
static void spread(const spar__prior *prior, const double *u, size_t from, size_t to, double *out)
{
    size_t n = 1;
    out[0] = 1;
    for (size_t a = from; a < to; a++) {
        spar__kernel axis = spar__kernel_axis(&prior->model->kernel, a);
        size_t more = prior->n[a];
        const double *value = prior->lattice.value[a];
        for (size_t i = n; i-- > 0;) { /* from the end, in place */
            double so_far = out[i];
            spar__kernel_row(&axis, u + a, more, value, out + i * more);
            for (size_t k = 0; k < more; k++)
                out[i * more + k] *= so_far;
        }
        n *= more;
    }
}

void spar__prior_reach(const spar__prior *prior, const double *u, double *near, double *far)
{
    if (prior->lattice.d == 0) {
        near[0] = 1;
        spar__kernel_row(&prior->model->kernel, u, prior->cells, prior->model->points->x, far);
        return;
    }
    spread(prior, u, 0, prior->split, near);
    spread(prior, u, prior->split, prior->d, far);
}
