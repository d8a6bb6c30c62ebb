/* gp - a Gaussian process over the features of the arms. Papers, backings and costs: gp.h. */
#include "posterior/gp/gp.h"

#include "base/alloc.h"
#include "posterior/gp/box.h"

#include <math.h>
#include <string.h>

/* The points with everything that depends on them; when they change, a new body replaces the old one. */
typedef struct body {
    spar__gp_model model;
    spar__gp_points points;
    double *length; /* dim values */
    const spar__gp_backing *cls;
    void *backing;
} body;

typedef struct gp {
    spar__posterior base;
    size_t wanted; /* backing */
    size_t fit;    /* rounds between fits; 0: never */
    bool fit_noise;
    size_t rounds;        /* settled */
    bool behind;          /* for the last fit there was no memory: it is to be made up for, as in box_fit.c */
    spar__gp_model given; /* as written; the body's may be fitted. Its points are not used */
    double *given_length;
    body *body;
} gp;

static void body_free(body *b)
{
    if (!b)
        return;
    if (b->backing)
        b->cls->fini(b->backing);
    spar__free(b->backing);
    spar__gp_points_free(&b->points);
    spar__free(b->length);
    spar__free(b);
}

/* A body over the present arms that knows nothing. Model: what to take over besides the points. */
static spar_status body_make(const gp *self, const spar__gp_model *like, const double *length, body **out,
                             spar_error *err)
{
    *out = NULL;
    const spar_arms *arms = self->base.arms;
    body *b = spar__alloc(1, sizeof *b);
    spar_status status = b ? SPAR_OK : spar__fail_memory(err);
    if (!status && (spar__gp_points_make(arms, &b->points) || !(b->length = spar__alloc(arms->dim, sizeof *b->length))))
        status = spar__fail_memory(err);
    if (!status) {
        memcpy(b->length, length, arms->dim * sizeof *length);
        b->model = *like;
        b->model.kernel.dim = arms->dim;
        b->model.kernel.length = b->length;
        b->model.points = &b->points;
        status = spar__gp_backing_new(self->wanted, &b->model, &b->cls, &b->backing, err);
    }
    if (status) {
        body_free(b);
        return status;
    }
    *out = b;
    return SPAR_OK;
}

static spar_status learn_pending(body *b)
{
    return spar__gp_pending_learn(&b->points.pending, b->model.noise, b->model.offset, b->cls, b->backing);
}

/* Another body, with what the present one knows. */
static spar_status body_remake(const gp *self, const spar__gp_model *model, const double *length, body **out)
{
    spar_status status = body_make(self, model, length, out, NULL);
    if (status)
        return status;
    spar__gp_points *points = &(*out)->points;
    spar__gp_points_inherit(points, &self->body->points);
    spar__gp_pending_all(&points->pending, points->n, points->count, points->sum);
    status = learn_pending(*out);
    if (status) {
        body_free(*out);
        *out = NULL;
    }
    return status;
}

static void take_over(gp *self, body *b)
{
    body_free(self->body);
    self->body = b;
}

static spar_status replace(gp *self, const spar__gp_model *model, const double *length)
{
    body *b;
    spar_status status = body_remake(self, model, length, &b);
    if (!status)
        take_over(self, b);
    return status;
}

static spar_status resize(spar__posterior *base)
{
    gp *self = (gp *)base;
    spar__gp_points points;
    if (spar__gp_points_make(base->arms, &points))
        return SPAR_NOMEM;
    if (spar__gp_points_same(&points, &self->body->points)) {
        spar__gp_points_inherit(&points, &self->body->points);
        spar__gp_points_free(&self->body->points);
        self->body->points = points;
        return SPAR_OK;
    }
    spar__gp_points_free(&points);
    return replace(self, &self->body->model, self->body->length);
}

static spar_status init(spar__posterior *base, const spar__values *values, spar_error *err)
{
    gp *self = (gp *)base;
    spar__gp_model given = {
        .kernel = {.kind = (spar__kernel_kind)spar__choice(values, "kernel"),
                   .variance = spar__number(values, "variance"),
                   .dim = base->arms->dim},
        .noise = spar__number(values, "noise"),
        .offset = spar__number(values, "mean") + (spar__choice(values, "centre") ? 0.5 : 0),
    };
    double *length;
    if (spar__choice(values, "duels") == 1 && !spar__arms_continuous(base->arms))
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: duels=1 is for a continuous space; a list of arms has pair_gp");
    if (!spar__arms_continuous(base->arms) &&
        (spar__number(values, "explore") != 1 || spar__number(values, "apart") > 0 || spar__integer(values, "start")))
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: explore=, apart= and start= are for a continuous space");
    spar_status status = spar__gp_read_lengths(base->arms, values, &length, err);
    if (status)
        return status;
    given.kernel.length = length;
    if (spar__arms_continuous(base->arms))
        return spar__gp_box_init(base, values, &given, length, err);
    self->wanted = spar__choice(values, "backing");
    self->fit = spar__integer(values, "fit");
    self->fit_noise = spar__choice(values, "fit_noise") == 1;
    self->given = given;
    self->given_length = length;
    return body_make(self, &self->given, length, &self->body, err);
}

static void fini(spar__posterior *base)
{
    body_free(((gp *)base)->body);
    spar__free(((gp *)base)->given_length);
}

static void forget(spar__posterior *base)
{
    gp *self = (gp *)base;
    spar__gp_points *points = &self->body->points;
    memset(points->count, 0, points->n * sizeof *points->count);
    memset(points->sum, 0, points->n * sizeof *points->sum);
    spar__gp_pending_clear(&points->pending);
    self->rounds = 0;
    self->behind = false;
    self->body->cls->forget(self->body->backing);
}

/* A body with parameters that are fitted to what is known; NULL: those that there are stay. SPAR_NOMEM alone fails. */
static spar_status fitted(const gp *self, body **out)
{
    spar__gp_model given = self->given, model = self->body->model;
    given.points = &self->body->points;
    *out = NULL;
    double *length = spar__alloc(given.kernel.dim, sizeof *length);
    spar_status status =
        length ? spar__gp_fit(&given, self->fit_noise, length, &model.kernel.variance, &model.noise) : SPAR_NOMEM;
    if (!status)
        status = body_remake(self, &model, length, out);
    spar__free(length);
    return status == SPAR_NOMEM ? SPAR_NOMEM : SPAR_OK;
}

static spar_status refit(gp *self)
{
    body *b;
    spar_status status = fitted(self, &b);
    self->behind = status != SPAR_OK;
    if (b)
        take_over(self, b);
    return status;
}

static spar_status reserve(spar__posterior *base, size_t arms)
{
    gp *self = (gp *)base;
    if (self->behind && refit(self))
        return SPAR_NOMEM;
    const body *b = self->body;
    return b->cls->reserve ? b->cls->reserve(b->backing, arms) : SPAR_OK;
}

static void observe(spar__posterior *base, size_t arm, double reward, double weight)
{
    spar__gp_points *points = &((gp *)base)->body->points;
    spar__gp_pending_add(&points->pending, points->point[arm], reward, weight);
}

static void settle(spar__posterior *base)
{
    gp *self = (gp *)base;
    spar__gp_points *points = &self->body->points;
    spar__gp_pending_count(&points->pending, points->count, points->sum);
    (void)learn_pending(self->body);
    self->rounds++;
    if (self->fit && self->rounds % self->fit == 0)
        (void)refit(self);
}

/* The body to ask. If the belief is behind, one that is fitted for this question alone: *own, to be freed. NULL: no
 * memory. */
static const body *look(const spar__posterior *base, body **own)
{
    const gp *self = (const gp *)base;
    *own = NULL;
    if (self->behind && fitted(self, own))
        return NULL;
    return *own ? *own : self->body;
}

static spar_status draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    body *own;
    const body *b = look(base, &own);
    if (!b)
        return SPAR_NOMEM;
    size_t mark = spar__scratch_mark(scratch);
    double *value = spar__scratch_take(scratch, b->points.n, sizeof *value);
    spar_status status = value ? b->cls->draw(b->backing, scratch, rng, value) : SPAR_NOMEM;
    for (size_t i = 0; !status && i < b->points.n_arms; i++)
        theta[i] = value[b->points.point[i]] + b->model.offset;
    spar__scratch_release(scratch, mark);
    body_free(own);
    return status;
}

static spar_status best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x)
{
    body *own;
    const body *b = look(base, &own);
    (void)x;
    if (!b)
        return SPAR_NOMEM;
    const size_t *first = b->points.first;
    spar_status status = b->cls->best(b->backing, scratch, rng, m, b->points.open, arm);
    for (size_t j = 0; !status && j < m; j++) {
        size_t p = arm[j], live = first[p + 1] - first[p];
        arm[j] = b->points.arm[first[p] + (live > 1 ? (size_t)spar_rng_below(rng, live) : 0)];
    }
    body_free(own);
    return status;
}

/* In place: the arms' numbers from those of their points. */
static spar_status moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    body *own;
    const body *b = look(base, &own);
    if (!b)
        return SPAR_NOMEM;
    size_t mark = spar__scratch_mark(scratch), n = b->points.n;
    double *point_mean = spar__scratch_take(scratch, n, sizeof *point_mean);
    double *point_sd = spar__scratch_take(scratch, n, sizeof *point_sd);
    spar_status status = SPAR_NOMEM;
    if (point_mean && point_sd)
        status = b->cls->moments(b->backing, scratch, mean ? point_mean : NULL, sd ? point_sd : NULL);
    for (size_t i = 0; !status && i < b->points.n_arms; i++) {
        size_t p = b->points.point[i];
        if (mean)
            mean[i] = point_mean[p] + b->model.offset;
        if (sd)
            sd[i] = point_sd[p];
    }
    spar__scratch_release(scratch, mark);
    body_free(own);
    return status;
}

spar_status spar__gp_covariance(const spar__posterior *base, spar_scratch *scratch, size_t arm, size_t other,
                                double *out)
{
    const body *b = ((const gp *)base)->body;
    size_t mark = spar__scratch_mark(scratch);
    double leak, *row = spar__scratch_take(scratch, b->points.n, sizeof *row);
    spar_status status = row ? b->cls->row(b->backing, scratch, b->points.point[arm], row, &leak) : SPAR_NOMEM;
    if (!status)
        *out = row[b->points.point[other]];
    spar__scratch_release(scratch, mark);
    return status;
}

const char *spar__gp_backing_name(const spar__posterior *base)
{
    return ((const gp *)base)->body->cls->name;
}

static double accuracy(const spar__posterior *base)
{
    const body *b = ((const gp *)base)->body;
    return spar__gp_accuracy(&b->model, b->cls, b->backing);
}

/* Fitted parameters are state. A loaded body is built with them before it gets what it knew. */
static void archive_fit(gp *self, spar__archive *ar)
{
    spar__gp_model model = self->body->model;
    size_t dim = self->body->points.dim;
    double *length = spar__alloc(dim, sizeof *length);
    if (!length) {
        spar__archive_step(ar, SPAR_NOMEM);
        return;
    }
    memcpy(length, self->body->length, dim * sizeof *length);
    spar__archive_f64(ar, &model.kernel.variance);
    spar__archive_f64(ar, &model.noise);
    spar__archive_f64s(ar, length, dim);
    bool good = model.kernel.variance > 0 && model.noise > 0 && isfinite(model.kernel.variance + model.noise);
    for (size_t d = 0; d < dim; d++)
        good &= length[d] > 0 && isfinite(length[d]);
    spar__archive_check(ar, good);
    if (ar->loading && !ar->failed)
        spar__archive_step(ar, replace(self, &model, length));
    spar__free(length);
}

/* What the backing holds follows from the counts and sums, but for rounding. */
static void archive(spar__posterior *base, spar__archive *ar)
{
    gp *self = (gp *)base;
    if (self->behind && !ar->loading)
        spar__archive_step(ar, refit(self));
    spar__archive_size(ar, &self->rounds);
    if (self->fit)
        archive_fit(self, ar);
    spar__gp_points *points = &self->body->points;
    spar__archive_f64s(ar, points->count, points->n);
    spar__archive_f64s(ar, points->sum, points->n);
    spar__archive_check(ar, spar__gp_sound(points->n, points->count, points->sum));
    if (ar->failed)
        return;
    if (ar->cache)
        self->body->cls->archive(self->body->backing, ar->cache);
    else if (ar->loading)
        spar__archive_step(ar, replace(self, &self->body->model, self->body->length));
}

static const spar_param params[] = {
    {"kernel", SPAR_PARAM_CHOICE, "se", 0, 0, SPAR__KERNEL_CHOICES, "how similar two arms are"},
    {"length", SPAR_PARAM_NUMBERS, "0.2", 1e-6, 1e6, NULL, "distance over which values vary, one or one per feature"},
    {"variance", SPAR_PARAM_NUMBER, "1", 1e-9, 1e9, NULL, "of an arm's value before anything is known"},
    {"noise", SPAR_PARAM_NUMBER, "0.025", 1e-12, 1e6, NULL, "variance of one answer around the arm's value"},
    {"mean", SPAR_PARAM_NUMBER, "0", -1e6, 1e6, NULL, "of an arm's value before anything is known"},
    {"centre", SPAR_PARAM_CHOICE, "0", 0, 0, "0|1", "1 observes the reward less a half"},
    {"fit", SPAR_PARAM_INTEGER, "0", 0, 1e6, NULL,
     "rounds between fits of length, variance and noise (with duels=1: at least so many duels); 0 is never"},
    {"fit_noise", SPAR_PARAM_CHOICE, "1", 0, 0, "0|1", "0: a fit leaves the noise as it was given"},
    {"duels", SPAR_PARAM_CHOICE, "0", 0, 0, "0|1",
     "1 (continuous spaces only): answers are duels with a logistic law, and values log-odds"},
    {"explore", SPAR_PARAM_NUMBER, "1", 0.01, 100, NULL,
     "continuous spaces: how far draws are from the mean, in standard deviations; below 1 explores less"},
    {"apart", SPAR_PARAM_NUMBER, "0", 0, 100, NULL,
     "continuous spaces: points of a round are so many lengths apart along some axis"},
    {"start", SPAR_PARAM_INTEGER, "0", 0, 1e6, NULL,
     "with duels=1: so many duels of points all over the space come first"},
    {"backing", SPAR_PARAM_CHOICE, "auto", 0, 0, SPAR__GP_BACKINGS, "how it is computed; all give the same"},
    {0},
};

extern const spar__posterior_class spar__posterior_gp;
const spar__posterior_class spar__posterior_gp = {
    .entry = {"gp", "a Gaussian process over the features of the arms", "Rasmussen and Williams, MIT Press 2006",
              params},
    .size = sizeof(gp) > sizeof(spar__gp_box) ? sizeof(gp) : sizeof(spar__gp_box),
    .box = true,
    .unit = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe = observe,
    .settle = settle,
    .draw = draw,
    .best = best,
    .moments = moments,
    .accuracy = accuracy,
    .archive = archive,
};
