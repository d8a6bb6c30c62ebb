/* Questions to the Plackett-Luce beliefs: theta = mean + R^-1 z with standard normal z, 8 draws at a time. */
#include "posterior/pl/state.h"

#include "num/linear.h"
#include "posterior/argmax.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

/* `count` draws of the parameters, r x lanes, lanes = count padded; in place of standard normals. */
static void draw_parameters(const spar__pl *self, spar_rng *rng, size_t lanes, double *draw)
{
    spar__normal_batch(rng, self->r * lanes, draw);
    spar__triangle_back(self->r, self->stride, self->R, lanes, draw);
    for (size_t k = 0; k < self->r; k++)
        for (size_t j = 0; j < lanes; j++)
            draw[k * lanes + j] += self->mean[k];
}

/* The strengths of all arms in lane j. */
static void strengths_of(const spar__pl *self, spar_rng *rng, size_t lanes, const double *draw, size_t j, double *theta)
{
    const spar_arms *arms = self->base.arms;
    if (self->linear) {
        spar__product(arms->n, 1, self->r, arms->x, self->r, draw + j, lanes, theta, 1);
        return;
    }
    if (self->seen < arms->n)
        spar__normal_batch(rng, arms->n, theta);
    for (size_t i = 0; i < arms->n; i++)
        theta[i] = self->position[i] ? draw[(self->position[i] - 1) * lanes + j] : self->sd * theta[i];
}

spar_status spar__pl_draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta)
{
    const spar__pl *self = (const spar__pl *)base;
    size_t mark = spar__scratch_mark(scratch);
    double *draw = spar__scratch_take(scratch, self->r + 1, sizeof *draw);
    if (!draw)
        return SPAR_NOMEM;
    draw_parameters(self, rng, 1, draw);
    strengths_of(self, rng, 1, draw, 0, theta);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* m draws, each with its best live arm; with `distinct`, that is in no slot before. */
static spar_status best_of(const spar__pl *self, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                           size_t *arm)
{
    size_t n = self->base.arms->n, lanes = spar__padded(m), mark = spar__scratch_mark(scratch);
    double *draw = spar__scratch_take(scratch, (self->r + 1) * lanes, sizeof *draw);
    double *theta = spar__scratch_take(scratch, n, sizeof *theta);
    spar_status status = draw && theta ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        draw_parameters(self, rng, lanes, draw);
    for (size_t j = 0; !status && j < m; j++) {
        strengths_of(self, rng, lanes, draw, j, theta);
        for (size_t i = 0; i < n; i++)
            theta[i] = self->base.arms->alive[i] ? theta[i] : -INFINITY;
        for (size_t k = 0; distinct && k < j; k++)
            theta[arm[k]] = -INFINITY;
        arm[j] = spar__argmax(rng, n, theta);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__pl_best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                          double *x)
{
    (void)x;
    return best_of((const spar__pl *)base, scratch, rng, m, false, arm);
}

spar_status spar__pl_best_distinct(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m,
                                   size_t *arm)
{
    return best_of((const spar__pl *)base, scratch, rng, m, true, arm);
}

/* The standard deviation of an arm: |R^-T x|. */
static double spread(const spar__pl *self, size_t arm, double *column)
{
    double square = 0;
    if (!self->linear && !self->position[arm])
        return self->sd;
    for (size_t k = 0; k < self->r; k++)
        column[k] = self->linear ? self->base.arms->x[arm * self->r + k] : k + 1 == self->position[arm];
    spar__triangle_forward(self->r, self->stride, self->R, 1, column);
    for (size_t k = 0; k < self->r; k++)
        square += column[k] * column[k];
    return sqrt(square);
}

spar_status spar__pl_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd)
{
    const spar__pl *self = (const spar__pl *)base;
    const spar_arms *arms = base->arms;
    size_t mark = spar__scratch_mark(scratch);
    double *column = spar__scratch_take(scratch, self->r + 1, sizeof *column);
    if (!column)
        return SPAR_NOMEM;
    if (mean && self->linear)
        spar__product(arms->n, 1, self->r, arms->x, self->r, self->mean, 1, mean, 1);
    for (size_t i = 0; mean && !self->linear && i < arms->n; i++)
        mean[i] = self->position[i] ? self->mean[self->position[i] - 1] : 0;
    for (size_t i = 0; sd && i < arms->n; i++)
        sd[i] = spread(self, i, column);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

/* What an arm is made of: a position, features, or nothing that answers speak of. Minus what is there already. */
static void put_column(const spar__pl *self, size_t arm, size_t lane, size_t lanes, double *columns)
{
    for (size_t k = 0; self->linear && k < self->r; k++)
        columns[k * lanes + lane] -= self->base.arms->x[arm * self->r + k];
    if (!self->linear && self->position[arm])
        columns[(self->position[arm] - 1) * lanes + lane] -= 1;
}

/* |R^-T (x_arm - x_j)|^2, 8 arms at a time; an arm without answers adds its own variance. */
static void find_variances(const spar__pl *self, size_t arm, const double *mine, double *columns, double *variance)
{
    size_t n = self->base.arms->n, lanes = SPAR__WIDTH;
    double prior = self->sd * self->sd, own = !self->linear && !self->position[arm] ? prior : 0;
    for (size_t from = 0; from < n; from += lanes) {
        for (size_t k = 0; k < self->r; k++)
            for (size_t j = 0; j < lanes; j++)
                columns[k * lanes + j] = mine[k];
        for (size_t j = 0; j < lanes && from + j < n; j++)
            put_column(self, from + j, j, lanes, columns);
        spar__triangle_forward(self->r, self->stride, self->R, lanes, columns);
        for (size_t j = 0; j < lanes && from + j < n; j++) {
            double sum = own + (self->linear || self->position[from + j] ? 0 : prior);
            for (size_t k = 0; k < self->r; k++)
                sum += columns[k * lanes + j] * columns[k * lanes + j];
            variance[from + j] = from + j == arm ? 0 : sum;
        }
    }
}

spar_status spar__pl_gaps(const spar__posterior *base, spar_scratch *scratch, size_t arm, double *mean,
                          double *variance)
{
    const spar__pl *self = (const spar__pl *)base;
    size_t mark = spar__scratch_mark(scratch);
    double *mine = spar__scratch_take(scratch, self->r + 1, sizeof *mine);
    double *columns = spar__scratch_take(scratch, (self->r + 1) * SPAR__WIDTH, sizeof *columns);
    spar_status status = mine && columns ? spar__pl_moments(base, scratch, mean, NULL) : SPAR_NOMEM;
    if (!status) {
        double top = mean[arm];
        for (size_t i = 0; i < base->arms->n; i++)
            mean[i] = top - mean[i];
        memset(mine, 0, self->r * sizeof *mine);
        put_column(self, arm, 0, 1, mine);
        for (size_t k = 0; k < self->r; k++)
            mine[k] = -mine[k];
        find_variances(self, arm, mine, columns, variance);
    }
    spar__scratch_release(scratch, mark);
    return status;
}
