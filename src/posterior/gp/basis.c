/* basis.c - the Gaussian process as f = phi w, w ~ N(0, I): a basis of the points, and the posterior of its weights.
 *
 * A round costs O(r^2) for each point touched and for each draw, and O(r n) to evaluate a draw, where r is what the
 * kernel's spectrum needs (about 20 for smooth functions of one number). Moments take O(r^2 n). The first part serves
 * every backing that keeps weights. */
#include "base/alloc.h"
#include "posterior/gp/gp.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

/* --- What every backing with weights does --- */

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

/* --- A fixed basis --- */

spar_status spar__gp_fixed_init(spar__gp_fixed *self, size_t r)
{
    if (spar__weights_init(&self->w, r))
        return SPAR_NOMEM;
    self->rows = spar__alloc(SPAR__GP_ROWS * r, sizeof *self->rows);
    self->work = spar__alloc(SPAR__GP_ROWS * (self->w.stride + 1), sizeof *self->work);
    return self->rows && self->work ? SPAR_OK : SPAR_NOMEM;
}

void spar__gp_fixed_fini(spar__gp_fixed *self)
{
    spar__weights_free(&self->w);
    spar__free(self->rows);
    spar__free(self->work);
}

void spar__gp_fixed_forget(void *state)
{
    spar__weights_forget(&((spar__gp_fixed *)state)->w);
}

void spar__gp_fixed_learn(void *state, size_t count, const size_t *point, const double *weight, const double *y)
{
    spar__gp_fixed *self = state;
    for (size_t done = 0; done < count; done += SPAR__GP_ROWS) {
        size_t some = count - done < SPAR__GP_ROWS ? count - done : SPAR__GP_ROWS;
        const double *row[SPAR__GP_ROWS];
        for (size_t i = 0; i < some; i++) {
            row[i] = self->rows + i * self->w.r;
            self->phi(self, point[done + i], self->rows + i * self->w.r);
        }
        spar__weights_add(&self->w, some, row, weight + done, y + done, self->work);
    }
}

/* The three questions whose answer is phi w at all points, for one w or another. */
typedef enum question { DRAW, MEAN, ROW } question;

static spar_status ask(const spar__gp_fixed *self, spar_scratch *scratch, question what, spar_rng *rng, size_t p,
                       double *value, double *leak)
{
    size_t mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, self->w.r, sizeof *w);
    spar_status status = w ? SPAR_OK : SPAR_NOMEM;
    if (!status && what == DRAW) {
        status = spar__gp_draw_weights(&self->w, scratch, rng, 1, w);
    } else if (!status && what == MEAN) {
        spar__weights_mean(&self->w, w);
    } else if (!status) {
        self->phi(self, p, w);
        spar__gp_weigh(&self->w, w, leak);
    }
    if (!status)
        status = self->evaluate(self, scratch, w, value);
    spar__scratch_release(scratch, mark);
    return status;
}

spar_status spar__gp_fixed_draw(const void *state, spar_scratch *scratch, spar_rng *rng, double *value)
{
    return ask(state, scratch, DRAW, rng, 0, value, NULL);
}

spar_status spar__gp_fixed_mean(const void *state, spar_scratch *scratch, double *mean)
{
    return ask(state, scratch, MEAN, NULL, 0, mean, NULL);
}

spar_status spar__gp_fixed_row(const void *state, spar_scratch *scratch, size_t p, double *out, double *leak)
{
    return ask(state, scratch, ROW, NULL, p, out, leak);
}

double spar__gp_fixed_residual(const void *state)
{
    return ((const spar__gp_fixed *)state)->residual;
}

void spar__gp_fixed_archive(void *state, spar__archive *ar)
{
    spar__gp_archive_weights(&((spar__gp_fixed *)state)->w, ar);
}

static void stored_phi(const spar__gp_fixed *fixed, size_t point, double *out)
{
    const spar__basis *basis = &((const spar__gp_stored *)fixed)->basis;
    memcpy(out, basis->phi + point * basis->r, basis->r * sizeof *out);
}

static spar_status stored_evaluate(const spar__gp_fixed *fixed, spar_scratch *scratch, const double *w, double *value)
{
    (void)scratch;
    const spar__gp_stored *self = (const spar__gp_stored *)fixed;
    size_t n = self->basis.n, r = self->basis.r;
    spar__product(1, n, r, w, r, self->columns, n, value, n);
    return SPAR_OK;
}

spar_status spar__gp_stored_init(spar__gp_stored *self, const spar__gp_model *model, size_t rank)
{
    const spar__gp_points *points = model->points;
    self->fixed.model = model;
    self->fixed.phi = stored_phi;
    self->fixed.evaluate = stored_evaluate;
    spar_status status = spar__basis_make(&model->kernel, points->n, points->x, SPAR__GP_TOLERANCE, rank, &self->basis);
    if (!status)
        status = spar__gp_fixed_init(&self->fixed, self->basis.r);
    self->fixed.residual = self->basis.residual;
    self->columns = status ? NULL : spar__basis_columns(&self->basis);
    return status || self->columns ? status : SPAR_NOMEM;
}

void spar__gp_stored_fini(void *state)
{
    spar__gp_stored *self = state;
    spar__gp_fixed_fini(&self->fixed);
    spar__basis_free(&self->basis);
    spar__free(self->columns);
}

/* --- The backing --- */

enum { BLOCK = 2048, MOST_NUMBERS = 1 << 26 };

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
    size_t n = model->points->n, rank = SPAR__GP_RANK < MOST_NUMBERS / n ? SPAR__GP_RANK : MOST_NUMBERS / n;
    spar_status status = hopeless(model, rank) ? SPAR_UNSUPPORTED : spar__gp_stored_init(state, model, rank);
    if (status == SPAR_UNSUPPORTED)
        return spar__fail(err, status,
                          "gp: %zu points need more than %zu basis functions with this kernel and length; "
                          "a larger length or a smoother kernel needs fewer",
                          n, rank);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status best(const void *state, spar_scratch *scratch, spar_rng *rng, size_t m, const bool *open,
                        size_t *point)
{
    const spar__gp_stored *self = state;
    size_t n = self->basis.n, r = self->basis.r, mark = spar__scratch_mark(scratch);
    size_t block = n < BLOCK ? n : BLOCK;
    double *w = spar__scratch_take(scratch, m * r, sizeof *w);
    double *value = spar__scratch_take(scratch, m * block, sizeof *value);
    spar__gp_max *max = spar__scratch_take(scratch, m, sizeof *max);
    spar_status status = w && value && max ? spar__gp_draw_weights(&self->fixed.w, scratch, rng, m, w) : SPAR_NOMEM;
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

static spar_status moments(const void *state, spar_scratch *scratch, double *mean, double *sd)
{
    const spar__gp_stored *self = state;
    size_t mark = spar__scratch_mark(scratch);
    double *half = spar__scratch_take(scratch, self->basis.r * SPAR__WIDTH, sizeof *half);
    spar_status status = !half ? SPAR_NOMEM : mean ? spar__gp_fixed_mean(self, scratch, mean) : SPAR_OK;
    if (!status && sd) {
        size_t n = self->basis.n, r = self->basis.r;
        for (size_t start = 0; start < n; start += SPAR__WIDTH) {
            size_t count = n - start < SPAR__WIDTH ? n - start : SPAR__WIDTH;
            memset(half, 0, r * SPAR__WIDTH * sizeof *half);
            for (size_t i = 0; i < r; i++)
                memcpy(half + i * SPAR__WIDTH, self->columns + i * n + start, count * sizeof *half);
            spar__gp_lengths(&self->fixed.w, half, count, sd + start);
        }
    }
    spar__scratch_release(scratch, mark);
    return status;
}

const spar__gp_backing spar__gp_basis = {
    .name = "basis",
    .size = sizeof(spar__gp_stored),
    .init = init,
    .fini = spar__gp_stored_fini,
    .forget = spar__gp_fixed_forget,
    .learn = spar__gp_fixed_learn,
    .draw = spar__gp_fixed_draw,
    .best = best,
    .moments = moments,
    .row = spar__gp_fixed_row,
    .residual = spar__gp_fixed_residual,
    .archive = spar__gp_fixed_archive,
};
