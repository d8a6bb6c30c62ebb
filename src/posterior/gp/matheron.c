/* matheron.c - the backing for rough kernels and many points.
 *
 * A draw is one of the prior at all points, moved to a draw of the posterior at the points played (Matheron's rule,
 * Wilson et al., ICML 2020). First part: exact draws of the prior; then the backing. */
#include "base/alloc.h"
#include "num/kernel.h"
#include "posterior/gp/grid.h"
#include "sampler/sampler.h"

#include <string.h>

static spar_status add_axis(spar__prior *prior, const spar__kernel *kernel, size_t n, const double *x, bool last)
{
    size_t a = prior->d++;
    prior->n[a] = n;
    prior->cells *= n;
    prior->triangle[a] = spar__alloc(n * n, sizeof(double));
    if (!prior->triangle[a] || spar__cholesky(kernel, n, x, prior->triangle[a]))
        return SPAR_NOMEM;
    if (!last) {
        double *T = prior->triangle[a];
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                T[j * n + i] = T[i * n + j];
                T[i * n + j] = 0;
            }
    }
    return SPAR_OK;
}

spar_status spar__prior_init(spar__prior *prior, const spar__gp_model *model, spar_error *err)
{
    prior->model = model;
    prior->cells = 1;
    spar__lattice *lattice = &prior->lattice;
    spar_status status = SPAR_UNSUPPORTED;
    if (model->points->dim >= 2 && spar__kernel_separable(&model->kernel))
        status = spar__lattice_find(model->points, lattice);
    if (!status) {
        /* The points are a grid; is each axis small enough? */
        bool good = lattice->cells <= SPAR__PRIOR_CELLS;
        for (size_t a = 0; a < lattice->d; a++)
            good &= lattice->n[a] <= SPAR__PRIOR_AXIS;
        if (!good) {
            spar__lattice_free(lattice);
            status = SPAR_UNSUPPORTED;
        }
    }
    if (status == SPAR_UNSUPPORTED) {
        if (model->points->n > SPAR__PRIOR_AXIS)
            return spar__fail(
                err, SPAR_UNSUPPORTED,
                "gp: backing=matheron serves %d points, or more on a product grid with a kernel that is a product "
                "over the features; here are %zu",
                SPAR__PRIOR_AXIS, model->points->n);
        status = add_axis(prior, &model->kernel, model->points->n, model->points->x, true);
    }
    for (size_t a = 0; !status && a < lattice->d; a++) {
        spar__kernel axis = spar__kernel_axis(&model->kernel, a);
        status = add_axis(prior, &axis, lattice->n[a], lattice->value[a], a + 1 == lattice->d);
    }
    if (status)
        return spar__fail_memory(err);
    /* Where to cut the axes in two: near and far, as even as possible. */
    prior->near = 1;
    prior->far = prior->cells;
    size_t near = 1;
    for (size_t a = 0; a + 1 < prior->d; a++) {
        near *= prior->n[a];
        if (near + prior->cells / near < prior->near + prior->far) {
            prior->near = near;
            prior->far = prior->cells / near;
            prior->split = a + 1;
        }
    }
    return SPAR_OK;
}

void spar__prior_fini(spar__prior *prior)
{
    spar__lattice_free(&prior->lattice);
    for (size_t a = 0; a < prior->d; a++)
        spar__free(prior->triangle[a]);
}

/* The axes one after the other, the last one first; each takes what is in one array to the other. */
void spar__prior_draw(const spar__prior *prior, spar_rng *rng, double *value, double *work)
{
    size_t last = prior->d - 1, before = prior->cells / prior->n[last], after = prior->n[last];
    double *from = prior->d % 2 ? work : value, *to = prior->d % 2 ? value : work;
    spar__normal_batch(rng, prior->cells, from);
    spar__cholesky_rows(prior->n[last], prior->triangle[last], before, from, to);
    for (size_t a = last; a-- > 0;) {
        size_t block = prior->n[a] * after;
        double *swap = from;
        from = to;
        to = swap;
        before /= prior->n[a];
        for (size_t i = 0; i < before; i++)
            spar__cholesky_columns(prior->n[a], prior->triangle[a], after, from + i * block, to + i * block);
        after = block;
    }
}

/* The products of k along the axes from .. to - 1, at all their combinations. */
static void spread(const spar__prior *prior, const double *u, size_t from, size_t to, double *out)
{
    size_t n = 1;
    out[0] = 1;
    for (size_t a = from; a < to; a++) {
        spar__kernel axis = spar__kernel_axis(&prior->model->kernel, a);
        size_t more = prior->n[a];
        const double *value = prior->lattice.value[a];
        for (size_t i = n; i-- > 0;) { /* from the end, in place */
            double so_far = out[i];
            spar__kernel_row(&axis, u + a, more, value, out + i * more);
            for (size_t k = 0; k < more; k++)
                out[i * more + k] *= so_far;
        }
        n *= more;
    }
}

void spar__prior_reach(const spar__prior *prior, const double *u, double *near, double *far)
{
    if (prior->lattice.d == 0) {
        near[0] = 1;
        spar__kernel_row(&prior->model->kernel, u, prior->cells, prior->model->points->x, far);
        return;
    }
    spread(prior, u, 0, prior->split, near);
    spread(prior, u, prior->split, prior->d, far);
}

/* Matheron's rule: a draw from the prior at all points, plus what takes it to a draw from the posterior at those seen.
 *
 *     f = prior + k(., U) T^-1 (w - T^-T prior(U)),     w ~ the posterior of the weights of the points seen
 *
 * The prior is drawn exactly as above, and the weights live on a basis that grows with the points seen. So
 * this is for kernels without a fast spectrum: the cost of learning is that of the points played, not of those that
 * there are. With r seen out of n: a round O(r^2) for each point touched and each draw, a draw O(n r) and what the
 * prior takes, O(n^2), on a grid O(n times the sum of its sides). At most SPAR__GROWTH_MOST points can be played:
 * learning more is refused.
 *
 * Journel and Huijbregts, Mining Geostatistics, 1978; Wilson et al., ICML 2020. */

typedef struct matheron {
    const spar__gp_model *model;
    spar__prior prior;
    spar__growth growth;
    size_t rows, room;  /* points seen whose k(u, .) is in the tables; for how many there is room */
    double *near, *far; /* room x prior.near, room x prior.far */
} matheron;

enum { SLAB = 64 }; /* rows of cells that are worked on at a time */

static spar_status grow_tables(matheron *self)
{
    size_t room = self->growth.weights.stride;
    if (room <= self->room)
        return SPAR_OK;
    double *near = spar__realloc(self->near, self->rows * self->prior.near, room * self->prior.near, sizeof *near);
    if (!near)
        return SPAR_NOMEM;
    self->near = near;
    double *far = spar__realloc(self->far, self->rows * self->prior.far, room * self->prior.far, sizeof *far);
    if (!far)
        return SPAR_NOMEM;
    self->far = far;
    self->room = room;
    return SPAR_OK;
}

static void fill_tables(matheron *self)
{
    for (; self->rows < self->growth.basis.r; self->rows++)
        spar__prior_reach(&self->prior, self->growth.basis.u + self->rows * self->model->kernel.dim,
                          self->near + self->rows * self->prior.near, self->far + self->rows * self->prior.far);
}

static spar_status init(void *state, const spar__gp_model *model, spar_error *err)
{
    matheron *self = state;
    self->model = model;
    spar_status status = spar__prior_init(&self->prior, model, err);
    if (status)
        return status;
    double tolerance = model->kernel.kind == SPAR__KERNEL_LINEAR ? SPAR__NEWTON_KNOWN : 0;
    if (spar__growth_init(&self->growth, &model->kernel, tolerance, model->points->n) || grow_tables(self))
        return spar__fail_memory(err);
    return SPAR_OK;
}

static void fini(void *state)
{
    matheron *self = state;
    spar__prior_fini(&self->prior);
    spar__growth_fini(&self->growth);
    spar__free(self->near);
    spar__free(self->far);
}

static void forget(void *state)
{
    matheron *self = state;
    spar__growth_forget(&self->growth);
    self->rows = 0;
}

static spar_status reserve(void *state, size_t points)
{
    matheron *self = state;
    spar_status status = spar__growth_reserve(&self->growth, points);
    return status ? status : grow_tables(self);
}

static void learn(void *state, size_t count, const size_t *point, const double *weight, const double *y)
{
    matheron *self = state;
    spar__growth_learn(&self->growth, self->model->points->x, count, point, weight, y);
    fill_tables(self);
}

/* What is needed to add sum_u coef_u k(u, .) at a slab of the cells. */
typedef struct addition {
    double *scaled, *sum;
} addition;

static bool addition_take(addition *a, const matheron *self, spar_scratch *scratch)
{
    size_t slab = self->prior.near < SLAB ? self->prior.near : SLAB;
    a->scaled = spar__scratch_take(scratch, slab * self->growth.basis.r, sizeof *a->scaled);
    a->sum = spar__scratch_take(scratch, slab * self->prior.far, sizeof *a->sum);
    return a->scaled && a->sum;
}

static void add_kernels(const addition *a, const matheron *self, const double *coef, double *value)
{
    size_t r = self->growth.basis.r, near = self->prior.near, far = self->prior.far;
    for (size_t from = 0; r && from < near; from += SLAB) {
        size_t count = near - from < SLAB ? near - from : SLAB;
        for (size_t u = 0; u < r; u++)
            for (size_t i = 0; i < count; i++)
                a->scaled[i * r + u] = self->near[u * near + from + i] * coef[u];
        spar__product(count, far, r, a->scaled, r, self->far, far, a->sum, far);
        for (size_t i = 0; i < count * far; i++)
            value[from * far + i] += a->sum[i];
    }
}

/* m draws at all cells. */
static spar_status draw_cells(const matheron *self, spar_scratch *scratch, spar_rng *rng, size_t m, double *value)
{
    const spar__newton *basis = &self->growth.basis;
    size_t cells = self->prior.cells, r = basis->r, lanes = spar__padded(m), mark = spar__scratch_mark(scratch);
    addition a;
    double *work = spar__scratch_take(scratch, cells, sizeof *work);
    double *lane = spar__scratch_take(scratch, r * lanes, sizeof *lane);
    double *coef = spar__scratch_take(scratch, m * r, sizeof *coef);
    spar_status status = work && lane && coef && addition_take(&a, self, scratch) ? SPAR_OK : SPAR_NOMEM;
    for (size_t j = 0; !status && j < m; j++)
        spar__prior_draw(&self->prior, rng, value + j * cells, work);
    /* The coefs of m draws, m x r, that take `value` (m x cells, drawn from the prior) to the posterior. */
    if (!status)
        status = spar__gp_draw_weights(&self->growth.weights, scratch, rng, m, coef);
    if (!status) {
        for (size_t i = 0; i < r; i++) {
            size_t cell = spar__prior_cell(&self->prior, self->growth.owner[i]);
            for (size_t j = 0; j < lanes; j++)
                lane[i * lanes + j] = j < m ? value[j * cells + cell] : 0;
        }
        spar__triangle_forward(r, basis->stride, basis->T, lanes, lane);
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j < m; j++)
                lane[i * lanes + j] = coef[j * r + i] - lane[i * lanes + j];
        spar__triangle_back(r, basis->stride, basis->T, lanes, lane);
        for (size_t i = 0; i < r; i++)
            for (size_t j = 0; j < m; j++)
                coef[j * r + i] = lane[i * lanes + j];
    }
    for (size_t j = 0; !status && j < m; j++)
        add_kernels(&a, self, coef + j * r, value + j * cells);
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status draw(const void *state, spar_scratch *scratch, spar_rng *rng, double *value)
{
    const matheron *self = state;
    size_t mark = spar__scratch_mark(scratch);
    double *cell = spar__scratch_take(scratch, self->prior.cells, sizeof *cell);
    spar_status status = cell ? draw_cells(self, scratch, rng, 1, cell) : SPAR_NOMEM;
    for (size_t p = 0; !status && p < self->model->points->n; p++)
        value[p] = cell[spar__prior_cell(&self->prior, p)];
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status best(const void *state, spar_scratch *scratch, spar_rng *rng, size_t m, const bool *open,
                        size_t *point)
{
    const matheron *self = state;
    size_t cells = self->prior.cells, mark = spar__scratch_mark(scratch), group = m < SPAR__WIDTH ? m : SPAR__WIDTH;
    double *value = spar__scratch_take(scratch, group * cells, sizeof *value);
    spar_status status = value ? SPAR_OK : SPAR_NOMEM;
    for (size_t done = 0; !status && done < m; done += group) {
        size_t some = m - done < group ? m - done : group;
        status = draw_cells(self, scratch, rng, some, value);
        for (size_t j = 0; !status && j < some; j++) {
            spar__gp_max max = {0};
            spar__gp_max_add(&max, rng, cells, value + j * cells, 0, self->prior.lattice.point, open);
            point[done + j] = max.index;
        }
    }
    spar__scratch_release(scratch, mark);
    return status;
}

/* sum_u coef_u k(u, .) at all points; coef = T^-1 w, which is used up. */
static spar_status at_points(const matheron *self, spar_scratch *scratch, double *w, double *value)
{
    const spar__newton *basis = &self->growth.basis;
    size_t cells = self->prior.cells, mark = spar__scratch_mark(scratch);
    addition a;
    double *cell = spar__scratch_take(scratch, cells, sizeof *cell);
    bool room = cell && addition_take(&a, self, scratch);
    if (room) {
        memset(cell, 0, cells * sizeof *cell);
        spar__triangle_back(basis->r, basis->stride, basis->T, 1, w);
        add_kernels(&a, self, w, cell);
        for (size_t p = 0; p < self->model->points->n; p++)
            value[p] = cell[spar__prior_cell(&self->prior, p)];
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static spar_status moments(const void *state, spar_scratch *scratch, double *mean, double *sd)
{
    const matheron *self = state;
    size_t r = self->growth.basis.r, mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, 2 * r, sizeof *w);
    spar_status status = w ? SPAR_OK : SPAR_NOMEM;
    if (!status && mean) {
        spar__growth_means(&self->growth, w, w + r);
        status = at_points(self, scratch, w, mean);
    }
    for (size_t i = 0; !status && mean && i < r; i++)
        mean[self->growth.owner[i]] = w[r + i];
    if (!status && sd)
        status = spar__growth_moments(&self->growth, self->model->points->x, scratch, NULL, sd);
    spar__scratch_release(scratch, mark);
    return status;
}

/* cov(i, p) = k(i, p) + phi_i.(A^-1 phi_p - phi_p) with A = R^T R. */
static spar_status row(const void *state, spar_scratch *scratch, size_t p, double *out, double *leak)
{
    const matheron *self = state;
    const spar__gp_points *points = self->model->points;
    const double *x = points->x + p * points->dim;
    size_t r = self->growth.basis.r, mark = spar__scratch_mark(scratch);
    double *phi = spar__scratch_take(scratch, r, sizeof *phi), *w = spar__scratch_take(scratch, r, sizeof *w);
    double *prior = spar__scratch_take(scratch, points->n, sizeof *prior);
    spar_status status = phi && w && prior ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        (void)spar__newton_at(&self->growth.basis, &self->model->kernel, x, phi);
        memcpy(w, phi, r * sizeof *w);
        spar__gp_weigh(&self->growth.weights, w, leak);
        for (size_t i = 0; i < r; i++)
            w[i] -= phi[i];
        status = at_points(self, scratch, w, out);
    }
    if (!status) {
        spar__kernel_row(&self->model->kernel, x, points->n, points->x, prior);
        for (size_t i = 0; i < points->n; i++)
            out[i] += prior[i];
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static double residual(const void *state)
{
    return SPAR__NEWTON_NUGGET * ((const matheron *)state)->model->kernel.variance;
}

static void archive(void *state, spar__archive *ar)
{
    matheron *self = state;
    if (ar->loading)
        self->rows = 0;
    spar__growth_archive(&self->growth, self->model->points->x, ar);
    if (ar->loading && !ar->failed) {
        spar__archive_step(ar, grow_tables(self));
        if (!ar->failed)
            fill_tables(self);
    }
}

const spar__gp_backing spar__gp_matheron = {
    .name = "matheron",
    .size = sizeof(matheron),
    .init = init,
    .fini = fini,
    .forget = forget,
    .reserve = reserve,
    .learn = learn,
    .draw = draw,
    .best = best,
    .moments = moments,
    .row = row,
    .residual = residual,
    .archive = archive,
};
