#include "posterior/gp/box.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

#define DUELS_KNOWN 1e-5 /* one answer says so little that more functions would be a waste */

static spar_status resize(spar__posterior *base)
{
    spar__gp_box *self = (spar__gp_box *)base;
    double **const arrays[] = {&self->count, &self->sum, &self->pending.count, &self->pending.sum};
    if (base->arms->n > self->room) {
        size_t *touched =
            spar__realloc(self->pending.touched, self->pending.n_touched, base->arms->capacity, sizeof *touched);
        if (!touched)
            return SPAR_NOMEM;
        self->pending.touched = touched;
        self->room = base->arms->capacity;
    }
    if (spar__per_arm_fit(&self->size, base->arms, sizeof arrays / sizeof *arrays, arrays))
        return SPAR_NOMEM;
    return spar__growth_resize(&self->growth, base->arms->n);
}

static void fini(spar__posterior *base)
{
    spar__gp_box *self = (spar__gp_box *)base;
    spar__growth_fini(&self->growth);
    spar__free(self->length);
    spar__free(self->given);
    spar__free(self->count);
    spar__free(self->sum);
    spar__free(self->duel);
    spar__gp_pending_free(&self->pending);
}

static void forget(spar__posterior *base)
{
    spar__gp_box *self = (spar__gp_box *)base;
    memset(self->count, 0, self->size.n * sizeof *self->count);
    memset(self->sum, 0, self->size.n * sizeof *self->sum);
    spar__growth_forget(&self->growth);
    spar__gp_pending_clear(&self->pending);
    self->n_duels = 0;
    self->fitted = 0;
    self->behind = false;
    if (self->fit) {
        memcpy(self->length, self->given, self->kernel.dim * sizeof *self->length);
        self->kernel.variance = self->given_variance;
    }
}

static spar_status reserve(spar__posterior *base, size_t arms)
{
    spar__gp_box *self = (spar__gp_box *)base;
    spar_status status = self->behind ? spar__gp_box_refit(self) : SPAR_OK;
    if (!status && self->duels)
        status = spar__gp_duels_reserve(self, arms);
    return status ? status : spar__growth_reserve(&self->growth, arms);
}

static void observe(spar__posterior *base, size_t arm, double reward, double weight)
{
    spar__gp_pending_add(&((spar__gp_box *)base)->pending, arm, reward, weight);
}

static spar_status make_room(void *box, size_t points)
{
    return spar__growth_reserve(&((spar__gp_box *)box)->growth, points);
}

/* Of duels: the points are seen, and that is all. */
static void learn(void *box, size_t count, const size_t *point, const double *weight, const double *y)
{
    static const double none[SPAR__GP_BATCH];
    spar__gp_box *self = box;
    spar__growth_learn(&self->growth, self->base.arms->x, count, point, self->duels ? none : weight,
                       self->duels ? none : y);
}

static const spar__gp_backing in_a_box = {.name = "box", .reserve = make_room, .learn = learn};

static spar_status learn_pending(spar__gp_box *self)
{
    return spar__gp_pending_learn(&self->pending, self->noise, self->offset, &in_a_box, self);
}

static spar_status learn_again(spar__gp_box *self)
{
    spar__growth_forget(&self->growth);
    spar__gp_pending_all(&self->pending, self->size.n, self->count, self->sum);
    return learn_pending(self);
}

static void settle(spar__posterior *base)
{
    spar__gp_box *self = (spar__gp_box *)base;
    spar__gp_pending_count(&self->pending, self->count, self->sum);
    if (self->duels)
        spar__gp_duels_take(self);
    (void)learn_pending(self);
    if (self->fit && spar__gp_fit_due(self)) {
        self->fitted = self->n_duels;
        (void)spar__gp_box_refit(self);
    }
}

spar_status spar__gp_box_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    const spar__gp_box *self = (const spar__gp_box *)base;
    spar_status status = spar__growth_moments(&self->growth, base->arms->x, scratch, mean, sd);
    for (size_t i = 0; !status && mean && i < base->arms->n; i++)
        mean[i] += self->offset;
    return status;
}

/* As in growth.c, for one point that need not be in the table. */
spar_status spar__gp_box_moments_at(const spar__posterior *base, spar_scratch *scratch, const double *x, double *mean,
                                    double *sd)
{
    const spar__gp_box *self = (const spar__gp_box *)base;
    const spar__growth *growth = &self->growth;
    size_t mark = spar__scratch_mark(scratch), r = growth->basis.r;
    double *phi = spar__scratch_take(scratch, r, sizeof *phi), *w = spar__scratch_take(scratch, r, sizeof *w);
    spar_status status = phi && w ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        double variance = spar__newton_at(&growth->basis, growth->kernel, x, phi), sum = 0;
        memcpy(w, growth->weights.z, r * sizeof *w);
        spar__weights_solve(&growth->weights, 1, w);
        for (size_t i = 0; i < r; i++)
            sum += phi[i] * w[i];
        spar__weights_half(&growth->weights, 1, phi);
        for (size_t i = 0; i < r; i++)
            variance += phi[i] * phi[i];
        if (mean)
            *mean = sum + self->offset;
        if (sd)
            *sd = sqrt(variance);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static double accuracy(const spar__posterior *base)
{
    return spar__growth_accuracy(&((const spar__gp_box *)base)->growth);
}

/* Fitted parameters are state. */
static void archive_fit(spar__gp_box *self, spar__archive *ar)
{
    bool good = true;
    spar__archive_size(ar, &self->fitted);
    spar__archive_f64(ar, &self->kernel.variance);
    spar__archive_f64s(ar, self->length, self->kernel.dim);
    for (size_t d = 0; d < self->kernel.dim; d++)
        good &= self->length[d] > 0 && isfinite(self->length[d]);
    spar__archive_check(ar, good && self->kernel.variance > 0 && isfinite(self->kernel.variance));
    spar__archive_check(ar, self->fitted <= self->n_duels);
}

static void archive(spar__posterior *base, spar__archive *ar)
{
    spar__gp_box *self = (spar__gp_box *)base;
    if (self->behind && !ar->loading)
        spar__archive_step(ar, spar__gp_box_refit(self));
    spar__archive_f64s(ar, self->count, self->size.n);
    spar__archive_f64s(ar, self->sum, self->size.n);
    spar__archive_check(ar, spar__gp_sound(self->size.n, self->count, self->sum));
    if (self->duels)
        spar__gp_duels_archive(self, ar);
    if (self->fit)
        archive_fit(self, ar);
    if (ar->failed)
        return;
    if (ar->cache)
        spar__growth_archive(&self->growth, base->arms->x, ar->cache);
    else if (ar->loading)
        spar__archive_step(ar, learn_again(self));
}

/* What the class gp becomes over a box. */
static const spar__posterior_class over_a_box = {
    .entry = {"gp", "a Gaussian process over a continuous space", "Wilson et al., ICML 2020", NULL},
    .size = sizeof(spar__gp_box),
    .box = true,
    .unit = true,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe = observe,
    .settle = settle,
    .draw = spar__gp_box_draw,
    .best = spar__gp_box_best,
    .moments = spar__gp_box_moments,
    .moments_at = spar__gp_box_moments_at,
    .peak = spar__gp_box_peak,
    .accuracy = accuracy,
    .archive = archive,
};

/* And where it learns duels. */
static const spar__posterior_class over_duels = {
    .entry = {"gp", "a Gaussian process over a continuous space that learns duels", "Chu and Ghahramani, ICML 2005",
              NULL},
    .size = sizeof(spar__gp_box),
    .box = true,
    .unit = true,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe = observe,
    .settle = settle,
    .draw = spar__gp_duels_draw,
    .best = spar__gp_duels_best,
    .moments = spar__gp_duels_moments,
    .moments_at = spar__gp_duels_moments_at,
    .peak = spar__gp_duels_peak,
    .accuracy = accuracy,
    .archive = archive,
};

/* At the corner farthest from 0. */
static spar_status check_corner(const spar__gp_box *self, spar_error *err)
{
    const spar_arms *arms = self->base.arms;
    double *corner = spar__alloc(arms->dim, sizeof *corner), *at = corner;
    if (!corner)
        return spar__fail_memory(err);
    for (size_t a = 0; a < arms->space.n_axes; a++) {
        const spar__space_axis *axis = &arms->space.axis[a];
        double farthest = axis->kind == SPAR__AXIS_CHOICE ? axis->hi : fmax(fabs(axis->lo), fabs(axis->hi));
        for (size_t i = 0; i < spar__axis_features(axis); i++)
            *at++ = farthest;
    }
    spar_status status = spar__gp_check_size(&self->kernel, corner, err);
    spar__free(corner);
    return status;
}

static spar_status keep_given(spar__gp_box *self, spar_error *err)
{
    self->given = spar__alloc(self->kernel.dim, sizeof *self->given);
    if (!self->given)
        return spar__fail_memory(err);
    memcpy(self->given, self->length, self->kernel.dim * sizeof *self->given);
    self->given_variance = self->kernel.variance;
    return SPAR_OK;
}

spar_status spar__gp_box_init(spar__posterior *base, const spar__values *values, const spar__gp_model *model,
                              double *length, spar_error *err)
{
    spar__gp_box *self = (spar__gp_box *)base;
    self->duels = spar__choice(values, "duels") == 1;
    base->cls = self->duels ? &over_duels : &over_a_box;
    self->length = length;
    self->kernel = model->kernel;
    self->noise = model->noise;
    self->offset = model->offset;
    self->explore = spar__number(values, "explore");
    self->apart = spar__number(values, "apart");
    self->start = spar__integer(values, "start");
    self->fit = spar__integer(values, "fit");
    if (self->start && !self->duels)
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: start= counts duels, and needs duels=1");
    if (self->fit && (!self->duels || self->kernel.kind != SPAR__KERNEL_SE))
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "gp: in a continuous space fit= needs duels=1 and kernel=se; without these set length=");
    spar_status status = check_corner(self, err);
    if (!status && self->fit)
        status = keep_given(self, err);
    if (status)
        return status;
    if (spar__growth_init(&self->growth, &self->kernel, self->duels ? DUELS_KNOWN : SPAR__NEWTON_KNOWN,
                          base->arms->n) ||
        resize(base))
        return spar__fail_memory(err);
    return SPAR_OK;
}
