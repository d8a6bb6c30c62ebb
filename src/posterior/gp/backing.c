/* Which backing serves: the rule and the measurements behind it are in gp.h. */
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

spar_status spar__gp_read_lengths(const spar_arms *arms, const spar__values *values, double **out, spar_error *err)
{
    const spar__value *length = spar__value_of(values, "length");
    *out = NULL;
    if (arms->dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: the arms have no features, which a Gaussian process is over");
    if (length->n != 1 && length->n != arms->dim)
        return spar__fail(err, SPAR_INVALID, "gp: length has %zu values, but the arms have %zu feature%s", length->n,
                          arms->dim, arms->dim == 1 ? "" : "s");
    *out = spar__alloc(arms->dim, sizeof **out);
    if (!*out)
        return spar__fail_memory(err);
    for (size_t d = 0; d < arms->dim; d++)
        (*out)[d] = length->numbers[length->n == 1 ? 0 : d];
    return SPAR_OK;
}
