#include <spar/arms.h>

#include "base/alloc.h"

#include <math.h>
#include <string.h>

enum { MOST_FEATURES = 1 << 20 }; /* of a box */

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

size_t spar_axis_features(const spar_axis *axis)
{
    return axis->kind == SPAR_AXIS_CHOICE ? axis->n : 1;
}

double spar_axis_level(const spar_axis *axis, size_t i)
{
    return i + 1 < axis->n ? axis->lo + (axis->hi - axis->lo) * (double)i / (double)(axis->n - 1) : axis->hi;
}

static bool on_a_level(const spar_axis *axis, double x)
{
    double step = (axis->hi - axis->lo) / (double)(axis->n - 1);
    double nearest = step > 0 ? rint((x - axis->lo) / step) : 0;
    return nearest >= 0 && nearest < (double)axis->n && spar_axis_level(axis, (size_t)nearest) == x;
}

static bool one_is_hot(const spar_axis *axis, const double *x)
{
    size_t hot = 0, cold = 0;
    for (size_t i = 0; i < axis->n; i++) {
        hot += x[i] == axis->hi;
        cold += x[i] == 0;
    }
    return hot == 1 && cold == axis->n - 1;
}

static bool on_axis(const spar_axis *axis, const double *x)
{
    switch (axis->kind) {
    case SPAR_AXIS_LEVELS:
        return on_a_level(axis, x[0]);
    case SPAR_AXIS_CHOICE:
        return one_is_hot(axis, x);
    default:
        return axis->lo <= x[0] && x[0] <= axis->hi;
    }
}

bool spar_arms_admit(const spar_arms *arms, const double *x)
{
    if (!all_finite(x, arms->dim))
        return false;
    for (size_t a = 0; a < arms->space.n_axes; a++) {
        if (!on_axis(&arms->space.axis[a], x))
            return false;
        x += spar_axis_features(&arms->space.axis[a]);
    }
    return true;
}

static bool sound(const spar_axis *axis)
{
    if (!isfinite(axis->lo) || !isfinite(axis->hi) || !isfinite(axis->hi - axis->lo))
        return false;
    if (axis->kind == SPAR_AXIS_CHOICE)
        return axis->n >= 1 && axis->hi != 0;
    return axis->lo <= axis->hi && (axis->kind == SPAR_AXIS_RANGE || (axis->n >= 2 && axis->lo < axis->hi));
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

static spar_status set_axes(spar_arms *arms, size_t n_axes, const spar_axis *axis)
{
    arms->space.axis = spar__alloc(n_axes, sizeof *axis);
    if (!arms->space.axis)
        return SPAR_NOMEM;
    memcpy(arms->space.axis, axis, n_axes * sizeof *axis);
    arms->space.n_axes = n_axes;
    arms->space.kind = SPAR_SPACE_BOX;
    return SPAR_OK;
}

spar_status spar_arms_new_space(size_t n_axes, const spar_axis *axis, spar_arms **out)
{
    *out = NULL;
    size_t dim = 0;
    for (size_t a = 0; a < n_axes; a++) {
        if (!sound(&axis[a]) || spar_axis_features(&axis[a]) > MOST_FEATURES)
            return SPAR_INVALID;
        dim += spar_axis_features(&axis[a]);
    }
    if (dim == 0 || dim > MOST_FEATURES)
        return SPAR_INVALID;
    spar_arms *arms = NULL;
    spar_status status = spar_arms_new(0, dim, &axis->lo, NULL, &arms);
    if (status)
        return status;
    if (set_axes(arms, n_axes, axis)) {
        spar_arms_free(arms);
        return SPAR_NOMEM;
    }
    *out = arms;
    return SPAR_OK;
}

spar_status spar_arms_new_box(size_t dim, const double *lo, const double *hi, spar_arms **out)
{
    *out = NULL;
    spar_axis *axis = spar__alloc(dim, sizeof *axis);
    if (!axis)
        return SPAR_NOMEM;
    for (size_t d = 0; d < dim; d++)
        axis[d] = (spar_axis){SPAR_AXIS_RANGE, lo[d], hi[d], 0};
    spar_status status = spar_arms_new_space(dim, axis, out);
    spar__free(axis);
    return status;
}

spar_status spar_arms_copy(const spar_arms *arms, spar_arms **out)
{
    *out = NULL;
    spar_arms *copy = NULL;
    spar_status status =
        spar_arms_new(arms->n, arms->dim, arms->dim ? arms->x : NULL, (const char *const *)arms->name, &copy);
    if (status)
        return status;
    memcpy(copy->alive, arms->alive, arms->n * sizeof *arms->alive);
    copy->live = arms->live;
    if (arms->space.kind == SPAR_SPACE_BOX && set_axes(copy, arms->space.n_axes, arms->space.axis)) {
        spar_arms_free(copy);
        return SPAR_NOMEM;
    }
    *out = copy;
    return SPAR_OK;
}

spar_status spar_arms_add(spar_arms *arms, const double *x, const char *name, size_t *index)
{
    if ((arms->dim == 0) != (x == NULL))
        return SPAR_INVALID;
    if (x && !spar_arms_admit(arms, x))
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
    spar__free(arms->space.axis);
    spar__free(arms);
}
