/* gp.c - the belief gp over a list of arms: points, choice of the backing, parameters, error. The essay is in gp.h.
 *
 * When the points or the parameters change, another body (points, model, backing) is made and learns all that is known,
 * which costs about as much as learning each point once. Everything else costs what the backing does. */

#include "base/alloc.h"
#include "base/order.h"
#include "num/elementary.h"
#include "num/linear.h"
#include "posterior/gp/box.h"
#include "types/arms.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* --- Answers that are pending, and points --- */

void spar__gp_pending_add(spar__gp_pending *pending, size_t point, double reward, double weight)
{
    if (!(weight > 0))
        return;
    if (pending->count[point] == 0)
        pending->touched[pending->n_touched++] = point;
    pending->count[point] += weight;
    pending->sum[point] += weight * reward;
}

void spar__gp_pending_count(const spar__gp_pending *pending, double *count, double *sum)
{
    for (size_t i = 0; i < pending->n_touched; i++) {
        size_t p = pending->touched[i];
        count[p] += pending->count[p];
        sum[p] += pending->sum[p];
    }
}

/* Room is made batch by batch, as points that bring nothing new take none; where reserve was called, it is there. */
spar_status spar__gp_pending_learn(spar__gp_pending *pending, double noise, double offset, const spar__gp_backing *cls,
                                   void *backing)
{
    double weight[SPAR__GP_BATCH], y[SPAR__GP_BATCH];
    for (size_t done = 0; done < pending->n_touched; done += SPAR__GP_BATCH) {
        const size_t *point = pending->touched + done;
        size_t left = pending->n_touched - done, some = left < SPAR__GP_BATCH ? left : SPAR__GP_BATCH;
        for (size_t i = 0; i < some; i++) {
            weight[i] = pending->count[point[i]] / noise;
            y[i] = pending->sum[point[i]] / pending->count[point[i]] - offset;
        }
        spar_status status = cls->reserve ? cls->reserve(backing, some) : SPAR_OK;
        if (status)
            return status;
        cls->learn(backing, some, point, weight, y);
    }
    spar__gp_pending_clear(pending);
    return SPAR_OK;
}

void spar__gp_pending_clear(spar__gp_pending *pending)
{
    for (size_t i = 0; i < pending->n_touched; i++)
        pending->count[pending->touched[i]] = pending->sum[pending->touched[i]] = 0;
    pending->n_touched = 0;
}

void spar__gp_pending_all(spar__gp_pending *pending, size_t n, const double *count, const double *sum)
{
    spar__gp_pending_clear(pending);
    for (size_t p = 0; p < n; p++) {
        if (!(count[p] > 0))
            continue;
        pending->touched[pending->n_touched++] = p;
        pending->count[p] = count[p];
        pending->sum[p] = sum[p];
    }
}

void spar__gp_pending_free(spar__gp_pending *pending)
{
    spar__free(pending->count);
    spar__free(pending->sum);
    spar__free(pending->touched);
}

spar_status spar__gp_points_make(const spar_arms *arms, spar__gp_points *out)
{
    spar__points at;
    *out = (spar__gp_points){0};
    spar_status status = spar__points_make(arms, &at);
    if (status)
        return status;
    *out = (spar__gp_points){.n = at.n, .dim = arms->dim, .x = at.x, .n_arms = arms->n, .point = at.of};
    spar__free(at.first);
    size_t n = out->n, end = 0;
    out->count = spar__alloc(n, sizeof *out->count);
    out->sum = spar__alloc(n, sizeof *out->sum);
    out->pending.count = spar__alloc(n, sizeof *out->pending.count);
    out->pending.sum = spar__alloc(n, sizeof *out->pending.sum);
    out->pending.touched = spar__alloc(n, sizeof *out->pending.touched);
    out->open = spar__alloc(n, sizeof *out->open);
    out->first = spar__alloc(n + 1, sizeof *out->first);
    out->arm = spar__alloc(out->n_arms, sizeof *out->arm);
    if (!out->count || !out->sum || !out->pending.count || !out->pending.sum || !out->pending.touched || !out->open ||
        !out->first || !out->arm) {
        spar__gp_points_free(out);
        return SPAR_NOMEM;
    }
    /* The live arms, by their points: first[p] counts those of point p, then it is where they end, and then, as they
     * are put there from the last on, where they begin. */
    size_t *first = out->first;
    for (size_t i = 0; i < arms->n; i++)
        first[out->point[i]] += arms->alive[i];
    for (size_t p = 0; p < n; p++) {
        out->open[p] = first[p] > 0;
        end += first[p];
        first[p] = end;
    }
    first[n] = end;
    for (size_t i = arms->n; i-- > 0;)
        if (arms->alive[i])
            out->arm[--first[out->point[i]]] = i;
    return SPAR_OK;
}

void spar__gp_points_free(spar__gp_points *points)
{
    spar__free(points->x);
    spar__free(points->count);
    spar__free(points->sum);
    spar__gp_pending_free(&points->pending);
    spar__free(points->open);
    spar__free(points->first);
    spar__free(points->point);
    spar__free(points->arm);
    *points = (spar__gp_points){0};
}

/* Takes over what `old` knew of the arms both have. */
static void points_inherit(spar__gp_points *points, const spar__gp_points *old)
{
    size_t both = points->n_arms < old->n_arms ? points->n_arms : old->n_arms;
    for (size_t i = 0; i < both; i++) {
        points->count[points->point[i]] = old->count[old->point[i]];
        points->sum[points->point[i]] = old->sum[old->point[i]];
    }
}

/* Only values that are at least `least` take part. Was one of them an open point's? */
static bool add_some(spar__gp_max *max, spar_rng *rng, size_t n, const double *value, double least, size_t start,
                     const size_t *map, const bool *open)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!(value[i] >= least))
            continue;
        size_t p = map ? map[start + i] : start + i;
        if (p == SIZE_MAX || !open[p])
            continue;
        any = true;
        if (!max->ties || value[i] > max->value)
            *max = (spar__gp_max){value[i], p, 1};
        else if (value[i] == max->value && spar_rng_below(rng, ++max->ties) == 0)
            max->index = p;
    }
    return any;
}

/* The largest of a chunk is found fast, and most often that is all there is to see. */
void spar__gp_max_add(spar__gp_max *max, spar_rng *rng, size_t n, const double *value, size_t start, const size_t *map,
                      const bool *open)
{
    enum { CHUNK = 128 };
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t count = n - i < CHUNK ? n - i : CHUNK;
        double top = spar__largest(count, value + i);
        if (max->ties && top < max->value)
            continue;
        if (!add_some(max, rng, count, value + i, top, start + i, map, open))
            (void)add_some(max, rng, count, value + i, max->ties ? max->value : -INFINITY, start + i, map, open);
    }
}

bool spar__gp_sound(size_t n, const double *count, const double *sum)
{
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good &= count[i] >= 0 && count[i] <= SPAR__LARGEST_COUNT && sum[i] >= 0 && sum[i] <= count[i] * (1 + 1e-9);
    return good;
}

/* --- Which backing serves: the rule and the measurements behind it are in gp.h --- */

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

/* The backing of that number in the list above, with the prior; auto chooses. */
static spar_status backing_new(size_t wanted, const spar__gp_model *model, const spar__gp_backing **cls, void **state,
                               spar_error *err)
{
    const spar__gp_points *points = model->points;
    for (size_t p = 0; p < points->n; p++) {
        spar_status status = spar__gp_check_size(&model->kernel, points->x + p * points->dim, err);
        if (status)
            return status;
    }
    if (wanted == AUTO) {
        /* Those that may do, best first. Of several that refuse, the basis says why. */
        spar__kernel_kind kind = model->kernel.kind;
        bool at_once = kind != SPAR__KERNEL_SE && kind != SPAR__KERNEL_LINEAR && points->n >= ROUGH;
        size_t which[3], n = 0;
        if (at_once)
            which[n++] = MATHERON;
        if (points->dim > 1 && points->n >= GRID)
            which[n++] = ON_GRID;
        which[n++] = BASIS;
        if (!at_once)
            which[n++] = MATHERON;
        spar_status status = SPAR_UNSUPPORTED;
        for (size_t i = 0; status == SPAR_UNSUPPORTED && i < n; i++) {
            *cls = backings[which[i]];
            status = try(*cls, model, state, which[i] == BASIS ? err : NULL);
        }
        return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
    }
    *cls = backings[wanted];
    return try(*cls, model, state, err);
}

/* --- What truncation and rounding may have done to the posterior, to first order ---
 *
 * Let s_i be the row of weights by which observations make the mean of point i (s_ip = cov(i, p) n_p / noise), a_i =
 * e_i - s_i, and alpha_p = n_p (y_p - mean_p) / noise. An error E of the kernel's matrix, from what the basis left out
 * and from rounding, changes
 *
 *     mean_i by a_i E alpha,     var_i by a_i E a_i
 *
 * taken as if E had no pattern, of a size relative to the points' own variances. To the mean comes what rounding did to
 * each observation as it was learned (num/laplace.h). The largest over all points, or SAMPLE of them. Tests compare it
 * with the posterior in long double. */

enum { SAMPLE = 64 };
#define ROUNDING 4e-16 /* of an element of K, at few points; a factor of K loses more with every column */
#define SAFETY 4

/* --- The parameters by maximum marginal likelihood ---
 *
 * With n_p answers of mean y_p about each of n points, N = diag(n_p) and C their covariance at variance 1,
 *
 *     y ~ N(0, v C + s N^-1) = N(0, s N^-1/2 (I + q M) N^-1/2),     M = N^1/2 C N^1/2,  q = v / s
 *     -2 log p(y) = n log s + log det(I + q M) + u^T (I + q M)^-1 u / s + constant,     u = N^1/2 y
 *
 * For every length one reduction of M to tridiagonal form makes all v and s cheap, and the best s for a q is known in
 * closed form. The search is over a common factor of the lengths and over q: a grid, then golden sections about its
 * best place. Lengths and noise go from a hundredth to a hundred times what was given, and so does the variance if the
 * noise is fixed. Cost: 45 reductions for at most MOST points, those with most answers: 3 ms for 30 points, 30 ms for
 * 100, 0.15 s for 200.
 *
 * Duels need fit_noise, or a noise near that of a coin, 1/4: from 300 duels of random pairs of 30 arms whose utilities
 * are a draw with length 0.2, the median of 60 fitted lengths is 0.19 with noise=0.25, 0.17 with the noise fitted, and
 * 0.03 with noise=0.025 (all with mean=0.5). From 300 direct observations it is 0.20. */

enum { LEAST = 3, MOST = 200, LENGTHS = 25, VARIANCES = 65 };

static const double reach = 4.605170185988092; /* log 100 */

typedef struct fit {
    const spar__gp_model *given;
    bool fit_noise;
    size_t n;               /* points */
    double *x, *root, *u;   /* their features, the roots of their counts, and N^1/2 y */
    double *length;         /* being tried */
    double variance, noise; /* the best with it */
    spar__tridiagonal t;    /* of M */
} fit;

typedef double function(fit *self, double at);

/* Where in [low, high] a function is largest, within 1e-4; f was last called there. */
static double maximise(function *f, fit *self, double low, double high, size_t grid)
{
    static const double golden = 0.6180339887498949;
    double step = (high - low) / (double)(grid - 1), best = low, most = -INFINITY;
    for (size_t i = 0; i < grid; i++) {
        double at = low + (double)i * step, value = f(self, at);
        if (value > most) {
            most = value;
            best = at;
        }
    }
    low = fmax(low, best - step);
    high = fmin(high, best + step);
    double x = high - golden * (high - low), y = low + golden * (high - low);
    double fx = f(self, x), fy = f(self, y);
    while (high - low > 1e-4) {
        if (fx >= fy) {
            high = y;
            y = x;
            fy = fx;
            x = high - golden * (high - low);
            fx = f(self, x);
        } else {
            low = x;
            x = y;
            fx = fy;
            y = low + golden * (high - low);
            fy = f(self, y);
        }
    }
    if (fmax(fx, fy) > most)
        best = fx >= fy ? x : y;
    (void)f(self, best);
    return best;
}

/* The log likelihood with exp(at) times the given v / s, for the length being tried. */
static double of_variance(fit *self, double at)
{
    const spar__gp_model *given = self->given;
    double log_det, form, q = spar__exp(at) * given->kernel.variance / given->noise, noise = given->noise;
    double answers = (double)self->n;
    spar__tridiagonal_at(&self->t, q, &log_det, &form);
    if (self->fit_noise)
        noise = fmin(fmax(form / answers, noise / 100), 100 * noise);
    self->noise = noise;
    self->variance = q * noise;
    return -0.5 * (answers * spar__log(noise) + log_det + form / noise);
}

/* The same for the best variance, with exp(at) times the given lengths. */
static double of_length(fit *self, double at)
{
    spar__kernel kernel = self->given->kernel;
    for (size_t d = 0; d < kernel.dim; d++)
        self->length[d] = kernel.length[d] * spar__exp(at);
    kernel.length = self->length;
    kernel.variance = 1;
    for (size_t i = 0; i < self->n; i++) {
        double *row = self->t.m + i * self->n;
        spar__kernel_row(&kernel, self->x + i * kernel.dim, i + 1, self->x, row);
        for (size_t j = 0; j <= i; j++)
            row[j] *= self->root[i] * self->root[j];
    }
    memcpy(self->t.u, self->u, self->n * sizeof *self->u);
    spar__tridiagonal_reduce(&self->t);
    double wide = self->fit_noise ? 2 * reach : reach;
    return of_variance(self, maximise(of_variance, self, -wide, wide, VARIANCES));
}

spar_status spar__gp_fit(const spar__gp_model *given, bool fit_noise, double *length, double *variance, double *noise)
{
    fit self = {.given = given, .fit_noise = fit_noise};
    const spar__gp_points *points = given->points;
    size_t seen = 0, dim = points->dim;
    spar__ranked *by_count = spar__alloc(points->n, sizeof *by_count);
    if (!by_count)
        return SPAR_NOMEM;
    for (size_t p = 0; p < points->n; p++)
        if (points->count[p] > 0)
            by_count[seen++] = (spar__ranked){-points->count[p], p};
    spar__rank(seen, by_count);
    self.n = seen < MOST ? seen : MOST;
    self.x = spar__alloc(self.n, dim * sizeof *self.x);
    self.root = spar__alloc(self.n, sizeof *self.root);
    self.u = spar__alloc(self.n, sizeof *self.u);
    self.length = spar__alloc(dim, sizeof *self.length);
    spar_status status = SPAR_NOMEM;
    if (self.x && self.root && self.u && self.length)
        status = self.n < LEAST ? SPAR_UNSUPPORTED : spar__tridiagonal_init(&self.t, self.n);
    for (size_t i = 0; !status && i < self.n; i++) { /* what is known of the points with most answers */
        size_t p = by_count[i].index;
        memcpy(self.x + i * dim, points->x + p * dim, dim * sizeof *self.x);
        self.root[i] = sqrt(points->count[p]);
        self.u[i] = self.root[i] * (points->sum[p] / points->count[p] - given->offset);
    }
    if (!status) {
        (void)maximise(of_length, &self, -reach, reach, LENGTHS);
        memcpy(length, self.length, given->kernel.dim * sizeof *length);
        *variance = self.variance;
        *noise = self.noise;
    }
    spar__free(by_count);
    spar__tridiagonal_free(&self.t);
    spar__free(self.x);
    spar__free(self.root);
    spar__free(self.u);
    spar__free(self.length);
    return status;
}

/* --- The belief --- */

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
    bool behind;          /* for the last fit there was no memory: it is to be made up for, as in box.c */
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
        status = backing_new(self->wanted, &b->model, &b->cls, &b->backing, err);
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
    points_inherit(points, &self->body->points);
    spar__gp_pending_all(&points->pending, points->n, points->count, points->sum);
    status = learn_pending(*out);
    if (status) {
        body_free(*out);
        *out = NULL;
    }
    return status;
}

static spar_status replace(gp *self, const spar__gp_model *model, const double *length)
{
    body *b;
    spar_status status = body_remake(self, model, length, &b);
    if (status)
        return status;
    body_free(self->body);
    self->body = b;
    return SPAR_OK;
}

static spar_status resize(spar__posterior *base)
{
    gp *self = (gp *)base;
    spar__gp_points points;
    if (spar__gp_points_make(base->arms, &points))
        return SPAR_NOMEM;
    spar__gp_points *old = &self->body->points;
    if (points.n == old->n && memcmp(points.x, old->x, old->n * old->dim * sizeof *old->x) == 0) {
        points_inherit(&points, old); /* the same points, if not the same arms */
        spar__gp_points_free(old);
        *old = points;
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
    const spar__value *lengths = spar__value_of(values, "length"); /* one, or one for each feature */
    if (spar__choice(values, "duels") == 1 && !spar__arms_continuous(base->arms))
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: duels=1 is for a continuous space; a list of arms has pair_gp");
    if (!spar__arms_continuous(base->arms) &&
        (spar__number(values, "explore") != 1 || spar__number(values, "apart") > 0 || spar__integer(values, "start")))
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: explore=, apart= and start= are for a continuous space");
    if (base->arms->dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: the arms have no features, which a Gaussian process is over");
    if (lengths->n != 1 && lengths->n != base->arms->dim)
        return spar__fail(err, SPAR_INVALID, "gp: length has %zu values, but the arms have %zu feature%s", lengths->n,
                          base->arms->dim, base->arms->dim == 1 ? "" : "s");
    double *length = spar__alloc(base->arms->dim, sizeof *length);
    if (!length)
        return spar__fail_memory(err);
    for (size_t d = 0; d < base->arms->dim; d++)
        length[d] = lengths->numbers[lengths->n == 1 ? 0 : d];
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
    if (b) {
        body_free(self->body);
        self->body = b;
    }
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

/* About how far mean and sd of the backing may be from those of exact arithmetic. */
static double accuracy(const spar__posterior *base)
{
    const body *b = ((const gp *)base)->body;
    const spar__gp_points *points = &b->points;
    size_t n = points->n, every = (n + SAMPLE - 1) / SAMPLE;
    double worst = 0, leak = 0, alphas = 0, answers = 0, largest = 0, most = 0; /* most: the largest k(x, x) */
    double *mean = spar__alloc(n, sizeof *mean), *row = spar__alloc(n, sizeof *row);
    double *size = spar__alloc(n, sizeof *size); /* sqrt of k(x, x) of each point */
    spar_scratch *scratch = NULL;
    spar_status status = mean && row && size ? spar_scratch_new(&scratch) : SPAR_NOMEM;
    if (!status)
        status = b->cls->moments(b->backing, scratch, mean, NULL);
    for (size_t p = 0; !status && p < n; p++) {
        const double *x = points->x + p * points->dim;
        double variance = spar__kernel_at(&b->model.kernel, x, x);
        double alpha = (points->sum[p] - points->count[p] * (mean[p] + b->model.offset)) / b->model.noise;
        size[p] = sqrt(variance);
        most = fmax(most, variance);
        largest = fmax(largest, fabs(mean[p]));
        alphas += alpha * alpha * variance;
        answers += points->count[p];
    }
    /* Of the kernel, relative. Rounding of a linear kernel is counted in `leak`. */
    double rounding = b->model.kernel.kind == SPAR__KERNEL_LINEAR ? 0 : ROUNDING * (1 + (double)n / 50);
    double error = most > 0 ? b->cls->residual(b->backing) / most + rounding : 0;
    for (size_t i = 0; !status && i < n; i += every) {
        double square = 0;
        status = b->cls->row(b->backing, scratch, i, row, &leak);
        for (size_t p = 0; !status && p < n; p++) {
            double a = ((double)(p == i) - row[p] * points->count[p] / b->model.noise) * size[p];
            square += a * a;
        }
        if (status)
            break;
        double variance = error * square, sd = sqrt(fmax(row[i], 0));
        double deviation = sd > 0 ? fmin(sqrt(variance), variance / (2 * sd)) : sqrt(variance);
        worst = fmax(worst, fmax(error * sqrt(square) * sqrt(alphas) + leak, deviation));
    }
    spar_scratch_free(scratch);
    spar__free(row);
    spar__free(size);
    spar__free(mean);
    /* Beside it what rounding makes of numbers of this size after that many answers. */
    double least = (3e-15 + 1e-15 * sqrt(answers)) * fmax(sqrt(most), largest);
    return status ? NAN : SAFETY * worst + least;
}

/* What the backing holds follows from the counts and sums, but for rounding. */
static void archive(spar__posterior *base, spar__archive *ar)
{
    gp *self = (gp *)base;
    if (self->behind && !ar->loading)
        spar__archive_step(ar, refit(self));
    spar__archive_size(ar, &self->rounds);
    if (self->fit) {
        /* Fitted parameters are state. A loaded body is built with them before it gets what it knew. */
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

const spar__posterior_class spar__posterior_gp = {
    .entry = {"gp", "a Gaussian process over the features of the arms", "Rasmussen and Williams, MIT Press 2006",
              params},
    .size = sizeof(gp) > sizeof(spar__gp_box) ? sizeof(gp) : sizeof(spar__gp_box),
    .box = true,
    .unit = true,
    .recomputed = true,
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
