/* arms.c - the table of arms and the space they lie in; their distinct points; arrays that grow with them. Adding an
 * arm costs O(dim) on average, making the points one sort. */
#include "types/arms.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static spar_status reserve(spar_arms *arms, size_t capacity)
{
    if (capacity <= arms->capacity)
        return SPAR_OK;
    if (!spar__resize(&arms->alive, arms->n, capacity, sizeof *arms->alive) ||
        (arms->dim && !spar__resize(&arms->x, arms->n, capacity, arms->dim * sizeof *arms->x)) ||
        (arms->name && !spar__resize(&arms->name, arms->n, capacity, sizeof *arms->name)))
        return SPAR_NOMEM;
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

size_t spar__axis_features(const spar__space_axis *axis)
{
    return axis->kind == SPAR__AXIS_CHOICE ? axis->n : 1;
}

double spar__axis_level(const spar__space_axis *axis, size_t i)
{
    return i + 1 < axis->n ? axis->lo + (axis->hi - axis->lo) * (double)i / (double)(axis->n - 1) : axis->hi;
}

static bool on_axis(const spar__space_axis *axis, const double *x)
{
    if (axis->kind == SPAR__AXIS_LEVELS) {
        double step = (axis->hi - axis->lo) / (double)(axis->n - 1);
        double nearest = step > 0 ? rint((x[0] - axis->lo) / step) : 0;
        return nearest >= 0 && nearest < (double)axis->n && spar__axis_level(axis, (size_t)nearest) == x[0];
    }
    if (axis->kind == SPAR__AXIS_RANGE)
        return axis->lo <= x[0] && x[0] <= axis->hi;
    size_t hot = 0, cold = 0;
    for (size_t i = 0; i < axis->n; i++) {
        hot += x[i] == axis->hi;
        cold += x[i] == 0;
    }
    return hot == 1 && cold == axis->n - 1;
}

bool spar_arms_admit(const spar_arms *arms, const double *x)
{
    if (!arms || !x || !all_finite(x, arms->dim))
        return false;
    for (size_t a = 0; a < arms->space.n_axes; a++) {
        if (!on_axis(&arms->space.axis[a], x))
            return false;
        x += spar__axis_features(&arms->space.axis[a]);
    }
    return true;
}

static bool sound(const spar__space_axis *axis)
{
    if (!isfinite(axis->lo) || !isfinite(axis->hi) || !isfinite(axis->hi - axis->lo))
        return false;
    if (axis->kind == SPAR__AXIS_CHOICE)
        return axis->n >= 1 && axis->hi != 0;
    return axis->lo <= axis->hi && (axis->kind == SPAR__AXIS_RANGE || (axis->n >= 2 && axis->lo < axis->hi));
}

static spar_status set_name(spar_arms *arms, size_t index, const char *name)
{
    if (!name)
        return SPAR_OK;
    if (!arms->name && !(arms->name = spar__alloc(arms->capacity, sizeof *arms->name)))
        return SPAR_NOMEM;
    arms->name[index] = spar__strdup(name);
    return arms->name[index] ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar_arms_new(size_t n, size_t dim, const double *x, const char *const *names, spar_arms **out)
{
    if (!SPAR__CLEAR(out) || (dim == 0) != (x == NULL) || dim > SPAR__MOST_FEATURES)
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

/* Appends an axis if it makes sense. */
static spar_status add_axis(spar_space *space, spar__space_axis axis)
{
    if (!sound(&axis))
        return SPAR_INVALID;
    size_t n = space->n_axes; /* room doubles whenever n is a power of two */
    if (!(n & (n - 1)) && !spar__resize(&space->axis, n, n ? 2 * n : 1, sizeof *space->axis))
        return SPAR_NOMEM;
    space->axis[space->n_axes++] = axis;
    return SPAR_OK;
}

spar_status spar_space_new(spar_space **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

void spar_space_free(spar_space *space)
{
    if (space)
        spar__free(space->axis);
    spar__free(space);
}

spar_status spar_space_add_range(spar_space *space, double lo, double hi)
{
    return space ? add_axis(space, (spar__space_axis){SPAR__AXIS_RANGE, lo, hi, 0}) : SPAR_INVALID;
}

spar_status spar_space_add_levels(spar_space *space, double lo, double hi, size_t n)
{
    return space ? add_axis(space, (spar__space_axis){SPAR__AXIS_LEVELS, lo, hi, n}) : SPAR_INVALID;
}

spar_status spar_space_add_choice(spar_space *space, size_t n, double on)
{
    return space ? add_axis(space, (spar__space_axis){SPAR__AXIS_CHOICE, 0, on, n}) : SPAR_INVALID;
}

static spar_status set_space(spar_arms *arms, const spar_space *space)
{
    size_t n = space->n_axes;
    arms->space.axis = spar__alloc(n, sizeof *space->axis);
    if (!arms->space.axis)
        return SPAR_NOMEM;
    memcpy(arms->space.axis, space->axis, n * sizeof *space->axis);
    arms->space.n_axes = n;
    return SPAR_OK;
}

spar_status spar_arms_new_space(const spar_space *space, spar_arms **out)
{
    if (!SPAR__CLEAR(out) || !space)
        return SPAR_INVALID;
    size_t dim = 0;
    for (size_t a = 0; a < space->n_axes; a++) {
        size_t features = spar__axis_features(&space->axis[a]);
        if (!sound(&space->axis[a]) || features > SPAR__MOST_FEATURES)
            return SPAR_INVALID;
        dim += features;
    }
    if (dim == 0 || dim > SPAR__MOST_FEATURES)
        return SPAR_INVALID;
    spar_arms *arms = NULL;
    spar_status status = spar_arms_new(0, dim, &space->axis->lo, NULL, &arms);
    if (status)
        return status;
    if (set_space(arms, space)) {
        spar_arms_free(arms);
        return SPAR_NOMEM;
    }
    *out = arms;
    return SPAR_OK;
}

spar_status spar_arms_new_box(size_t dim, const double *lo, const double *hi, spar_arms **out)
{
    if (!SPAR__CLEAR(out) || (dim && !lo) || (dim && !hi))
        return SPAR_INVALID;
    spar_space *space = NULL;
    spar_status status = spar_space_new(&space);
    for (size_t d = 0; !status && d < dim; d++)
        status = spar_space_add_range(space, lo[d], hi[d]);
    if (!status)
        status = spar_arms_new_space(space, out);
    spar_space_free(space);
    return status;
}

spar_status spar_arms_dup(const spar_arms *arms, spar_arms **out)
{
    if (!SPAR__CLEAR(out) || !arms)
        return SPAR_INVALID;
    spar_arms *copy = NULL;
    spar_status status =
        spar_arms_new(arms->n, arms->dim, arms->dim ? arms->x : NULL, (const char *const *)arms->name, &copy);
    if (status)
        return status;
    memcpy(copy->alive, arms->alive, arms->n * sizeof *arms->alive);
    copy->live = arms->live;
    if (spar__arms_continuous(arms) && set_space(copy, &arms->space)) {
        spar_arms_free(copy);
        return SPAR_NOMEM;
    }
    *out = copy;
    return SPAR_OK;
}

spar_status spar_arms_add(spar_arms *arms, const double *x, const char *name, size_t *index)
{
    if (!arms || (arms->dim == 0) != (x == NULL) || (x && !spar_arms_admit(arms, x)))
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
    if (!arms || index >= arms->n || !arms->alive[index])
        return SPAR_INVALID;
    arms->alive[index] = false;
    arms->live--;
    arms->turned = index;
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

size_t spar_arms_count(const spar_arms *arms)
{
    return arms ? arms->n : 0;
}

size_t spar_arms_live(const spar_arms *arms)
{
    return arms ? arms->live : 0;
}

size_t spar_arms_dim(const spar_arms *arms)
{
    return arms ? arms->dim : 0;
}

bool spar_arms_continuous(const spar_arms *arms)
{
    return arms && spar__arms_continuous(arms);
}

bool spar_arms_alive(const spar_arms *arms, size_t index)
{
    return arms && index < arms->n && arms->alive[index];
}

const char *spar_arms_name(const spar_arms *arms, size_t index)
{
    return arms && index < arms->n && arms->name ? arms->name[index] : NULL;
}

const double *spar_arms_features(const spar_arms *arms, size_t index)
{
    return arms && index < arms->n && arms->dim ? arms->x + index * arms->dim : NULL;
}

size_t spar_arms_find(const spar_arms *arms, const char *name)
{
    if (!arms || !name)
        return SPAR_NO_ARM;
    for (size_t i = 0; arms->name && i < arms->n; i++)
        if (arms->name[i] && strcmp(arms->name[i], name) == 0)
            return i;
    return SPAR_NO_ARM;
}

static void archive_axis(spar__space_axis *axis, spar__archive *ar)
{
    size_t kind = axis->kind;
    spar__archive_size(ar, &kind);
    spar__archive_check(ar, kind <= SPAR__AXIS_CHOICE);
    axis->kind = (spar__space_axis_kind)kind;
    spar__archive_f64(ar, &axis->lo);
    spar__archive_f64(ar, &axis->hi);
    spar__archive_size(ar, &axis->n);
}

spar_arms *spar__arms_load_space(size_t dim, size_t axes, void load_axis(spar__space_axis *, spar__archive *),
                                 spar__archive *ar)
{
    static const double nothing = 0;
    spar_arms *arms = NULL;
    spar_space *space = NULL;
    spar__archive_step(ar, spar_space_new(&space));
    for (size_t a = 0; !ar->failed && a < axes; a++) {
        spar__space_axis axis = {0};
        load_axis(&axis, ar);
        if (!ar->failed)
            spar__archive_step(ar, add_axis(space, axis));
    }
    if (!ar->failed)
        spar__archive_step(ar, axes ? spar_arms_new_space(space, &arms)
                                    : spar_arms_new(0, dim, dim ? &nothing : NULL, NULL, &arms));
    spar__archive_check(ar, ar->failed || arms->dim == dim);
    spar_space_free(space);
    return arms;
}

void spar__arms_archive(spar_arms **table, spar__archive *ar)
{
    spar_arms *arms = *table;
    size_t n = arms ? arms->n : 0, dim = arms ? arms->dim : 0, axes = arms ? arms->space.n_axes : 0;
    spar__archive_size(ar, &n);
    spar__archive_size(ar, &dim);
    spar__archive_size(ar, &axes);
    if (ar->loading) {
        spar__archive_check(ar, dim <= SPAR__MOST_FEATURES);
        if (!spar__archive_holds(ar, n) || !spar__archive_holds(ar, axes) || (n && !spar__archive_holds(ar, dim)))
            return;
        arms = spar__arms_load_space(dim, axes, archive_axis, ar);
    }
    for (size_t a = 0; !ar->loading && a < axes; a++) {
        spar__space_axis axis = arms->space.axis[a];
        archive_axis(&axis, ar);
    }
    double *x = ar->failed || !ar->loading ? NULL : spar__alloc(dim, sizeof *x);
    spar__archive_step(ar, ar->failed || !ar->loading || x ? SPAR_OK : SPAR_NOMEM);
    for (size_t i = 0; !ar->failed && i < n; i++) {
        bool alive = !ar->loading && arms->alive[i];
        char *name = ar->loading || !arms->name ? NULL : arms->name[i];
        spar__archive_bool(ar, &alive);
        spar__archive_text(ar, &name);
        if (dim)
            spar__archive_f64s(ar, ar->loading ? x : arms->x + i * dim, dim);
        if (ar->loading) {
            if (!ar->failed)
                spar__archive_step(ar, spar_arms_add(arms, dim ? x : NULL, name, NULL));
            if (!ar->failed && !alive)
                (void)spar_arms_retire(arms, i);
            spar__free(name);
        }
    }
    if (ar->loading && ar->failed) {
        spar_arms_free(arms);
        arms = NULL;
    }
    *table = arms;
    spar__free(x);
}

typedef struct place {
    const double *x;
    size_t dim, arm;
} place;

static int compare_features(const place *p, const place *q)
{
    for (size_t d = 0; d < p->dim; d++)
        if (p->x[d] != q->x[d])
            return p->x[d] < q->x[d] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const place *p = a, *q = b;
    int order = compare_features(p, q);
    return order ? order : (p->arm > q->arm) - (p->arm < q->arm);
}

spar_status spar__points_make(const spar_arms *arms, spar__points *out)
{
    size_t n = arms->n, dim = arms->dim;
    *out = (spar__points){.arms = n};
    place *place_of = spar__alloc(n, sizeof *place_of);
    out->x = spar__alloc(n, dim * sizeof *out->x);
    out->of = spar__alloc(n, sizeof *out->of);
    out->first = spar__alloc(n, sizeof *out->first);
    if (!place_of || !out->x || !out->of || !out->first) {
        spar__free(place_of);
        spar__points_free(out);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < n; i++)
        place_of[i] = (place){arms->x + i * dim, dim, i};
    qsort(place_of, n, sizeof *place_of, compare);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_features(&place_of[i - 1], &place_of[i])) {
            memcpy(out->x + out->n * dim, place_of[i].x, dim * sizeof *out->x);
            out->first[out->n++] = place_of[i].arm;
        }
        out->of[place_of[i].arm] = out->n - 1;
    }
    spar__free(place_of);
    return SPAR_OK;
}

void spar__points_free(spar__points *points)
{
    spar__free(points->x);
    spar__free(points->of);
    spar__free(points->first);
    *points = (spar__points){0};
}

size_t spar__arm_at(const spar_arms *arms, size_t from, const double *x)
{
    while (from < arms->n && memcmp(arms->x + from * arms->dim, x, arms->dim * sizeof *x) != 0)
        from++;
    return from;
}

spar_status spar__per_arm_fit(spar__per_arm *size, const spar_arms *arms, size_t count, double **const array[])
{
    if (arms->n > size->capacity) {
        for (size_t k = 0; k < count; k++)
            if (!spar__resize(array[k], size->n, arms->capacity, sizeof **array[k]))
                return SPAR_NOMEM;
        size->capacity = arms->capacity;
    }
    size->n = arms->n;
    return SPAR_OK;
}
