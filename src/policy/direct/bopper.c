/* bopper - preferential Bayesian optimisation: a Gaussian process over ordered pairs of arms, seen through duels.
 *
 * Gonzalez, Dai, Damianou, Lawrence, Preferential Bayesian Optimization, ICML 2017 (dueling Thompson sampling).
 *
 *     P(x beats x') = sigma(f(x, x')),   f ~ GP(0, k),   k((x, x'), (y, y')) = variance exp(-(|x-y|^2 + |x'-y'|^2) / 2
 * length^2)
 *
 * A duel is one observation of (slot 0's arm, slot 1's arm); a tie is half a win and half a loss; an arm beside itself
 * is a pair like any other. The posterior of f is Laplace's approximation.
 *
 *     first  = argmax_x of the mean over live x' of sigma(f(x, x')), for one f drawn from the posterior
 *     second = argmax_x' of the variance of sigma(f(first, x')); within 1e-9 they are equal
 *
 * Of the p distinct pairs seen, r become pivots (num/pivots.h); the posterior is that of r weights (num/laplace.h). A
 * draw over all pairs needs no factor of their covariance: with phi phi^T the covariance of the n distinct points, f =
 * phi Z phi^T is the prior for Z of standard normals, and what the weights say moves it by phi C phi^T for a C of the
 * rank of phi (Matheron's rule). The score is the posterior mean of what the first arm maximises.
 *
 * Cost of a round: O(p r^2) to learn, O(n^2 q + n r^2) to choose with q columns of phi; O(n^2 r^2) to score. */
#include "policy/policy.h"

#include "base/alloc.h"
#include "base/scratch.h"
#include "num/basis.h"
#include "num/elementary.h"
#include "num/laplace.h"
#include "num/pivots.h"
#include "num/squash.h"
#include "posterior/argmax.h"
#include "sampler/sampler.h"
#include "types/points.h"

#include <math.h>
#include <string.h>

typedef struct duel {
    size_t first, second; /* arms, the lowest-numbered ones of their points */
} duel;

typedef struct bopper {
    spar_policy base;
    double variance;
    double *length;      /* of both arms' features */
    spar__points points; /* of the arms */
    spar__basis phi;     /* of the points, so that the product of two has the variance of f */
    double *phi_t;       /* its transpose */
    duel *duel;          /* the pairs that were seen */
    double *pivot_x;     /* features of both arms of the pivots */
    size_t room;         /* of these two arrays */
    spar__pivots pivots; /* of the pairs */
    spar__laplace belief;
} bopper;

static spar__kernel kernel_of_pairs(const bopper *self)
{
    return (spar__kernel){SPAR__KERNEL_SE, 2 * self->base.arms->dim, self->length, self->variance};
}

/* The basis of the points, and its transpose. */
static spar_status make_basis(const bopper *self, const spar__points *points, spar__basis *phi, double **phi_t)
{
    spar__kernel kernel = {SPAR__KERNEL_SE, self->base.arms->dim, self->length, sqrt(self->variance)};
    spar_status status = spar__basis_make(&kernel, points->n, points->x, 1e-14, points->n, phi);
    if (status)
        return status;
    *phi_t = spar__alloc(phi->n, phi->r * sizeof **phi_t);
    if (!*phi_t) {
        spar__basis_free(phi);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < phi->n; i++)
        for (size_t k = 0; k < phi->r; k++)
            (*phi_t)[k * phi->n + i] = phi->phi[i * phi->r + k];
    return SPAR_OK;
}

static void drop_points(bopper *self)
{
    spar__points_free(&self->points);
    spar__basis_free(&self->phi);
    spar__free(self->phi_t);
}

/* What was learned is about features, so a new arm only means more points. */
static spar_status resize(spar_policy *base, spar_error *err)
{
    bopper *self = (bopper *)base;
    if (self->points.arms == base->arms->n)
        return SPAR_OK; /* one has retired */
    spar__points points;
    spar__basis phi = {0};
    double *phi_t = NULL;
    spar_status status = spar__points_make(base->arms, &points);
    if (!status)
        status = make_basis(self, &points, &phi, &phi_t);
    if (status) {
        spar__points_free(&points);
        return spar__fail(err, status, "%s: %s", base->spec, spar_status_text(status));
    }
    drop_points(self);
    self->points = points;
    self->phi = phi;
    self->phi_t = phi_t;
    return SPAR_OK;
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    bopper *self = (bopper *)base;
    size_t dim = 2 * base->arms->dim;
    if (dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs arms with features, and these have none", base->spec);
    self->variance = spar__number(values, "variance");
    self->pivots.tolerance = 1e-12 * self->variance;
    self->length = spar__alloc(dim, sizeof *self->length);
    if (!self->length)
        return spar__fail_memory(err);
    for (size_t d = 0; d < dim; d++)
        self->length[d] = spar__number(values, "length");
    return resize(base, err);
}

static void fini(spar_policy *base)
{
    bopper *self = (bopper *)base;
    drop_points(self);
    spar__free(self->length);
    spar__free(self->duel);
    spar__free(self->pivot_x);
    spar__pivots_free(&self->pivots);
    spar__laplace_free(&self->belief);
}

static void features(const bopper *self, size_t first, size_t second, double *x)
{
    size_t dim = self->base.arms->dim;
    memcpy(x, self->base.arms->x + first * dim, dim * sizeof *x);
    memcpy(x + dim, self->base.arms->x + second * dim, dim * sizeof *x);
}

/* Number of live arms on each point. */
static void count_live(const bopper *self, double *live)
{
    memset(live, 0, self->points.n * sizeof *live);
    for (size_t i = 0; i < self->points.arms; i++)
        live[self->points.of[i]] += self->base.arms->alive[i] ? 1 : 0;
}

/* What turns a draw of the prior, left phi^T, into one of the posterior: it is to be moved by phi phi^T shift phi^T. u
 * and w have r places. */
static void find_shift(const bopper *self, spar_rng *rng, const double *left, double *shift, double *u, double *w)
{
    const spar__basis *phi = &self->phi;
    size_t n = phi->n, q = phi->r, r = self->pivots.r;
    spar__normal_batch(rng, r, w);
    spar__weights_solve(&self->belief.root, 1, w);
    for (size_t s = 0; s < r; s++) {
        const duel *d = &self->duel[self->pivots.pivot[s]];
        const double *row = left + self->points.of[d->first] * q, *column = phi->phi + self->points.of[d->second] * q;
        u[s] = 0;
        for (size_t k = 0; k < q; k++)
            u[s] += row[k] * column[k];
    }
    spar__pivots_half(&self->pivots, 1, u); /* the weights of the prior draw */
    for (size_t s = 0; s < r; s++)
        w[s] += self->belief.mode[s] - u[s];
    spar__pivots_back(&self->pivots, 1, w); /* so much of the covariance with each pivot is missing */
    memset(shift, 0, n * q * sizeof *shift);
    for (size_t s = 0; s < r; s++) {
        const duel *d = &self->duel[self->pivots.pivot[s]];
        double *row = shift + self->points.of[d->first] * q;
        const double *column = phi->phi + self->points.of[d->second] * q;
        for (size_t k = 0; k < q; k++)
            row[k] += w[s] * column[k];
    }
}

/* f[i][j] for all points i, j, a draw of the posterior. */
static spar_status draw(const bopper *self, spar_scratch *scratch, spar_rng *rng, double *f)
{
    const spar__basis *phi = &self->phi;
    size_t n = phi->n, q = phi->r, r = self->pivots.r;
    double *z = spar__scratch_take(scratch, q, q * sizeof *z), *move = spar__scratch_take(scratch, q, q * sizeof *move);
    double *left = spar__scratch_take(scratch, n, q * sizeof *left);
    double *shift = spar__scratch_take(scratch, n, q * sizeof *shift);
    double *u = spar__scratch_take(scratch, r, sizeof *u), *w = spar__scratch_take(scratch, r, sizeof *w);
    if (!z || !move || !left || !shift || !u || !w)
        return SPAR_NOMEM;
    spar__normal_batch(rng, q * q, z);
    spar__product(n, q, q, phi->phi, q, z, q, left, q);
    find_shift(self, rng, left, shift, u, w);
    spar__product(q, q, n, self->phi_t, n, shift, q, move, q);
    for (size_t k = 0; k < q * q; k++)
        z[k] += move[k];
    spar__product(n, q, q, phi->phi, q, z, q, left, q);
    spar__product(n, n, q, left, q, self->phi_t, n, f, n);
    return SPAR_OK;
}

/* value[i] = the soft Copeland score of point i in a draw of the posterior. */
static spar_status draw_copeland(const bopper *self, spar_scratch *scratch, spar_rng *rng, const double *live,
                                 double *value)
{
    size_t n = self->points.n;
    double *f = spar__scratch_take(scratch, n, n * sizeof *f);
    spar_status status = f ? draw(self, scratch, rng, f) : SPAR_NOMEM;
    if (status)
        return status;
    spar__vlogistic(f, f, n * n);
    for (size_t i = 0; i < n; i++) {
        value[i] = 0;
        for (size_t j = 0; j < n; j++)
            value[i] += live[j] * f[i * n + j];
    }
    return SPAR_OK;
}

/* What the posterior says of an arm on one point beside every other: mean and variance of sigma(f). */
typedef struct outlook {
    double *x;    /* features of the pairs */
    double *g;    /* their rows of G, transposed: r x lanes */
    size_t lanes; /* points, rounded up */
    double *mean, *variance;
} outlook;

static bool outlook_take(const bopper *self, spar_scratch *scratch, outlook *o)
{
    size_t n = self->points.n, dim = 2 * self->base.arms->dim;
    o->lanes = spar__lanes(n);
    o->x = spar__scratch_take(scratch, n, dim * sizeof *o->x);
    o->g = spar__scratch_take(scratch, self->pivots.r, o->lanes * sizeof *o->g);
    o->mean = spar__scratch_take(scratch, o->lanes, sizeof *o->mean);
    o->variance = spar__scratch_take(scratch, o->lanes, sizeof *o->variance);
    return o->x && o->g && o->mean && o->variance;
}

static void look(const bopper *self, size_t point, outlook *o)
{
    spar__kernel kernel = kernel_of_pairs(self);
    size_t n = self->points.n, r = self->pivots.r, m = o->lanes;
    for (size_t j = 0; j < n; j++)
        features(self, self->points.first[point], self->points.first[j], o->x + j * kernel.dim);
    for (size_t s = 0; s < r; s++) {
        spar__kernel_row(&kernel, self->pivot_x + s * kernel.dim, n, o->x, o->g + s * m);
        memset(o->g + s * m + n, 0, (m - n) * sizeof *o->g);
    }
    spar__pivots_half(&self->pivots, m, o->g);
    for (size_t j = 0; j < m; j++) {
        o->mean[j] = 0;
        o->variance[j] = self->variance;
    }
    for (size_t s = 0; s < r; s++)
        for (size_t j = 0; j < m; j++) {
            o->mean[j] += self->belief.mode[s] * o->g[s * m + j];
            o->variance[j] -= o->g[s * m + j] * o->g[s * m + j];
        }
    for (size_t j = 0; j < m; j++)
        o->variance[j] = fmax(o->variance[j], 0); /* what no pivot knows */
    spar__weights_half(&self->belief.root, m, o->g);
    for (size_t s = 0; s < r; s++)
        for (size_t j = 0; j < m; j++)
            o->variance[j] += o->g[s * m + j] * o->g[s * m + j];
    for (size_t j = 0; j < n; j++)
        spar__squash_moments(o->mean[j], sqrt(o->variance[j]), &o->mean[j], &o->variance[j]);
}

/* A live arm on a point of largest value; values that differ by no more than `equal` are the same. */
static size_t best_arm(const bopper *self, spar_rng *rng, const double *value, double equal, double *work)
{
    const spar_arms *arms = self->base.arms;
    double most = -1;
    for (size_t i = 0; i < arms->n; i++) {
        work[i] = arms->alive[i] ? value[self->points.of[i]] : -1;
        most = fmax(most, work[i]);
    }
    for (size_t i = 0; i < arms->n; i++)
        work[i] = work[i] >= most - equal && arms->alive[i] ? most : -1;
    return spar__argmax(rng, arms->n, work);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const bopper *self = (const bopper *)base;
    size_t n = self->points.n, mark = spar__scratch_mark(scratch);
    double *live = spar__scratch_take(scratch, n, sizeof *live), *value = spar__scratch_take(scratch, n, sizeof *value);
    double *work = spar__scratch_take(scratch, base->arms->n, sizeof *work);
    outlook o;
    spar_status status = live && value && work && outlook_take(self, scratch, &o) ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        count_live(self, live);
        status = draw_copeland(self, scratch, rng, live, value);
    }
    if (!status) {
        out->arm[0] = best_arm(self, rng, value, 0, work);
        look(self, self->points.of[out->arm[0]], &o);
        out->arm[1] = best_arm(self, rng, o.variance, 1e-9, work);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    const bopper *self = (const bopper *)base;
    size_t n = self->points.n, mark = spar__scratch_mark(scratch);
    double *live = spar__scratch_take(scratch, n, sizeof *live), *mean = spar__scratch_take(scratch, n, sizeof *mean);
    outlook o;
    bool room = live && mean && outlook_take(self, scratch, &o);
    if (room) {
        count_live(self, live);
        for (size_t i = 0; i < n; i++) {
            look(self, i, &o);
            mean[i] = 0;
            for (size_t j = 0; j < n; j++)
                mean[i] += live[j] * o.mean[j];
        }
        for (size_t i = 0; i < base->arms->n; i++)
            value[i] = mean[self->points.of[i]] / (double)base->arms->live;
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static size_t find(const bopper *self, duel d)
{
    size_t at = 0;
    while (at < self->pivots.n && (self->duel[at].first != d.first || self->duel[at].second != d.second))
        at++;
    return at;
}

/* Room for one more pair. */
static spar_status reserve(spar_policy *base, const spar_round *round)
{
    (void)round;
    bopper *self = (bopper *)base;
    if (self->pivots.n == self->room) {
        size_t room = 2 * self->room + 8, dim = 2 * base->arms->dim;
        duel *d = spar__realloc(self->duel, self->room, room, sizeof *d);
        if (!d)
            return SPAR_NOMEM;
        self->duel = d;
        double *x = spar__realloc(self->pivot_x, self->room, room, dim * sizeof *x);
        if (!x)
            return SPAR_NOMEM;
        self->pivot_x = x;
        self->room = room;
    }
    spar_status status = spar__pivots_reserve(&self->pivots);
    return status ? status : spar__laplace_reserve(&self->belief);
}

/* A pair seen for the first time; there is room. */
static void add_pair(bopper *self, duel d)
{
    spar__kernel kernel = kernel_of_pairs(self);
    double *x = self->pivot_x + self->pivots.r * kernel.dim; /* stays if it becomes a pivot */
    double *covariance = self->belief.trial;
    self->duel[self->pivots.n] = d;
    features(self, d.first, d.second, x);
    spar__kernel_row(&kernel, x, self->pivots.r, self->pivot_x, covariance);
    spar__laplace_add_row(&self->belief);
    if (spar__pivots_add(&self->pivots, covariance, self->variance))
        spar__laplace_add_column(&self->belief);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    bopper *self = (bopper *)base;
    const spar__points *points = &self->points;
    duel d = {points->first[points->of[round->arm[0]]], points->first[points->of[round->arm[1]]]};
    double won = spar__reward(feedback->answer[1]); /* slot 0 against slot 1 */
    size_t at = find(self, d);
    if (at == self->pivots.n)
        add_pair(self, d);
    self->belief.won[at] += won;
    self->belief.lost[at] += 1 - won;
    spar__laplace_settle(&self->belief, self->pivots.G, self->pivots.stride);
}

/* One pair with its counts; the rest follows from them. */
static void archive_pair(bopper *self, size_t at, spar__archive *ar)
{
    const spar__points *points = &self->points;
    duel d = ar->loading ? (duel){0} : self->duel[at];
    double counts[2] = {0};
    if (!ar->loading) {
        counts[0] = self->belief.won[at];
        counts[1] = self->belief.lost[at];
    }
    spar__archive_size(ar, &d.first);
    spar__archive_size(ar, &d.second);
    spar__archive_f64s(ar, counts, 2);
    if (!ar->loading || ar->failed)
        return;
    bool known = d.first < points->arms && d.second < points->arms;
    spar__archive_check(ar, known && points->first[points->of[d.first]] == d.first &&
                                points->first[points->of[d.second]] == d.second && find(self, d) == at);
    spar__archive_check(ar, counts[0] >= 0 && counts[1] >= 0 && isfinite(counts[0] + counts[1]));
    if (!ar->failed)
        spar__archive_step(ar, reserve(&self->base, NULL));
    if (ar->failed)
        return;
    add_pair(self, d);
    self->belief.won[at] = counts[0];
    self->belief.lost[at] = counts[1];
}

static void archive(spar_policy *base, spar__archive *ar)
{
    bopper *self = (bopper *)base;
    size_t n = self->pivots.n;
    spar__archive_size(ar, &n);
    if (ar->loading && !spar__archive_holds(ar, n))
        return;
    for (size_t at = 0; at < n && !ar->failed; at++)
        archive_pair(self, at, ar);
    if (ar->failed)
        return;
    spar__archive_f64s(ar, self->belief.mode, self->pivots.r);
    for (size_t k = 0; ar->loading && k < self->pivots.r; k++)
        spar__archive_check(ar, isfinite(self->belief.mode[k]));
    if (ar->loading && !ar->failed)
        spar__laplace_factor(&self->belief, self->pivots.G, self->pivots.stride);
}

static const spar_param params[] = {
    {"length", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "length scale of every feature"},
    {"variance", SPAR_PARAM_NUMBER, "1", 1e-4, 1e4, NULL, "prior variance of f"},
    {0},
};

extern const spar__policy_class spar__policy_bopper;
const spar__policy_class spar__policy_bopper = {
    .entry = {"bopper", "a Gaussian process over pairs: a draw's winner beside its most uncertain rival",
              "Gonzalez, Dai, Damianou, Lawrence, ICML 2017", params},
    .size = sizeof(bopper),
    .players = SPAR__PLAYERS_NONE,
    .min_m = 2,
    .max_m = 2,
    .live_arms = true,
    .pairs = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .reserve = reserve,
    .learn = learn,
    .score = score,
    .archive = archive,
};
