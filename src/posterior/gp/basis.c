#include "num/basis.h"
#include "base/alloc.h"
#include "num/linear.h"
#include "posterior/gp/gp.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

/* w = R^-1 (z + normals), for up to SPAR__WIDTH draws in one sweep over R. */
spar_status spar__gp_draw_weights(const spar__weights *w, spar_scratch *scratch, spar_rng *rng, size_t m, double *out)
{
    size_t r = w->r, mark = spar__scratch_mark(scratch);
    double *rhs = spar__scratch_take(scratch, r * SPAR__WIDTH, sizeof *rhs);
    if (!rhs)
        return SPAR_NOMEM;
    spar__normal_batch(rng, m * r, out);
    for (size_t done = 0; done < m; done += SPAR__WIDTH) {
        size_t count = m - done < SPAR__WIDTH ? m - done : SPAR__WIDTH;
        double *block = out + done * r;
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j < SPAR__WIDTH; j++)
                rhs[i * SPAR__WIDTH + j] = j < count ? w->z[i] + block[j * r + i] : 0;
        spar__weights_solve(w, SPAR__WIDTH, rhs);
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j < count; j++)
                block[j * r + i] = rhs[i * SPAR__WIDTH + j];
    }
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

void spar__gp_learn_rows(spar__weights *w, const double *phi, size_t count, const size_t *point, const double *weight,
                         const double *y, double *work)
{
    for (size_t done = 0; done < count; done += SPAR__GP_ROWS) {
        size_t some = count - done < SPAR__GP_ROWS ? count - done : SPAR__GP_ROWS;
        const double *row[SPAR__GP_ROWS];
        for (size_t i = 0; i < some; i++)
            row[i] = phi + point[done + i] * w->r;
        spar__weights_add(w, some, row, weight + done, y + done, work);
    }
}

void spar__gp_lengths(const spar__weights *w, double *phi, size_t count, double *sd)
{
    double sum[SPAR__WIDTH] = {0};
    spar__weights_half(w, SPAR__WIDTH, phi);
    for (size_t i = 0; i < w->r; i++)
        for (size_t j = 0; j < SPAR__WIDTH; j++)
            sum[j] += phi[i * SPAR__WIDTH + j] * phi[i * SPAR__WIDTH + j];
    for (size_t j = 0; j < count; j++)
        sd[j] = sqrt(sum[j]);
}

void spar__gp_weigh(const spar__weights *w, double *phi, double *leak)
{
    spar__weights_half(w, 1, phi);
    spar__weights_solve(w, 1, phi);
    double sum = 0;
    for (size_t i = 0; i < w->r; i++)
        sum += phi[i] * phi[i] * w->lost[i];
    *leak = 6e-15 * sqrt(sum);
}

void spar__gp_archive_weights(spar__weights *w, spar__archive *ar)
{
    size_t r = w->r;
    spar__archive_size(ar, &r);
    spar__archive_check(ar, r == w->r);
    if (ar->failed)
        return;
    spar__archive_f64s(ar, w->z, r);
    spar__archive_f64s(ar, w->lost, r);
    for (size_t i = 0; i < r; i++)
        spar__archive_f64s(ar, w->R + i * w->stride + i, r - i);
    for (size_t i = 0; ar->loading && !ar->failed && i < r; i++) {
        bool good = fabs(w->z[i]) <= SPAR__GP_LARGEST && w->lost[i] >= 0 &&
                    w->lost[i] <= SPAR__GP_LARGEST * SPAR__GP_LARGEST && w->R[i * w->stride + i] >= 1;
        for (size_t j = i; j < r; j++)
            good &= fabs(w->R[i * w->stride + j]) <= SPAR__GP_LARGEST;
        spar__archive_check(ar, good);
    }
}

/* The Gaussian process as f = phi w, w ~ N(0, I): a basis of the points, and the posterior of its weights.
 *
 * A round costs O(r^2) for each point touched and for each draw, and O(r n) to evaluate a draw, where r is what the
 * kernel's spectrum needs (about 20 for smooth functions of one number). Moments take O(r^2 n). */

typedef struct basis {
    const spar__gp_model *model;
    spar__basis base; /* n x r */
    double *columns;  /* r x n: the same by columns */
    spar__weights w;
    double *work; /* of learn */
} basis;

enum { BLOCK = 2048, MOST_NUMBERS = 1 << 26 };

static spar_status too_slow(const spar__gp_model *model, size_t rank, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "gp: %zu points need more than %zu basis functions with this kernel and length; "
                      "a larger length or a smoother kernel needs fewer",
                      model->points->n, rank);
}

/* Are that many functions too few even for a part of the points? Found out long before all points are tried. */
static bool hopeless(const spar__gp_model *model, size_t rank)
{
    const spar__gp_points *points = model->points;
    size_t n = rank + 1, dim = points->dim;
    spar__basis part = {0};
    double *x = n < points->n / 2 ? spar__alloc(n, dim * sizeof *x) : NULL;
    if (!x)
        return false;
    for (size_t i = 0; i < n; i++)
        memcpy(x + i * dim, points->x + i * (points->n / n) * dim, dim * sizeof *x);
    bool refused = spar__basis_make(&model->kernel, n, x, SPAR__GP_TOLERANCE, rank, &part) == SPAR_UNSUPPORTED;
    spar__basis_free(&part);
    spar__free(x);
    return refused;
}

static spar_status init(void *state, const spar__gp_model *model, spar_error *err)
{
    basis *self = state;
    size_t n = model->points->n, rank = SPAR__GP_RANK < MOST_NUMBERS / n ? SPAR__GP_RANK : MOST_NUMBERS / n;
    self->model = model;
    if (hopeless(model, rank))
        return too_slow(model, rank, err);
    spar_status status = spar__basis_make(&model->kernel, n, model->points->x, SPAR__GP_TOLERANCE, rank, &self->base);
    if (status == SPAR_UNSUPPORTED)
        return too_slow(model, rank, err);
    if (!status)
        status = spar__weights_init(&self->w, self->base.r);
    if (!status) {
        self->columns = spar__basis_columns(&self->base);
        self->work = spar__alloc(SPAR__GP_ROWS * (self->w.stride + 1), sizeof *self->work);
        status = self->columns && self->work ? SPAR_OK : SPAR_NOMEM;
    }
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static void fini(void *state)
{
    basis *self = state;
    spar__basis_free(&self->base);
    spar__weights_free(&self->w);
    spar__free(self->columns);
    spar__free(self->work);
}

static void forget(void *state)
{
    spar__weights_forget(&((basis *)state)->w);
}

static void learn(void *state, size_t count, const size_t *point, const double *weight, const double *y)
{
    basis *self = state;
    spar__gp_learn_rows(&self->w, self->base.phi, count, point, weight, y, self->work);
}

static spar_status draw(const void *state, spar_scratch *scratch, spar_rng *rng, double *value)
{
    const basis *self = state;
    size_t n = self->base.n, r = self->base.r, mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, r, sizeof *w);
    spar_status status = w ? spar__gp_draw_weights(&self->w, scratch, rng, 1, w) : SPAR_NOMEM;
    if (!status)
        spar__product(1, n, r, w, r, self->columns, n, value, n);
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status best(const void *state, spar_scratch *scratch, spar_rng *rng, size_t m, const bool *open,
                        size_t *point)
{
    const basis *self = state;
    size_t n = self->base.n, r = self->base.r, mark = spar__scratch_mark(scratch);
    size_t block = n < BLOCK ? n : BLOCK;
    double *w = spar__scratch_take(scratch, m * r, sizeof *w);
    double *value = spar__scratch_take(scratch, m * block, sizeof *value);
    spar__gp_max *max = spar__scratch_take(scratch, m, sizeof *max);
    spar_status status = w && value && max ? spar__gp_draw_weights(&self->w, scratch, rng, m, w) : SPAR_NOMEM;
    if (!status) {
        memset(max, 0, m * sizeof *max);
        for (size_t start = 0; start < n; start += block) {
            size_t count = n - start < block ? n - start : block;
            spar__product(m, count, r, w, r, self->columns + start, n, value, count);
            for (size_t j = 0; j < m; j++)
                spar__gp_max_add(&max[j], rng, count, value + j * count, start, NULL, open);
        }
        for (size_t j = 0; j < m; j++)
            point[j] = max[j].index;
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static void deviations(const basis *self, double *half, double *sd)
{
    size_t n = self->base.n, r = self->base.r;
    for (size_t start = 0; start < n; start += SPAR__WIDTH) {
        size_t count = n - start < SPAR__WIDTH ? n - start : SPAR__WIDTH;
        memset(half, 0, r * SPAR__WIDTH * sizeof *half);
        for (size_t i = 0; i < r; i++)
            memcpy(half + i * SPAR__WIDTH, self->columns + i * n + start, count * sizeof *half);
        spar__gp_lengths(&self->w, half, count, sd + start);
    }
}

static spar_status moments(const void *state, spar_scratch *scratch, double *mean, double *sd)
{
    const basis *self = state;
    size_t mark = spar__scratch_mark(scratch);
    double *work = spar__scratch_take(scratch, self->base.r * SPAR__WIDTH, sizeof *work);
    if (work && mean) {
        spar__weights_mean(&self->w, work);
        spar__product(1, self->base.n, self->base.r, work, self->base.r, self->columns, self->base.n, mean,
                      self->base.n);
    }
    if (work && sd)
        deviations(self, work, sd);
    spar__scratch_release(scratch, mark);
    return work ? SPAR_OK : SPAR_NOMEM;
}

static spar_status row(const void *state, spar_scratch *scratch, size_t p, double *out, double *leak)
{
    const basis *self = state;
    size_t n = self->base.n, r = self->base.r, mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, r, sizeof *w);
    if (w) {
        memcpy(w, self->base.phi + p * r, r * sizeof *w);
        spar__gp_weigh(&self->w, w, leak);
        spar__product(1, n, r, w, r, self->columns, n, out, n);
    }
    spar__scratch_release(scratch, mark);
    return w ? SPAR_OK : SPAR_NOMEM;
}

static double residual(const void *state)
{
    return ((const basis *)state)->base.residual;
}

static void archive(void *state, spar__archive *ar)
{
    spar__gp_archive_weights(&((basis *)state)->w, ar);
}

const spar__gp_backing spar__gp_basis = {
    .name = "basis",
    .size = sizeof(basis),
    .init = init,
    .fini = fini,
    .forget = forget,
    .learn = learn,
    .draw = draw,
    .best = best,
    .moments = moments,
    .row = row,
    .residual = residual,
    .archive = archive,
};
