/* What the belief pair_gp says of the arms (pair_gp.c). */
#include "posterior/gp/pair_gp.h"

#include "num/elementary.h"
#include "num/special.h"
#include "posterior/argmax.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 1000 }; /* for the deviations */

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
        const spar__arm_pair *d = &self->pair[self->member[s]];
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
        const spar__arm_pair *d = &self->pair[self->member[s]];
        double *row = shift + self->points.of[d->first] * q;
        const double *column = phi->phi + self->points.of[d->second] * q;
        for (size_t k = 0; k < q; k++)
            row[k] += w[s] * column[k];
    }
}

/* f[i][j] for all points i, j: a draw of the posterior. Leaves its memory on the scratch. */
static spar_status draw_pairs(const spar__pair_gp *self, spar_scratch *scratch, spar_rng *rng, double *f)
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

/* The mean over the live arms of a number that each point has. */
static double over_live(const spar__pair_gp *self, const double *value)
{
    double sum = 0;
    for (size_t j = 0; j < self->points.n; j++)
        sum += self->live[j] * value[j];
    return sum / (double)self->base.arms->live;
}

/* Every arm's soft Copeland score in a draw of the posterior. */
spar_status spar__pair_gp_draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    const spar__pair_gp *self = (const spar__pair_gp *)base;
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

spar_status spar__pair_gp_best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                               double *x)
{
    (void)x;
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *theta = spar__scratch_take(scratch, n, sizeof *theta);
    spar_status status = theta ? SPAR_OK : SPAR_NOMEM;
    for (size_t j = 0; !status && j < m; j++) {
        status = spar__pair_gp_draw(base, scratch, rng, theta);
        if (!status)
            arm[j] = spar__argmax_within(rng, n, theta, base->arms->alive, 0);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

/* Mean and variance of sigma(f) for one point beside each of all. O(n r^2). */
static spar_status beside_all(const spar__pair_gp *self, spar_scratch *scratch, size_t point, double *mean,
                              double *variance)
{
    spar__kernel kernel = spar__pair_gp_kernel(self);
    size_t n = self->points.n, r = self->basis.r, lanes = spar__padded(n), mark = spar__scratch_mark(scratch);
    double *x = spar__scratch_take(scratch, n, kernel.dim * sizeof *x); /* features of the pairs */
    double *g = spar__scratch_take(scratch, r, lanes * sizeof *g);      /* their coordinates, a column each */
    bool room = x && g;
    if (room) {
        for (size_t j = 0; j < n; j++)
            spar__pair_gp_features(self, self->points.first[point], self->points.first[j], x + j * kernel.dim);
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

static spar_status means(const spar__pair_gp *self, spar_scratch *scratch, double *mean)
{
    size_t n = self->points.n, mark = spar__scratch_mark(scratch);
    double *score = spar__scratch_take(scratch, n, sizeof *score),
           *row = spar__scratch_take(scratch, 2 * n, sizeof *row);
    spar_status status = score && row ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++) {
        status = beside_all(self, scratch, i, row, row + n);
        score[i] = over_live(self, row);
    }
    for (size_t i = 0; !status && i < self->points.arms; i++)
        mean[i] = score[self->points.of[i]];
    spar__scratch_release(scratch, mark);
    return status;
}

/* From DRAWS draws about the means, of a stream that is always the same: good to 2 %. */
static spar_status deviations(const spar__posterior *base, spar_scratch *scratch, const double *mean, double *sd)
{
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *theta = spar__scratch_take(scratch, n, sizeof *theta);
    spar_status status = theta ? SPAR_OK : SPAR_NOMEM;
    spar_rng rng;
    spar_rng_seed(&rng, 0, 0, 0);
    memset(sd, 0, n * sizeof *sd);
    for (size_t k = 0; !status && k < DRAWS; k++) {
        status = spar__pair_gp_draw(base, scratch, &rng, theta);
        for (size_t i = 0; !status && i < n; i++)
            sd[i] += (theta[i] - mean[i]) * (theta[i] - mean[i]) / DRAWS;
    }
    for (size_t i = 0; i < n; i++)
        sd[i] = sqrt(sd[i]);
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__pair_gp_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    size_t mark = spar__scratch_mark(scratch);
    double *own = mean ? mean : spar__scratch_take(scratch, base->arms->n, sizeof *own);
    spar_status status = own ? means((const spar__pair_gp *)base, scratch, own) : SPAR_NOMEM;
    if (!status && sd)
        status = deviations(base, scratch, own, sd);
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__pair_gp_variances(const spar__posterior *base, spar_scratch *scratch, size_t arm, double *variance)
{
    const spar__pair_gp *self = (const spar__pair_gp *)base;
    size_t n = self->points.n, mark = spar__scratch_mark(scratch);
    double *row = spar__scratch_take(scratch, 2 * n, sizeof *row);
    spar_status status = row ? beside_all(self, scratch, self->points.of[arm], row, row + n) : SPAR_NOMEM;
    for (size_t i = 0; !status && i < base->arms->n; i++)
        variance[i] = row[n + self->points.of[i]];
    spar__scratch_release(scratch, mark);
    return status;
}
