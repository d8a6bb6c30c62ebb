/* box.c - the Gaussian-process belief over a continuous space, where every point played is a new arm.
 *
 * It is no backing of gp.c, whose points are known from the start, but has the same parts: answers that are pending,
 * and the posterior on a basis that grows by the points seen (gp_incremental.c). At every point of the box that is
 * exact but for what is said there, and the table of arms grows without rebuilding anything. The best point is the
 * highest one found on a path drawn from the posterior (box_best.c).
 *
 * With r points seen, d features and F frequencies, m slots: learning a round O(m r^2); choosing O((candidates + m
 * steps) (r + F) d + m r^2). With duels=1 learning takes nothing, and every question a fit of the weights. */
#include "posterior/gp/box.h"

#include "base/alloc.h"
#include "num/laplace.h"
#include "num/utility_gp.h"

#include <math.h>
#include <string.h>

#define DUELS_KNOWN 1e-5 /* one answer says so little that more functions would be a waste */
#define SHORTEST 0.05    /* length that a fit gives, and */
#define LONGEST 3
#define LEAST_VARIANCE 1

/* --- Duels: a logistic law in place of rewards ---
 *
 *     f ~ GP(0, kernel),     P(x is preferred to y) = 1 / (1 + exp(f(y) - f(x)))
 *
 * A reward says how often a point won, which depends on whom it met; a duel says who of two is better, whomever they
 * met before. The posterior of the weights is Laplace's approximation (num/laplace.h), computed from the list of
 * duels whenever the belief is asked, so that its bits depend on that list alone. With r points seen and n duels this
 * takes about 5 n r^2 operations; learning takes none.
 *
 * Chu and Ghahramani, Preference learning with Gaussian processes, ICML 2005. */

/* Who won more of his answers in this round is preferred; of two that are level nothing is known, unless they were
 * alone: then it was a tie. Each of k arms counts 2 / k: a choice of one from k says as much as that. */
static void take_duels(spar__gp_box *self)
{
    const spar__gp_pending *pending = &self->pending;
    size_t n = pending->n_touched;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            size_t a = pending->touched[i], b = pending->touched[k];
            double x = pending->sum[a] / pending->count[a], y = pending->sum[b] / pending->count[b];
            double won = x > y ? 1 : x < y ? 0 : 0.5, weight = 2 / (double)n;
            if ((n == 2 || x != y) && self->n_duels < self->duel_room)
                self->duel[self->n_duels++] = (spar__gp_duel){a, b, weight * won, weight * (1 - won)};
        }
}

/* row += sign times the coordinates of an arm that was seen. */
static void add_coordinates(const spar__gp_box *self, size_t arm, double sign, double *work, double *row)
{
    const spar__newton *basis = &self->growth.basis;
    size_t at = self->growth.place[arm];
    if (at < basis->r)
        for (size_t k = 0; k <= at; k++)
            row[k] += sign * basis->T[k * basis->stride + at];
    else {
        (void)spar__newton_at(basis, &self->kernel, self->base.arms->x + arm * self->kernel.dim, work);
        for (size_t k = 0; k < basis->r; k++)
            row[k] += sign * work[k];
    }
}

/* The posterior of the weights, as gp_incremental.c has it: R and z = R mode. */
static spar_status fit_weights(const spar__gp_box *self, spar_scratch *scratch, spar__laplace *l)
{
    size_t r = self->growth.basis.r, n = self->n_duels, mark = spar__scratch_mark(scratch);
    double *work = spar__scratch_take(scratch, r, sizeof *work);
    if (!work || spar__laplace_reserve(l, (r > n ? r : n) + 1))
        return SPAR_NOMEM;
    for (size_t k = 0; k < r; k++)
        spar__laplace_add_column(l);
    for (size_t i = 0; i < n; i++) {
        double *row = spar__laplace_add_row(l);
        add_coordinates(self, self->duel[i].a, 1, work, row);
        add_coordinates(self, self->duel[i].b, -1, work, row);
        l->won[i] = self->duel[i].won;
        l->lost[i] = self->duel[i].lost;
    }
    spar__laplace_settle(l);
    for (size_t i = 0; i < r; i++) {
        l->root.z[i] = 0;
        for (size_t k = i; k < r; k++)
            l->root.z[i] += l->root.R[i * l->root.stride + k] * l->mode[k];
    }
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* --- The lengths and the variance of a belief that learns duels ---
 *
 * They are those that the same duels say of a utility (num/taste.h): the means of the logarithms of length and scale
 * over a mixture by evidence, and the shape of each axis. In place of the mixture the likeliest pair alone was tried:
 * with few duels it is often far too long or too short, and what is asked then stays in one place.
 *
 * A fit follows when `fit` duels have come, and a quarter as many as the last one knew. So fits become rare, and all
 * fits of a log cost a few times what the last one does: 60 ms at 60 duels over three axes, 0.3 s from 250 on.
 *
 * Learning cannot fail, and how much memory a fit needs is known only when it is done. If there is too little, the
 * belief is behind: it answers as if it were not, by a fit for each question, or fails; and it learns nothing more
 * until the fit is made up for. So what is believed is the same with any memory. */

/* What the duels say about lengths (dim values) and variance. The first point is the one of reference: no length
 * depends on which it is. */
static spar_status fit_parameters(const spar__gp_box *self, double *length, double *variance)
{
    const spar_arms *arms = self->base.arms;
    spar_taste *taste = NULL;
    size_t dim = arms->dim, *axis = spar__alloc(dim, sizeof *axis);
    if (!axis)
        return SPAR_NOMEM;
    for (size_t a = 0, d = 0; a < arms->space.n_axes; a++)
        for (size_t i = spar__axis_features(&arms->space.axis[a]); i > 0; i--)
            axis[d++] = a;
    spar_status status = spar_taste_new(dim, axis, 1, arms->x, &taste);
    spar__free(axis);
    for (size_t i = 0; i < self->n_duels && !status; i++) {
        const spar__gp_duel *duel = &self->duel[i];
        size_t a, b;
        status = spar__taste_point(taste, arms->x + duel->a * dim, &a);
        if (!status)
            status = spar__taste_point(taste, arms->x + duel->b * dim, &b);
        if (!status)
            status = spar__taste_duel_add(taste, a, b, duel->won, duel->lost);
    }
    if (!status)
        status = spar_taste_compute(taste, NULL);
    if (!status) {
        double size = spar_taste_length(taste), scale = spar_taste_scale(taste);
        for (size_t d = 0; d < dim; d++)
            length[d] = fmin(fmax(size * taste->shape[taste->axis[d]], SHORTEST), LONGEST);
        *variance = fmax(scale * scale, LEAST_VARIANCE);
    }
    spar_taste_free(taste);
    return status;
}

static void drop_fitted(spar__gp_box *fitted)
{
    spar__growth_fini(&fitted->growth);
    spar__free(fitted->length);
}

/* The belief with fitted parameters, in *out. All but its lengths and its growth, which drop_fitted frees, is that of
 * self. */
static spar_status make_fitted(const spar__gp_box *self, spar__gp_box *out)
{
    size_t spare = self->growth.weights.stride - self->growth.basis.r; /* which reserve has promised */
    *out = *self;
    out->growth = (spar__growth){0};
    out->length = spar__alloc(self->kernel.dim, sizeof *out->length);
    out->kernel.length = out->length;
    spar_status status = out->length ? fit_parameters(self, out->length, &out->kernel.variance) : SPAR_NOMEM;
    if (!status)
        status = spar__growth_init(&out->growth, &out->kernel, self->growth.basis.tolerance, self->size.n);
    /* All points that were seen, in the order of their arms; of duels that is all there is to learn. */
    static const double none[SPAR__GP_BATCH];
    for (size_t i = 0; i < self->size.n && !status;) {
        size_t key[SPAR__GP_BATCH], some = 0;
        for (; i < self->size.n && some < SPAR__GP_BATCH; i++)
            if (self->count[i] > 0)
                key[some++] = i;
        status = spar__growth_reserve(&out->growth, some);
        if (!status)
            spar__growth_learn(&out->growth, self->base.arms->x, some, key, none, none);
    }
    if (!status && spar__growth_reserve(&out->growth, spare) == SPAR_NOMEM)
        status = SPAR_NOMEM;
    if (status)
        drop_fitted(out);
    return status;
}

/* Takes them over. SPAR_NOMEM: nothing has changed. If they make more functions than there may be, the old ones stay.
 */
static spar_status refit(spar__gp_box *self)
{
    spar__gp_box next;
    spar_status status = make_fitted(self, &next);
    self->behind = status == SPAR_NOMEM;
    if (status)
        return self->behind ? SPAR_NOMEM : SPAR_OK;
    drop_fitted(self);
    self->length = next.length;
    self->kernel = next.kernel;
    self->growth = next.growth;
    self->growth.kernel = &self->kernel;
    return SPAR_OK;
}

/* --- Learning --- */

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
    if (self->behind && refit(self))
        return SPAR_NOMEM;
    if (self->duels) {
        size_t need = self->n_duels + arms * (arms - (arms > 0)) / 2; /* what take_duels may add */
        spar__gp_duel *duel = spar__grow(self->duel, &self->duel_room, need, 0, sizeof *duel);
        if (!duel)
            return SPAR_NOMEM;
        self->duel = duel;
    }
    return spar__growth_reserve(&self->growth, arms);
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

static void settle(spar__posterior *base)
{
    spar__gp_box *self = (spar__gp_box *)base;
    spar__gp_pending_count(&self->pending, self->count, self->sum);
    if (self->duels)
        take_duels(self);
    (void)learn_pending(self);
    size_t more = self->fitted / 4 > self->fit ? self->fitted / 4 : self->fit;
    if (self->fit && self->n_duels - self->fitted >= more) {
        self->fitted = self->n_duels;
        (void)refit(self);
    }
}

/* --- Questions ---
 *
 * What is asked: the belief itself, or, where it learns duels, a copy that has their posterior as its weights. */
typedef struct box_view {
    const spar__gp_box *box;
    spar__gp_box copy;
    spar__laplace laplace; /* holds the weights of the copy */
    bool fitted;           /* for this look alone: the belief is behind */
} box_view;

static spar_status look(const spar__posterior *base, spar_scratch *scratch, box_view *view)
{
    const spar__gp_box *self = (const spar__gp_box *)base;
    *view = (box_view){.box = self};
    if (!self->duels)
        return SPAR_OK;
    view->box = &view->copy;
    spar_status status = self->behind ? make_fitted(self, &view->copy) : SPAR_UNSUPPORTED;
    view->fitted = !status;
    if (status == SPAR_NOMEM)
        return status;
    if (status) /* not behind, or as in refit */
        view->copy = *self;
    status = fit_weights(&view->copy, scratch, &view->laplace);
    if (view->fitted)
        spar__weights_free(&view->copy.growth.weights);
    view->copy.growth.weights = view->laplace.root;
    return status;
}

/* Ends a look; returns the status. */
static spar_status end(box_view *view, spar_status status)
{
    view->copy.growth.weights = (spar__weights){0};
    if (view->fitted)
        drop_fitted(&view->copy);
    spar__laplace_free(&view->laplace);
    return status;
}

static spar_status draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    box_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_draw(view.box, scratch, rng, theta));
}

static spar_status best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x)
{
    box_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_best(view.box, scratch, rng, m, arm, x));
}

static spar_status peak(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *x)
{
    box_view view;
    spar_status status = look(base, scratch, &view);
    return end(&view, status ? status : spar__gp_box_peak(view.box, scratch, rng, x));
}

static spar_status moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    box_view view;
    spar_status status = look(base, scratch, &view);
    if (!status)
        status = spar__growth_moments(&view.box->growth, base->arms->x, scratch, mean, sd);
    for (size_t i = 0; !status && mean && i < base->arms->n; i++)
        mean[i] += view.box->offset;
    return end(&view, status);
}

/* As spar__growth_moments, for one point that need not be in the table. */
static spar_status moments_at(const spar__posterior *base, spar_scratch *scratch, const double *x, double *mean,
                              double *sd)
{
    box_view view;
    spar_status status = look(base, scratch, &view);
    const spar__growth *growth = &view.box->growth;
    size_t mark = spar__scratch_mark(scratch), r = growth->basis.r;
    double *phi = spar__scratch_take(scratch, r, sizeof *phi), *w = spar__scratch_take(scratch, r, sizeof *w);
    if (!status && !(phi && w))
        status = SPAR_NOMEM;
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
            *mean = sum + view.box->offset;
        if (sd)
            *sd = sqrt(variance);
    }
    spar__scratch_release(scratch, mark);
    return end(&view, status);
}

static double accuracy(const spar__posterior *base)
{
    return spar__growth_accuracy(&((const spar__gp_box *)base)->growth);
}

static void archive(spar__posterior *base, spar__archive *ar)
{
    spar__gp_box *self = (spar__gp_box *)base;
    if (self->behind && !ar->loading)
        spar__archive_step(ar, refit(self));
    spar__archive_f64s(ar, self->count, self->size.n);
    spar__archive_f64s(ar, self->sum, self->size.n);
    spar__archive_check(ar, spar__gp_sound(self->size.n, self->count, self->sum));
    size_t n = self->n_duels;
    if (self->duels)
        spar__archive_size(ar, &n);
    if (self->duels && ar->loading && spar__archive_holds(ar, n)) {
        spar__free(self->duel);
        self->duel = spar__alloc(n, sizeof *self->duel);
        self->n_duels = self->duel_room = self->duel ? n : 0;
        spar__archive_step(ar, self->duel ? SPAR_OK : SPAR_NOMEM);
    }
    for (size_t i = 0; i < n && !ar->failed; i++) {
        spar__gp_duel *duel = &self->duel[i];
        spar__archive_size(ar, &duel->a);
        spar__archive_size(ar, &duel->b);
        spar__archive_f64(ar, &duel->won);
        spar__archive_f64(ar, &duel->lost);
        spar__archive_check(ar, duel->a < self->size.n && duel->b < self->size.n && duel->a != duel->b);
        spar__archive_check(ar, duel->won >= 0 && duel->won <= 1 && duel->lost >= 0 && duel->lost <= 1);
    }
    if (self->fit) { /* fitted parameters are state */
        bool good = true;
        spar__archive_size(ar, &self->fitted);
        spar__archive_f64(ar, &self->kernel.variance);
        spar__archive_f64s(ar, self->length, self->kernel.dim);
        for (size_t d = 0; d < self->kernel.dim; d++)
            good &= self->length[d] > 0 && isfinite(self->length[d]);
        spar__archive_check(ar, good && self->kernel.variance > 0 && isfinite(self->kernel.variance));
        spar__archive_check(ar, self->fitted <= self->n_duels);
    }
    if (ar->failed)
        return;
    if (ar->cache) {
        spar__growth_archive(&self->growth, base->arms->x, ar->cache);
    } else if (ar->loading) {
        spar__growth_forget(&self->growth);
        spar__gp_pending_all(&self->pending, self->size.n, self->count, self->sum);
        spar__archive_step(ar, learn_pending(self));
    }
}

/* What the class gp becomes over a box. */
static const spar__posterior_class over_a_box = {
    .entry = {"gp", "a Gaussian process over a continuous space", "Wilson et al., ICML 2020", NULL},
    .size = sizeof(spar__gp_box),
    .box = true,
    .recomputed = true,
    .unit = true,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe = observe,
    .settle = settle,
    .draw = draw,
    .best = best,
    .moments = moments,
    .moments_at = moments_at,
    .peak = peak,
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

spar_status spar__gp_box_init(spar__posterior *base, const spar__values *values, const spar__gp_model *model,
                              double *length, spar_error *err)
{
    spar__gp_box *self = (spar__gp_box *)base;
    self->duels = spar__choice(values, "duels") == 1;
    base->cls = &over_a_box;
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
    if (status)
        return status;
    if (self->fit) {
        self->given = spar__alloc(self->kernel.dim, sizeof *self->given);
        if (!self->given)
            return spar__fail_memory(err);
        memcpy(self->given, self->length, self->kernel.dim * sizeof *self->given);
        self->given_variance = self->kernel.variance;
    }
    if (spar__growth_init(&self->growth, &self->kernel, self->duels ? DUELS_KNOWN : SPAR__NEWTON_KNOWN,
                          base->arms->n) ||
        resize(base))
        return spar__fail_memory(err);
    return SPAR_OK;
}
