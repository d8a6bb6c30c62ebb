#include "types/arms_archive.h"

#include "base/alloc.h"

static void save(const spar_arms *arms, spar__archive *ar)
{
    bool box = arms->space.kind == SPAR_SPACE_BOX;
    size_t n = arms->n, dim = arms->dim;
    spar__archive_size(ar, &n);
    spar__archive_size(ar, &dim);
    spar__archive_bool(ar, &box);
    if (box) {
        spar__archive_f64s(ar, arms->space.lo, dim);
        spar__archive_f64s(ar, arms->space.hi, dim);
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

static void load(spar_arms **out, spar__archive *ar)
{
    size_t n = 0, dim = 0;
    bool box = false;
    spar__archive_size(ar, &n);
    spar__archive_size(ar, &dim);
    spar__archive_bool(ar, &box);
    if (!spar__archive_holds(ar, n) || !spar__archive_holds(ar, dim))
        return;
    double *lo = spar__alloc(dim, sizeof *lo), *hi = spar__alloc(dim, sizeof *hi), *x = spar__alloc(dim, sizeof *x);
    spar_arms *arms = NULL;
    spar__archive_step(ar, lo && hi && x ? SPAR_OK : SPAR_NOMEM);
    if (!ar->failed && box) {
        spar__archive_f64s(ar, lo, dim);
        spar__archive_f64s(ar, hi, dim);
        spar__archive_step(ar, spar_arms_new_box(dim, lo, hi, &arms));
    } else if (!ar->failed) {
        spar__archive_step(ar, spar_arms_new(0, dim, dim ? x : NULL, NULL, &arms));
    }
    for (size_t i = 0; !ar->failed && i < n; i++)
        load_arm(arms, x, ar);
    if (ar->failed) {
        spar_arms_free(arms);
        arms = NULL;
    }
    *out = arms;
    spar__free(lo);
    spar__free(hi);
    spar__free(x);
}

void spar__arms_archive(spar_arms **arms, spar__archive *ar)
{
    if (ar->loading)
        load(arms, ar);
    else
        save(*arms, ar);
}
