#include <spar/arms.h>

#include "base/alloc.h"

#include <math.h>
#include <string.h>

static spar_status reserve(spar_arms *arms, size_t capacity)
{
    if (capacity <= arms->capacity)
        return SPAR_OK;
    bool *alive = spar__realloc(arms->alive, arms->n, capacity, sizeof *alive);
    if (!alive)
        return SPAR_NOMEM;
    arms->alive = alive;
    if (arms->dim) {
        double *x = spar__realloc(arms->x, arms->n, capacity, arms->dim * sizeof *x);
        if (!x)
            return SPAR_NOMEM;
        arms->x = x;
    }
    if (arms->name) {
        char **name = spar__realloc(arms->name, arms->n, capacity, sizeof *name);
        if (!name)
            return SPAR_NOMEM;
        arms->name = name;
    }
    arms->capacity = capacity;
    return SPAR_OK;
}

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool inside(const spar_space *space, const double *x, size_t dim)
{
    for (size_t d = 0; space->kind == SPAR_SPACE_BOX && d < dim; d++)
        if (!(space->lo[d] <= x[d] && x[d] <= space->hi[d]))
            return false;
    return true;
}

static spar_status set_name(spar_arms *arms, size_t index, const char *name)
{
    if (!name)
        return SPAR_OK;
    if (!arms->name) {
        arms->name = spar__alloc(arms->capacity, sizeof *arms->name);
        if (!arms->name)
            return SPAR_NOMEM;
    }
    arms->name[index] = spar__strdup(name);
    return arms->name[index] ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar_arms_new(size_t n, size_t dim, const double *x, const char *const *names, spar_arms **out)
{
    *out = NULL;
    if ((dim == 0) != (x == NULL))
        return SPAR_INVALID;
    spar_arms *arms = spar__alloc(1, sizeof *arms);
    if (!arms)
        return SPAR_NOMEM;
    arms->dim = dim;
    spar_status status = reserve(arms, n ? n : 1);
    if (!status && x && !all_finite(x, n * dim))
        status = SPAR_INVALID;
    if (!status && x)
        memcpy(arms->x, x, n * dim * sizeof *x);
    arms->n = arms->live = n;
    for (size_t i = 0; !status && i < n; i++) {
        arms->alive[i] = true;
        status = set_name(arms, i, names ? names[i] : NULL);
    }
    if (status) {
        spar_arms_free(arms);
        return status;
    }
    *out = arms;
    return SPAR_OK;
}

spar_status spar_arms_new_box(size_t dim, const double *lo, const double *hi, spar_arms **out)
{
    *out = NULL;
    if (dim == 0 || !all_finite(lo, dim) || !all_finite(hi, dim))
        return SPAR_INVALID;
    for (size_t d = 0; d < dim; d++)
        if (lo[d] > hi[d])
            return SPAR_INVALID;
    spar_arms *arms = NULL;
    spar_status status = spar_arms_new(0, dim, lo, NULL, &arms);
    if (status)
        return status;
    arms->space.kind = SPAR_SPACE_BOX;
    arms->space.lo = spar__alloc(dim, sizeof *lo);
    arms->space.hi = spar__alloc(dim, sizeof *hi);
    if (!arms->space.lo || !arms->space.hi) {
        spar_arms_free(arms);
        return SPAR_NOMEM;
    }
    memcpy(arms->space.lo, lo, dim * sizeof *lo);
    memcpy(arms->space.hi, hi, dim * sizeof *hi);
    *out = arms;
    return SPAR_OK;
}

spar_status spar_arms_copy(const spar_arms *arms, spar_arms **out)
{
    *out = NULL;
    spar_arms *copy = NULL;
    spar_status status = arms->space.kind == SPAR_SPACE_BOX
                             ? spar_arms_new_box(arms->dim, arms->space.lo, arms->space.hi, &copy)
                             : spar_arms_new(0, arms->dim, arms->x, NULL, &copy);
    for (size_t i = 0; !status && i < arms->n; i++)
        status = spar_arms_add(copy, arms->dim ? arms->x + i * arms->dim : NULL, arms->name ? arms->name[i] : NULL,
                               NULL);
    if (status) {
        spar_arms_free(copy);
        return status;
    }
    for (size_t i = 0; i < arms->n; i++)
        if (!arms->alive[i])
            (void)spar_arms_retire(copy, i);
    *out = copy;
    return SPAR_OK;
}

spar_status spar_arms_add(spar_arms *arms, const double *x, const char *name, size_t *index)
{
    if ((arms->dim == 0) != (x == NULL))
        return SPAR_INVALID;
    if (x && !(all_finite(x, arms->dim) && inside(&arms->space, x, arms->dim)))
        return SPAR_INVALID;
    if (arms->n == arms->capacity && reserve(arms, 2 * arms->capacity))
        return SPAR_NOMEM;
    spar_status status = set_name(arms, arms->n, name);
    if (status)
        return status;
    if (x)
        memcpy(arms->x + arms->n * arms->dim, x, arms->dim * sizeof *x);
    arms->alive[arms->n] = true;
    arms->live++;
    if (index)
        *index = arms->n;
    arms->n++;
    return SPAR_OK;
}

spar_status spar_arms_retire(spar_arms *arms, size_t index)
{
    if (index >= arms->n || !arms->alive[index])
        return SPAR_INVALID;
    arms->alive[index] = false;
    arms->live--;
    return SPAR_OK;
}

void spar_arms_free(spar_arms *arms)
{
    if (!arms)
        return;
    for (size_t i = 0; arms->name && i < arms->n; i++)
        spar__free(arms->name[i]);
    spar__free(arms->name);
    spar__free(arms->alive);
    spar__free(arms->x);
    spar__free(arms->space.lo);
    spar__free(arms->space.hi);
    spar__free(arms);
}
