/* Mean and covariance of all points, kept as they are.
 *
 * An answer about point p is a step of rank one, with C the covariance, c its column p and s = C_pp + noise / answers:
 *
 *     C <- C - c c^T / s
 *
 * Moments are always up to date, which suits upper confidence bounds, and a round costs O(K^2) for each point
 * touched. Differences lose digits where an observation leaves little of a variance; so the stable form of basis.c
 * is kept along, the mean is always that of the weights, and every K steps C is computed from them: C = H^T H, H =
 * R^-T phi^T. A draw factorises the covariance, O(K^3): for sampling the basis is faster. At most SPAR__GP_RANK points.
 */
#include "base/alloc.h"
#include "posterior/gp/gp.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

typedef struct dense {
    spar__gp_stored stored;
    size_t n;
    double *mean;
    double *cov; /* n x n */
    double *column;
    size_t steps; /* since C was made from the weights */
    double *half; /* of learn */
} dense;

static void forget(void *state)
{
    dense *self = state;
    size_t n = self->n;
    const spar__gp_points *points = self->stored.fixed.model->points;
    spar__gp_fixed_forget(self);
    memset(self->mean, 0, n * sizeof *self->mean);
    for (size_t i = 0; i < n; i++)
        spar__kernel_row(&self->stored.fixed.model->kernel, points->x + i * points->dim, n, points->x,
                         self->cov + i * n);
    self->steps = 0;
}

static spar_status init(void *state, const spar__gp_model *model, spar_error *err)
{
    dense *self = state;
    size_t n = self->n = model->points->n;
    if (n > SPAR__GP_RANK)
        return spar__fail(err, SPAR_UNSUPPORTED, "gp: backing=dense serves at most %d different arms, not %zu",
                          SPAR__GP_RANK, n);
    if (spar__gp_stored_init(&self->stored, model, n))
        return spar__fail_memory(err);
    self->mean = spar__alloc(n, sizeof *self->mean);
    self->cov = spar__alloc(n * n, sizeof *self->cov);
    self->column = spar__alloc(n, sizeof *self->column);
    self->half = spar__alloc(self->stored.basis.r * spar__padded(n), sizeof *self->half);
    if (!self->mean || !self->cov || !self->column || !self->half)
        return spar__fail_memory(err);
    forget(self);
    return SPAR_OK;
}

static void fini(void *state)
{
    dense *self = state;
    spar__free(self->mean);
    spar__free(self->cov);
    spar__free(self->column);
    spar__free(self->half);
    spar__gp_stored_fini(&self->stored);
}

/* False, and nothing done, when three digits or more would go. */
static bool step(dense *self, size_t p, double weight)
{
    size_t n = self->n;
    const double *row = self->cov + p * n, s = row[p] + 1 / weight;
    if (row[p] * weight > 1000)
        return false;
    memcpy(self->column, row, n * sizeof *row);
    for (size_t i = 0; i < n; i++) {
        double gain = self->column[i] / s, *target = self->cov + i * n;
        for (size_t j = 0; j < n; j++)
            target[j] -= gain * self->column[j];
    }
    return true;
}

static void learn(void *state, size_t count, const size_t *point, const double *weight, const double *y)
{
    dense *self = state;
    spar__gp_fixed *fixed = &self->stored.fixed;
    spar__gp_fixed_learn(self, count, point, weight, y);
    spar__weights_mean(&fixed->w, fixed->work);
    (void)fixed->evaluate(fixed, NULL, fixed->work, self->mean); /* a stored basis needs no scratch */
    self->steps += count;
    bool good = self->steps <= self->n;
    for (size_t i = 0; good && i < count; i++)
        good = step(self, point[i], weight[i]);
    /* C = H^T H. */
    if (good)
        return;
    size_t n = self->n, r = self->stored.basis.r, lanes = spar__padded(n);
    for (size_t j = 0; j < r; j++)
        for (size_t i = 0; i < lanes; i++)
            self->half[j * lanes + i] = i < n ? self->stored.columns[j * n + i] : 0;
    spar__weights_half(&self->stored.fixed.w, lanes, self->half);
    memset(self->cov, 0, n * n * sizeof *self->cov);
    for (size_t j = 0; j < r; j++) {
        const double *h = self->half + j * lanes;
        for (size_t i = 0; i < n; i++) {
            double *target = self->cov + i * n;
            for (size_t k = 0; k < n; k++)
                target[k] += h[i] * h[k];
        }
    }
    self->steps = 0;
}

/* A pivoted Cholesky factor of the covariance by columns, which are the rows of `factor` (n x n); returns their number.
 * What is left is no larger than rounding. */
static size_t factorise(const dense *self, double *factor, double *left)
{
    size_t n = self->n, r = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        left[i] = fmax(self->cov[i * n + i], 0);
        most = fmax(most, left[i]);
    }
    for (; r < n; r++) {
        size_t p = 0;
        for (size_t i = 1; i < n; i++)
            p = left[i] > left[p] ? i : p;
        if (left[p] <= most * 1e-16)
            break;
        double *column = factor + r * n, root = sqrt(left[p]);
        memcpy(column, self->cov + p * n, n * sizeof *column);
        for (size_t k = 0; k < r; k++) {
            const double *before = factor + k * n;
            double at = before[p];
            for (size_t i = 0; i < n; i++)
                column[i] -= at * before[i];
        }
        for (size_t i = 0; i < n; i++) {
            column[i] = left[i] >= 0 ? column[i] / root : 0;
            left[i] = left[i] >= 0 ? fmax(left[i] - column[i] * column[i], 0) : -1;
        }
        column[p] = root;
        left[p] = -1;
    }
    return r;
}

/* m draws, m x n. */
static spar_status sample(const dense *self, spar_scratch *scratch, spar_rng *rng, size_t m, double *value)
{
    size_t n = self->n, mark = spar__scratch_mark(scratch);
    double *factor = spar__scratch_take(scratch, n * n, sizeof *factor);
    double *left = spar__scratch_take(scratch, n, sizeof *left);
    double *normal = spar__scratch_take(scratch, m * n, sizeof *normal);
    bool room = factor && left && normal;
    if (room) {
        size_t r = factorise(self, factor, left);
        spar__normal_batch(rng, m * r, normal);
        spar__product(m, n, r, normal, r, factor, n, value, n);
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i < n; i++)
                value[j * n + i] += self->mean[i];
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static spar_status draw(const void *state, spar_scratch *scratch, spar_rng *rng, double *value)
{
    return sample(state, scratch, rng, 1, value);
}

static spar_status best(const void *state, spar_scratch *scratch, spar_rng *rng, size_t m, const bool *open,
                        size_t *point)
{
    const dense *self = state;
    size_t mark = spar__scratch_mark(scratch);
    double *value = spar__scratch_take(scratch, m * self->n, sizeof *value);
    spar_status status = value ? sample(self, scratch, rng, m, value) : SPAR_NOMEM;
    for (size_t j = 0; !status && j < m; j++) {
        spar__gp_max max = {0};
        spar__gp_max_add(&max, rng, self->n, value + j * self->n, 0, NULL, open);
        point[j] = max.index;
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status moments(const void *state, spar_scratch *scratch, double *mean, double *sd)
{
    (void)scratch;
    const dense *self = state;
    if (mean)
        memcpy(mean, self->mean, self->n * sizeof *mean);
    for (size_t i = 0; sd && i < self->n; i++)
        sd[i] = sqrt(fmax(self->cov[i * self->n + i], 0));
    return SPAR_OK;
}

static spar_status row(const void *state, spar_scratch *scratch, size_t p, double *out, double *leak)
{
    const dense *self = state;
    spar_status status = spar__gp_fixed_row(self, scratch, p, out, leak); /* for the leak */
    if (!status)
        memcpy(out, self->cov + p * self->n, self->n * sizeof *out);
    return status;
}

static void archive(void *state, spar__archive *ar)
{
    dense *self = state;
    size_t n = self->n;
    spar__archive_size(ar, &self->steps);
    spar__archive_f64s(ar, self->mean, n);
    spar__archive_f64s(ar, self->cov, n * n);
    spar__gp_archive_weights(&self->stored.fixed.w, ar);
    bool good = self->steps <= n;
    for (size_t i = 0; ar->loading && !ar->failed && i < n; i++) {
        good &= fabs(self->mean[i]) <= SPAR__GP_LARGEST &&
                self->cov[i * n + i] >= -1e-9 * self->stored.fixed.model->kernel.variance;
        for (size_t j = 0; j < n; j++)
            good &= fabs(self->cov[i * n + j]) <= SPAR__GP_LARGEST * SPAR__GP_LARGEST;
    }
    spar__archive_check(ar, good);
}

const spar__gp_backing spar__gp_dense = {
    .name = "dense",
    .size = sizeof(dense),
    .init = init,
    .fini = fini,
    .forget = forget,
    .learn = learn,
    .draw = draw,
    .best = best,
    .moments = moments,
    .row = row,
    .residual = spar__gp_fixed_residual,
    .archive = archive,
};
