/* pair_gp - a Gaussian process over ordered pairs of arms, seen through duels.
 *
 * Gonzalez, Dai, Damianou, Lawrence, Preferential Bayesian Optimization, ICML 2017.
 *
 *     P(x beats x') = sigma(f(x, x')),   f ~ GP(0, k)
 *     k((x, x'), (y, y')) = variance exp(-(|x - y|^2 + |x' - y'|^2) / (2 length^2))
 *
 * A duel of slots j < k is one observation of the ordered pair of their arms, a tie half a win and half a loss; an arm
 * beside itself is a pair like any other. The value of an arm is its soft Copeland score: the mean of sigma(f(x, x'))
 * over the live x'. draw gives that of one f drawn from the posterior, moments its posterior mean and deviation.
 *
 * The posterior of f is Laplace's approximation. Of the p distinct pairs seen, r enter a basis (num/kernel.h), and the
 * posterior is that of r weights (num/laplace.h): each pair's coordinates are a row of its G. A draw over all pairs
 * needs no factor of their covariance. With phi phi^T the covariance of the n points, phi Z phi^T is a draw of the
 * prior for Z of standard normals, and what the weights say moves it by phi C phi^T for some C (Matheron's rule).
 *
 * What was learned is about features: arms on one point share it, and new arms only mean more points.
 *
 * Cost, with q columns of phi: O(p r^2) to learn a round, O(n^2 q + r^2) for a draw, O(n^2 r^2) for the means; the
 * deviations take 1000 draws. */
#include "posterior/gp/gp.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "num/laplace.h"
#include "num/special.h"
#include "sampler/sampler.h"
#include "types/arms.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 1000 }; /* for the deviations */

typedef struct arm_pair {
    size_t first, second; /* arms, the lowest-numbered ones of their points */
} arm_pair;

typedef struct pair_gp {
    spar__posterior base;
    double variance;
    double *length;      /* of both arms' features */
    spar__points points; /* of the arms */
    double *live;        /* the number of live arms on each point */
    spar__basis phi;     /* of the points, so that the product of two has the variance of f */
    double *phi_t;       /* its transpose */
    arm_pair *pair;      /* those that were seen: belief.n */
    size_t *member;      /* those of them in the basis: basis.r */
    size_t room;         /* of these two arrays */
    spar__newton basis;  /* of functions of a pair */
    spar__laplace belief;
    double *x;    /* features of both arms of a pair: working memory of learning */
    bool settled; /* nothing was observed since the mode was found */
} pair_gp;

static const double largest = 0x1p+53; /* of a count that makes sense */
static const double tolerance = 1e-12; /* smooth kernels: covariances are off by 1e-10 of the variance at most */

/* The covariance of f. */
static spar__kernel kernel_of(const pair_gp *self)
{
    return (spar__kernel){SPAR__KERNEL_SE, 2 * self->base.arms->dim, self->length, self->variance};
}

/* The features of a pair of arms. */
static void features_of(const pair_gp *self, size_t first, size_t second, double *x)
{
    size_t dim = self->base.arms->dim;
    memcpy(x, self->base.arms->x + first * dim, dim * sizeof *x);
    memcpy(x + dim, self->base.arms->x + second * dim, dim * sizeof *x);
}

static void drop_points(pair_gp *self)
{
    spar__free(self->live);
    spar__points_free(&self->points);
    spar__basis_free(&self->phi);
    spar__free(self->phi_t);
}

/* The points of the arms as they are now; as it was when memory fails. */
static spar_status resize(spar__posterior *base)
{
    pair_gp *self = (pair_gp *)base;
    spar_status status = SPAR_OK;
    if (self->points.arms != base->arms->n) { /* else one has retired */
        pair_gp made = {0};
        spar__kernel kernel = {SPAR__KERNEL_SE, base->arms->dim, self->length, sqrt(self->variance)};
        status = spar__points_make(base->arms, &made.points);
        if (!status)
            status = spar__basis_make(&kernel, made.points.n, made.points.x, 1e-14, made.points.n, &made.phi);
        if (!status) {
            made.phi_t = spar__basis_columns(&made.phi);
            made.live = spar__alloc(made.points.n, sizeof *made.live);
            status = made.phi_t && made.live ? SPAR_OK : SPAR_NOMEM;
        }
        drop_points(status ? &made : self);
        if (status)
            return status;
        self->points = made.points;
        self->phi = made.phi;
        self->phi_t = made.phi_t;
        self->live = made.live;
    }
    if (!status) {
        memset(self->live, 0, self->points.n * sizeof *self->live);
        for (size_t i = 0; i < self->points.arms; i++)
            self->live[self->points.of[i]] += self->base.arms->alive[i] ? 1 : 0;
    }
    return status;
}

static spar_status init(spar__posterior *base, const spar__values *values, spar_error *err)
{
    pair_gp *self = (pair_gp *)base;
    size_t dim = base->arms->dim;
    if (dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "pair_gp: needs arms with features, and these have none");
    self->variance = spar__number(values, "variance");
    self->basis.tolerance = tolerance;
    self->settled = true;
    self->length = spar__alloc(2 * dim, sizeof *self->length);
    self->x = spar__alloc(2 * dim, sizeof *self->x);
    if (!self->length || !self->x)
        return spar__fail_memory(err);
    for (size_t d = 0; d < 2 * dim; d++)
        self->length[d] = spar__number(values, "length");
    spar_status status = resize(base);
    return status ? spar__fail(err, status, "pair_gp: %s", spar_status_text(status)) : SPAR_OK;
}

static void fini(spar__posterior *base)
{
    pair_gp *self = (pair_gp *)base;
    drop_points(self);
    spar__free(self->length);
    spar__free(self->x);
    spar__free(self->pair);
    spar__free(self->member);
    spar__newton_free(&self->basis);
    spar__laplace_free(&self->belief);
}

static void forget(spar__posterior *base)
{
    pair_gp *self = (pair_gp *)base;
    spar__newton_forget(&self->basis);
    spar__laplace_forget(&self->belief);
    self->settled = true;
}

static size_t find(const pair_gp *self, arm_pair d)
{
    size_t at = 0;
    while (at < self->belief.n && (self->pair[at].first != d.first || self->pair[at].second != d.second))
        at++;
    return at;
}

/* Room for that many pairs that were not seen before. */
static spar_status make_room(pair_gp *self, size_t more)
{
    if (self->room - self->belief.n < more) {
        size_t room = 2 * self->room + 8 + more;
        arm_pair *pair = spar__realloc(self->pair, self->room, room, sizeof *pair);
        if (!pair)
            return SPAR_NOMEM;
        self->pair = pair;
        size_t *member = spar__realloc(self->member, self->room, room, sizeof *member);
        if (!member)
            return SPAR_NOMEM;
        self->member = member;
        self->room = room;
    }
    spar_status status = spar__laplace_reserve(&self->belief, more);
    return status ? status : spar__newton_grow(&self->basis, 2 * self->base.arms->dim, self->belief.root.stride);
}

/* A round shows no more new pairs than it has pairs of slots, or than there are. */
static spar_status reserve(spar__posterior *base, size_t slots)
{
    pair_gp *self = (pair_gp *)base;
    size_t shown = slots * (slots - 1) / 2, left = self->points.n * self->points.n - self->belief.n;
    return make_room(self, shown < left ? shown : left);
}

/* A pair seen for the first time; there is room. */
static void add_pair(pair_gp *self, arm_pair d)
{
    spar__kernel kernel = kernel_of(self);
    size_t at = self->belief.n, r = self->basis.r;
    self->pair[at] = d;
    features_of(self, d.first, d.second, self->x);
    (void)spar__newton_append(&self->basis, &kernel, self->x, spar__laplace_add_row(&self->belief));
    if (self->basis.r > r) {
        self->member[r] = at;
        spar__laplace_add_column(&self->belief);
    }
}

static void observe_round(spar__posterior *base, const spar_round *round, const spar_feedback *feedback, double weight)
{
    pair_gp *self = (pair_gp *)base;
    const spar__points *points = &self->points;
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = j + 1; k < round->m; k++) {
            unsigned char outcome = feedback->outcome[j * round->m + k];
            if (outcome == SPAR_MISSING)
                continue;
            double won = 0.5 * (outcome - SPAR_LOSS);
            arm_pair d = {points->first[points->of[round->arm[j]]], points->first[points->of[round->arm[k]]]};
            size_t at = find(self, d);
            if (at == self->belief.n)
                add_pair(self, d);
            self->belief.won[at] += weight * won;
            self->belief.lost[at] += weight * (1 - won);
            self->settled = false;
        }
}

static void settle(spar__posterior *base)
{
    pair_gp *self = (pair_gp *)base;
    if (!self->settled)
        spar__laplace_settle(&self->belief);
    self->settled = true;
}

static void archive(spar__posterior *base, spar__archive *ar)
{
    pair_gp *self = (pair_gp *)base;
    const spar__points *points = &self->points;
    if (ar->loading)
        forget(base);
    size_t n = self->belief.n;
    spar__archive_size(ar, &n);
    if (ar->loading && !spar__archive_holds(ar, n))
        return;
    /* The pairs with their counts; the rest follows from them. */
    for (size_t at = 0; at < n && !ar->failed; at++) {
        arm_pair d = ar->loading ? (arm_pair){0} : self->pair[at];
        double counts[2] = {0};
        if (!ar->loading) {
            counts[0] = self->belief.won[at];
            counts[1] = self->belief.lost[at];
        }
        spar__archive_size(ar, &d.first);
        spar__archive_size(ar, &d.second);
        spar__archive_f64s(ar, counts, 2);
        if (!ar->loading || ar->failed)
            continue;
        bool known = d.first < points->arms && d.second < points->arms;
        spar__archive_check(ar, known && points->first[points->of[d.first]] == d.first &&
                                    points->first[points->of[d.second]] == d.second && find(self, d) == at);
        spar__archive_check(ar, counts[0] >= 0 && counts[1] >= 0 && counts[0] + counts[1] <= largest);
        if (!ar->failed)
            spar__archive_step(ar, make_room(self, 1));
        if (ar->failed)
            break;
        add_pair(self, d);
        self->belief.won[at] = counts[0];
        self->belief.lost[at] = counts[1];
    }
    if (ar->failed)
        return;
    spar__laplace *belief = &self->belief;
    if (ar->cache) {
        spar__archive_f64s(ar->cache, belief->mode, belief->root.r);
        for (size_t k = 0; ar->loading && k < belief->root.r; k++)
            spar__archive_check(ar->cache, isfinite(belief->mode[k]));
        if (ar->loading && !ar->cache->failed)
            spar__laplace_factor(belief);
    } else if (ar->loading) {
        spar__laplace_factor(&self->belief); /* at 0, where the search begins */
        spar__laplace_settle(&self->belief);
    }
}

/* --- What it says of the arms --- */

/* f[i][j] for all points i, j: a draw of the posterior. Leaves its memory on the scratch. */
static spar_status draw_pairs(const pair_gp *self, spar_scratch *scratch, spar_rng *rng, double *f)
{
    const spar__basis *phi = &self->phi;
    size_t n = phi->n, q = phi->r, r = self->basis.r;
    double *z = spar__scratch_take(scratch, q, q * sizeof *z), *move = spar__scratch_take(scratch, q, q * sizeof *move);
    double *left = spar__scratch_take(scratch, n, q * sizeof *left);
    double *shift = spar__scratch_take(scratch, n, q * sizeof *shift);
    double *u = spar__scratch_take(scratch, r, sizeof *u), *w = spar__scratch_take(scratch, r, sizeof *w);
    if (!z || !move || !left || !shift || !u || !w)
        return SPAR_NOMEM;
    spar__normal_batch(rng, q * q, z);
    spar__product(n, q, q, phi->phi, q, z, q, left, q);
    /* What turns this draw of the prior, left phi^T, into one of the posterior: it is to be moved by phi phi^T shift
     * phi^T. */
    spar__normal_batch(rng, r, w);
    spar__weights_solve(&self->belief.root, 1, w);
    for (size_t s = 0; s < r; s++) {
        const arm_pair *d = &self->pair[self->member[s]];
        const double *row = left + self->points.of[d->first] * q, *column = phi->phi + self->points.of[d->second] * q;
        u[s] = 0;
        for (size_t k = 0; k < q; k++)
            u[s] += row[k] * column[k];
    }
    spar__triangle_forward(r, self->basis.stride, self->basis.T, 1, u); /* the weights of the prior draw */
    for (size_t s = 0; s < r; s++)
        w[s] += self->belief.mode[s] - u[s];
    spar__triangle_back(r, self->basis.stride, self->basis.T, 1, w); /* so much of each one's covariance is missing */
    memset(shift, 0, n * q * sizeof *shift);
    for (size_t s = 0; s < r; s++) {
        const arm_pair *d = &self->pair[self->member[s]];
        double *row = shift + self->points.of[d->first] * q;
        const double *column = phi->phi + self->points.of[d->second] * q;
        for (size_t k = 0; k < q; k++)
            row[k] += w[s] * column[k];
    }
    spar__product(q, q, n, self->phi_t, n, shift, q, move, q);
    for (size_t k = 0; k < q * q; k++)
        z[k] += move[k];
    spar__product(n, q, q, phi->phi, q, z, q, left, q);
    spar__product(n, n, q, left, q, self->phi_t, n, f, n);
    return SPAR_OK;
}

/* The mean over the live arms of a number that each point has. */
static double over_live(const pair_gp *self, const double *value)
{
    double sum = 0;
    for (size_t j = 0; j < self->points.n; j++)
        sum += self->live[j] * value[j];
    return sum / (double)self->base.arms->live;
}

/* Every arm's soft Copeland score in a draw of the posterior. */
static spar_status draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    const pair_gp *self = (const pair_gp *)base;
    const spar_arms *arms = base->arms;
    size_t n = self->points.n, mark = spar__scratch_mark(scratch);
    double *f = spar__scratch_take(scratch, n, n * sizeof *f), *score = spar__scratch_take(scratch, n, sizeof *score);
    spar_status status = f && score ? draw_pairs(self, scratch, rng, f) : SPAR_NOMEM;
    if (!status) {
        spar__vlogistic(f, f, n * n);
        for (size_t i = 0; i < n; i++)
            score[i] = over_live(self, f + i * n);
        for (size_t i = 0; i < arms->n; i++)
            theta[i] = score[self->points.of[i]];
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x)
{
    (void)x;
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *theta = spar__scratch_take(scratch, n, sizeof *theta);
    spar_status status = theta ? SPAR_OK : SPAR_NOMEM;
    for (size_t j = 0; !status && j < m; j++) {
        status = draw(base, scratch, rng, theta);
        if (!status)
            arm[j] = spar__argmax_within(rng, n, theta, base->arms->alive, 0);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

/* Mean and variance of sigma(f) for one point beside each of all. O(n r^2). */
static spar_status beside_all(const pair_gp *self, spar_scratch *scratch, size_t point, double *mean, double *variance)
{
    spar__kernel kernel = kernel_of(self);
    size_t n = self->points.n, r = self->basis.r, lanes = spar__padded(n), mark = spar__scratch_mark(scratch);
    double *x = spar__scratch_take(scratch, n, kernel.dim * sizeof *x); /* features of the pairs */
    double *g = spar__scratch_take(scratch, r, lanes * sizeof *g);      /* their coordinates, a column each */
    bool room = x && g;
    if (room) {
        for (size_t j = 0; j < n; j++)
            features_of(self, self->points.first[point], self->points.first[j], x + j * kernel.dim);
        spar__newton_columns(&self->basis, &kernel, n, x, g, variance); /* what the basis does not know */
        memset(mean, 0, n * sizeof *mean);
        for (size_t s = 0; s < r; s++)
            for (size_t j = 0; j < n; j++)
                mean[j] += self->belief.mode[s] * g[s * lanes + j];
        spar__weights_half(&self->belief.root, lanes, g);
        for (size_t s = 0; s < r; s++)
            for (size_t j = 0; j < n; j++)
                variance[j] += g[s * lanes + j] * g[s * lanes + j];
        for (size_t j = 0; j < n; j++)
            spar__squash_moments(mean[j], sqrt(variance[j]), &mean[j], &variance[j]);
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

/* As in posterior.h. The deviations are from DRAWS draws about the means, of a stream that is always the same: good to
 * 2 %. */
static spar_status moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    const pair_gp *self = (const pair_gp *)base;
    size_t n = self->points.n, arms = base->arms->n, mark = spar__scratch_mark(scratch);
    double *own = mean ? mean : spar__scratch_take(scratch, arms, sizeof *own);
    double *theta = spar__scratch_take(scratch, arms, sizeof *theta);
    double *score = spar__scratch_take(scratch, n, sizeof *score);
    double *row = spar__scratch_take(scratch, 2 * n, sizeof *row);
    spar_status status = own && theta && score && row ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++) {
        status = beside_all(self, scratch, i, row, row + n);
        score[i] = over_live(self, row);
    }
    for (size_t i = 0; !status && i < self->points.arms; i++)
        own[i] = score[self->points.of[i]];
    spar_rng rng;
    spar_rng_seed(&rng, 0, 0, 0);
    if (!status && sd)
        memset(sd, 0, arms * sizeof *sd);
    for (size_t k = 0; !status && sd && k < DRAWS; k++) {
        status = draw(base, scratch, &rng, theta);
        for (size_t i = 0; !status && i < arms; i++)
            sd[i] += (theta[i] - own[i]) * (theta[i] - own[i]) / DRAWS;
    }
    for (size_t i = 0; !status && sd && i < arms; i++)
        sd[i] = sqrt(sd[i]);
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__pair_gp_variances(const spar__posterior *base, spar_scratch *scratch, size_t arm, double *variance)
{
    const pair_gp *self = (const pair_gp *)base;
    size_t n = self->points.n, mark = spar__scratch_mark(scratch);
    double *row = spar__scratch_take(scratch, 2 * n, sizeof *row);
    spar_status status = row ? beside_all(self, scratch, self->points.of[arm], row, row + n) : SPAR_NOMEM;
    for (size_t i = 0; !status && i < base->arms->n; i++)
        variance[i] = row[n + self->points.of[i]];
    spar__scratch_release(scratch, mark);
    return status;
}

const spar_param spar__pair_gp_params[] = {
    {"length", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "length scale of every feature"},
    {"variance", SPAR_PARAM_NUMBER, "1", 1e-4, 1e4, NULL, "prior variance of f"},
    {0},
};

const spar__posterior_class spar__posterior_pair_gp = {
    .entry = {"pair_gp", "a Gaussian process over pairs of arms, which learns whole rounds",
              "Gonzalez, Dai, Damianou, Lawrence, ICML 2017", spar__pair_gp_params},
    .size = sizeof(pair_gp),
    .recomputed = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .reserve = reserve,
    .observe_round = observe_round,
    .settle = settle,
    .draw = draw,
    .best = best,
    .moments = moments,
    .archive = archive,
};
