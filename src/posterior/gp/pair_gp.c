#include "posterior/gp/pair_gp.h"

#include "base/alloc.h"
#include "num/squash.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

#define LARGEST 0x1p+53 /* of a count that makes sense */

static const double tolerance = 1e-12; /* smooth kernels: covariances are off by 1e-10 of the variance at most */

static spar__kernel kernel_of(const spar__pair_gp *self)
{
    return (spar__kernel){SPAR__KERNEL_SE, 2 * self->arms->dim, self->length, self->variance};
}

/* The basis of the points, and its transpose. */
static spar_status make_basis(const spar__pair_gp *self, const spar__points *points, spar__basis *phi, double **phi_t)
{
    spar__kernel kernel = {SPAR__KERNEL_SE, self->arms->dim, self->length, sqrt(self->variance)};
    spar_status status = spar__basis_make(&kernel, points->n, points->x, 1e-14, points->n, phi);
    *phi_t = status ? NULL : spar__basis_columns(phi);
    if (!status && !*phi_t) {
        spar__basis_free(phi);
        return SPAR_NOMEM;
    }
    return status;
}

static void drop_points(spar__pair_gp *self)
{
    spar__points_free(&self->points);
    spar__basis_free(&self->phi);
    spar__free(self->phi_t);
}

spar_status spar__pair_gp_resize(spar__pair_gp *self)
{
    if (self->points.arms == self->arms->n)
        return SPAR_OK; /* one has retired */
    spar__points points;
    spar__basis phi = {0};
    double *phi_t = NULL;
    spar_status status = spar__points_make(self->arms, &points);
    if (!status)
        status = make_basis(self, &points, &phi, &phi_t);
    if (status) {
        spar__points_free(&points);
        return status;
    }
    drop_points(self);
    self->points = points;
    self->phi = phi;
    self->phi_t = phi_t;
    return SPAR_OK;
}

spar_status spar__pair_gp_init(spar__pair_gp *self, const spar_arms *arms, double length, double variance)
{
    *self = (spar__pair_gp){.arms = arms, .variance = variance, .basis = {.tolerance = tolerance}};
    self->length = spar__alloc(2 * arms->dim, sizeof *self->length);
    self->x = spar__alloc(2 * arms->dim, sizeof *self->x);
    if (!self->length || !self->x)
        return SPAR_NOMEM;
    for (size_t d = 0; d < 2 * arms->dim; d++)
        self->length[d] = length;
    return spar__pair_gp_resize(self);
}

void spar__pair_gp_free(spar__pair_gp *self)
{
    drop_points(self);
    spar__free(self->length);
    spar__free(self->x);
    spar__free(self->pair);
    spar__free(self->member);
    spar__newton_free(&self->basis);
    spar__laplace_free(&self->belief);
}

static void features(const spar__pair_gp *self, size_t first, size_t second, double *x)
{
    size_t dim = self->arms->dim;
    memcpy(x, self->arms->x + first * dim, dim * sizeof *x);
    memcpy(x + dim, self->arms->x + second * dim, dim * sizeof *x);
}

/* What turns a draw of the prior, left phi^T, into one of the posterior: it is to be moved by phi phi^T shift phi^T. u
 * and w have r places. */
static void find_shift(const spar__pair_gp *self, spar_rng *rng, const double *left, double *shift, double *u,
                       double *w)
{
    const spar__basis *phi = &self->phi;
    size_t n = phi->n, q = phi->r, r = self->basis.r;
    spar__normal_batch(rng, r, w);
    spar__weights_solve(&self->belief.root, 1, w);
    for (size_t s = 0; s < r; s++) {
        const spar__pair *d = &self->pair[self->member[s]];
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
        const spar__pair *d = &self->pair[self->member[s]];
        double *row = shift + self->points.of[d->first] * q;
        const double *column = phi->phi + self->points.of[d->second] * q;
        for (size_t k = 0; k < q; k++)
            row[k] += w[s] * column[k];
    }
}

spar_status spar__pair_gp_draw(const spar__pair_gp *self, spar_scratch *scratch, spar_rng *rng, double *f)
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
    find_shift(self, rng, left, shift, u, w);
    spar__product(q, q, n, self->phi_t, n, shift, q, move, q);
    for (size_t k = 0; k < q * q; k++)
        z[k] += move[k];
    spar__product(n, q, q, phi->phi, q, z, q, left, q);
    spar__product(n, n, q, left, q, self->phi_t, n, f, n);
    return SPAR_OK;
}

bool spar__pair_gp_outlook(const spar__pair_gp *self, spar_scratch *scratch, spar__outlook *o)
{
    size_t n = self->points.n, dim = 2 * self->arms->dim;
    o->lanes = spar__lanes(n);
    o->x = spar__scratch_take(scratch, n, dim * sizeof *o->x);
    o->g = spar__scratch_take(scratch, self->basis.r, o->lanes * sizeof *o->g);
    o->mean = spar__scratch_take(scratch, o->lanes, sizeof *o->mean);
    o->variance = spar__scratch_take(scratch, o->lanes, sizeof *o->variance);
    return o->x && o->g && o->mean && o->variance;
}

void spar__pair_gp_look(const spar__pair_gp *self, size_t point, spar__outlook *o)
{
    spar__kernel kernel = kernel_of(self);
    size_t n = self->points.n, r = self->basis.r, m = o->lanes;
    for (size_t j = 0; j < n; j++)
        features(self, self->points.first[point], self->points.first[j], o->x + j * kernel.dim);
    spar__newton_columns(&self->basis, &kernel, n, o->x, o->g, o->variance); /* what the basis does not know */
    memset(o->mean, 0, n * sizeof *o->mean);
    for (size_t s = 0; s < r; s++)
        for (size_t j = 0; j < n; j++)
            o->mean[j] += self->belief.mode[s] * o->g[s * m + j];
    spar__weights_half(&self->belief.root, m, o->g);
    for (size_t s = 0; s < r; s++)
        for (size_t j = 0; j < n; j++)
            o->variance[j] += o->g[s * m + j] * o->g[s * m + j];
    for (size_t j = 0; j < n; j++)
        spar__squash_moments(o->mean[j], sqrt(o->variance[j]), &o->mean[j], &o->variance[j]);
}

static size_t find(const spar__pair_gp *self, spar__pair d)
{
    size_t at = 0;
    while (at < self->belief.n && (self->pair[at].first != d.first || self->pair[at].second != d.second))
        at++;
    return at;
}

spar_status spar__pair_gp_reserve(spar__pair_gp *self)
{
    if (self->belief.n == self->room) {
        size_t room = 2 * self->room + 8;
        spar__pair *pair = spar__realloc(self->pair, self->room, room, sizeof *pair);
        if (!pair)
            return SPAR_NOMEM;
        self->pair = pair;
        size_t *member = spar__realloc(self->member, self->room, room, sizeof *member);
        if (!member)
            return SPAR_NOMEM;
        self->member = member;
        self->room = room;
    }
    spar_status status = spar__laplace_reserve(&self->belief);
    return status ? status : spar__newton_grow(&self->basis, 2 * self->arms->dim, self->belief.root.stride);
}

/* A pair seen for the first time; there is room. */
static void add_pair(spar__pair_gp *self, spar__pair d)
{
    spar__kernel kernel = kernel_of(self);
    size_t at = self->belief.n, r = self->basis.r;
    self->pair[at] = d;
    features(self, d.first, d.second, self->x);
    (void)spar__newton_append(&self->basis, &kernel, self->x, spar__laplace_add_row(&self->belief));
    if (self->basis.r > r) {
        self->member[r] = at;
        spar__laplace_add_column(&self->belief);
    }
}

void spar__pair_gp_learn(spar__pair_gp *self, size_t first, size_t second, double won)
{
    const spar__points *points = &self->points;
    spar__pair d = {points->first[points->of[first]], points->first[points->of[second]]};
    size_t at = find(self, d);
    if (at == self->belief.n)
        add_pair(self, d);
    self->belief.won[at] += won;
    self->belief.lost[at] += 1 - won;
    spar__laplace_settle(&self->belief);
}

/* One pair with its counts; the rest follows from them. */
static void archive_pair(spar__pair_gp *self, size_t at, spar__archive *ar)
{
    const spar__points *points = &self->points;
    spar__pair d = ar->loading ? (spar__pair){0} : self->pair[at];
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
    spar__archive_check(ar, counts[0] >= 0 && counts[1] >= 0 && counts[0] + counts[1] <= LARGEST);
    if (!ar->failed)
        spar__archive_step(ar, spar__pair_gp_reserve(self));
    if (ar->failed)
        return;
    add_pair(self, d);
    self->belief.won[at] = counts[0];
    self->belief.lost[at] = counts[1];
}

void spar__pair_gp_archive(spar__pair_gp *self, spar__archive *ar)
{
    size_t n = self->belief.n;
    spar__archive_size(ar, &n);
    if (ar->loading && !spar__archive_holds(ar, n))
        return;
    for (size_t at = 0; at < n && !ar->failed; at++)
        archive_pair(self, at, ar);
    if (ar->failed)
        return;
    spar__archive_f64s(ar, self->belief.mode, self->basis.r);
    for (size_t k = 0; ar->loading && k < self->basis.r; k++)
        spar__archive_check(ar, isfinite(self->belief.mode[k]));
    if (ar->loading && !ar->failed)
        spar__laplace_factor(&self->belief);
}
