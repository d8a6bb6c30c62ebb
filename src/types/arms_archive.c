#include "types/arms_archive.h"

#include "base/alloc.h"

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

static void save(const spar_arms *arms, spar__archive *ar)
{
    size_t n = arms->n, dim = arms->dim, axes = arms->space.n_axes;
    spar__archive_size(ar, &n);
    spar__archive_size(ar, &dim);
    spar__archive_size(ar, &axes);
    for (size_t a = 0; a < axes; a++) {
        spar__space_axis axis = arms->space.axis[a];
        archive_axis(&axis, ar);
    }
    for (size_t i = 0; i < n; i++) {
        char *name = arms->name ? arms->name[i] : NULL;
        spar__archive_bool(ar, &arms->alive[i]);
        spar__archive_text(ar, &name);
        if (dim)
            spar__archive_f64s(ar, arms->x + i * dim, dim);
    }
}

static void load_arm(spar_arms *arms, double *x, spar__archive *ar)
{
    bool alive = false;
    char *name = NULL;
    size_t index = 0;
    spar__archive_bool(ar, &alive);
    spar__archive_text(ar, &name);
    spar__archive_f64s(ar, x, arms->dim);
    if (!ar->failed)
        spar__archive_step(ar, spar_arms_add(arms, arms->dim ? x : NULL, name, &index));
    if (!ar->failed && !alive)
        (void)spar_arms_retire(arms, index);
    spar__free(name);
}

/* The saved axes; the functions that add them refuse those that make no sense. */
static void load_axes(spar_space *space, size_t axes, spar__archive *ar)
{
    for (size_t a = 0; !ar->failed && a < axes; a++) {
        spar__space_axis axis = {0};
        archive_axis(&axis, ar);
        if (!ar->failed)
            spar__archive_step(ar, axis.kind == SPAR__AXIS_RANGE ? spar_space_add_range(space, axis.lo, axis.hi)
                                   : axis.kind == SPAR__AXIS_LEVELS
                                       ? spar_space_add_levels(space, axis.lo, axis.hi, axis.n)
                                       : spar_space_add_choice(space, axis.n, axis.hi));
    }
}

/* An empty table over the saved space. */
static spar_arms *load_space(size_t dim, size_t axes, spar__archive *ar)
{
    static const double nothing = 0;
    spar_arms *arms = NULL;
    spar_space *space = NULL;
    spar__archive_step(ar, spar_space_new(&space));
    load_axes(space, axes, ar);
    if (!ar->failed)
        spar__archive_step(ar, axes ? spar_arms_new_space(space, &arms)
                                    : spar_arms_new(0, dim, dim ? &nothing : NULL, NULL, &arms));
    spar__archive_check(ar, ar->failed || arms->dim == dim);
    spar_space_free(space);
    return arms;
}

static void load(spar_arms **out, spar__archive *ar)
{
    size_t n = 0, dim = 0, axes = 0;
    spar__archive_size(ar, &n);
    spar__archive_size(ar, &dim);
    spar__archive_size(ar, &axes);
    spar__archive_check(ar, dim <= SPAR__MOST_FEATURES);
    if (!spar__archive_holds(ar, n) || !spar__archive_holds(ar, axes) || (n && !spar__archive_holds(ar, dim)))
        return;
    spar_arms *arms = load_space(dim, axes, ar);
    double *x = ar->failed ? NULL : spar__alloc(dim, sizeof *x);
    spar__archive_step(ar, ar->failed || x ? SPAR_OK : SPAR_NOMEM);
    for (size_t i = 0; !ar->failed && i < n; i++)
        load_arm(arms, x, ar);
    if (ar->failed) {
        spar_arms_free(arms);
        arms = NULL;
    }
    *out = arms;
    spar__free(x);
}

void spar__arms_archive(spar_arms **arms, spar__archive *ar)
{
    if (ar->loading)
        load(arms, ar);
    else
        save(*arms, ar);
}
