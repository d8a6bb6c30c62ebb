/* The basis of a product grid: arms at all (or at least half) of the combinations of some values per feature.
 *
 * For a separable kernel the basis of a grid is made of the bases of its axes, so it is never stored, it is made in
 * milliseconds, and a draw is evaluated at a few operations per point (num/kron.h), of a large grid only where it may
 * be largest (peak.c). Deviations are found for whole rows of points (spread.c). What is believed and what it
 * costs to learn is as in basis.c. */
#include "base/alloc.h"
#include "posterior/gp/gp.h"
#include "posterior/gp/peak.h"

#include <stdint.h>
#include <string.h>

typedef struct grid {
    const spar__gp_model *model;
    spar__kron kron;
    spar__weights w;
    spar__lattice lattice;
    spar__peak peak;
    double *rows, *work; /* of learn */
} grid;

enum { SLAB = 1 << 14 };

static spar_status set_up(grid *self)
{
    const spar__lattice *a = &self->lattice;
    spar_status status = spar__kron_make(&self->model->kernel, a->n, (const double *const *)a->value,
                                         SPAR__GP_TOLERANCE, SPAR__GP_RANK, &self->kron);
    if (!status)
        status = spar__peak_make(&self->kron, a, 0, &self->peak);
    if (!status)
        status = spar__weights_init(&self->w, self->kron.r);
    if (!status) {
        self->rows = spar__alloc(SPAR__GP_ROWS * self->kron.r, sizeof *self->rows);
        self->work = spar__alloc(SPAR__GP_ROWS * (self->w.stride + 1), sizeof *self->work);
        status = self->rows && self->work ? SPAR_OK : SPAR_NOMEM;
    }
    return status;
}

static spar_status init(void *state, const spar__gp_model *model, spar_error *err)
{
    grid *self = state;
    self->model = model;
    if (!spar__kernel_separable(&model->kernel))
        return spar__fail(
            err, SPAR_UNSUPPORTED,
            "gp: backing=grid needs a kernel that is a product over the features: se, product_matern32 or "
            "product_matern52");
    spar_status status = spar__lattice_find(model->points, &self->lattice);
    if (status == SPAR_UNSUPPORTED)
        (void)spar__fail(err, status,
                         "gp: backing=grid needs arms on a product grid of at most %d features, at least half of it "
                         "filled",
                         SPAR__KRON_AXES);
    if (!status) {
        status = set_up(self);
        if (status == SPAR_UNSUPPORTED)
            (void)spar__fail(err, status,
                             "gp: this grid needs more than %d basis functions with this kernel and length; a larger "
                             "length or a smoother kernel needs fewer",
                             SPAR__GP_RANK);
    }
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}

static void fini(void *state)
{
    grid *self = state;
    spar__peak_free(&self->peak);
    spar__kron_free(&self->kron);
    spar__weights_free(&self->w);
    spar__lattice_free(&self->lattice);
    spar__free(self->rows);
    spar__free(self->work);
}

static void forget(void *state)
{
    spar__weights_forget(&((grid *)state)->w);
}

static void row_of(const grid *self, size_t point, double *phi)
{
    spar__kron_row(&self->kron, self->lattice.cell ? self->lattice.cell[point] : point, phi);
}

static void learn(void *state, size_t count, const size_t *point, const double *weight, const double *y)
{
    grid *self = state;
    for (size_t done = 0; done < count; done += SPAR__GP_ROWS) {
        size_t some = count - done < SPAR__GP_ROWS ? count - done : SPAR__GP_ROWS;
        const double *row[SPAR__GP_ROWS];
        for (size_t i = 0; i < some; i++) {
            row[i] = self->rows + i * self->kron.r;
            row_of(self, point[done + i], self->rows + i * self->kron.r);
        }
        spar__weights_add(&self->w, some, row, weight + done, y + done, self->work);
    }
}

/* Values are computed in slabs. */
typedef struct sweep {
    size_t slab, rest; /* coordinates of the first axis in a slab; points of each */
    double *work, *value;
} sweep;

static void slab_sides(const spar__kron *kron, size_t first, size_t count, spar__kron_side *side)
{
    side[0] = spar__kron_part(kron, 0, first, count);
    for (size_t a = 1; a < kron->d; a++)
        side[a] = spar__kron_part(kron, a, 0, kron->axis[a].n);
}

static bool sweep_take(sweep *s, const grid *self, spar_scratch *scratch)
{
    spar__kron_side side[SPAR__KRON_AXES];
    size_t first = self->kron.axis[0].n;
    s->rest = self->kron.points / first;
    s->slab = SLAB / s->rest ? SLAB / s->rest : 1;
    s->slab = s->slab < first ? s->slab : first;
    slab_sides(&self->kron, 0, s->slab, side);
    s->work = spar__scratch_take(scratch, spar__kron_work(&self->kron, side), sizeof *s->work);
    s->value = spar__scratch_take(scratch, s->slab * s->rest, sizeof *s->value);
    return s->work && s->value;
}

/* The values of one slab; returns how many points it has. */
static size_t sweep_slab(const sweep *s, const grid *self, const double *table, size_t first)
{
    spar__kron_side side[SPAR__KRON_AXES];
    size_t left = self->kron.axis[0].n - first, count = left < s->slab ? left : s->slab;
    slab_sides(&self->kron, first, count, side);
    spar__kron_apply(&self->kron, side, table, s->work, s->value);
    return count * s->rest;
}

/* phi w at every point. */
static spar_status evaluate(const grid *self, spar_scratch *scratch, const double *w, double *value)
{
    size_t mark = spar__scratch_mark(scratch);
    sweep s;
    double *table = spar__scratch_take(scratch, self->kron.cells, sizeof *table);
    bool room = table && sweep_take(&s, self, scratch);
    if (room)
        spar__kron_spread(&self->kron, w, 1, table);
    for (size_t first = 0; room && first < self->kron.axis[0].n; first += s.slab) {
        size_t start = first * s.rest, count = sweep_slab(&s, self, table, first);
        for (size_t i = 0; i < count; i++) {
            size_t p = self->lattice.point ? self->lattice.point[start + i] : start + i;
            if (p != SIZE_MAX)
                value[p] = s.value[i];
        }
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static spar_status draw(const void *state, spar_scratch *scratch, spar_rng *rng, double *value)
{
    const grid *self = state;
    size_t mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, self->kron.r, sizeof *w);
    spar_status status = w ? spar__gp_draw_weights(&self->w, scratch, rng, 1, w) : SPAR_NOMEM;
    if (!status)
        status = evaluate(self, scratch, w, value);
    spar__scratch_release(scratch, mark);
    return status;
}

/* Where phi w is largest; `table` is w spread out. */
static spar_status find_best(const grid *self, const sweep *s, spar_scratch *scratch, spar_rng *rng,
                             const double *table, const bool *open, size_t *point)
{
    spar__gp_max max = {0};
    bool found = false;
    if (self->peak.blocks) {
        spar_status status = spar__peak_find(&self->peak, scratch, rng, table, open, &max, &found);
        if (status)
            return status;
    }
    for (size_t first = 0; !found && first < self->kron.axis[0].n; first += s->slab) {
        size_t count = sweep_slab(s, self, table, first);
        spar__gp_max_add(&max, rng, count, s->value, first * s->rest, self->lattice.point, open);
    }
    *point = max.index;
    return SPAR_OK;
}

static spar_status best(const void *state, spar_scratch *scratch, spar_rng *rng, size_t m, const bool *open,
                        size_t *point)
{
    const grid *self = state;
    size_t r = self->kron.r, mark = spar__scratch_mark(scratch);
    sweep s;
    double *w = spar__scratch_take(scratch, m * r, sizeof *w);
    double *table = spar__scratch_take(scratch, self->kron.cells, sizeof *table);
    spar_status status = w && table && sweep_take(&s, self, scratch) ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status = spar__gp_draw_weights(&self->w, scratch, rng, m, w);
    for (size_t j = 0; !status && j < m; j++) {
        spar__kron_spread(&self->kron, w + j * r, 1, table);
        status = find_best(self, &s, scratch, rng, table, open, &point[j]);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status means(const grid *self, spar_scratch *scratch, double *mean)
{
    size_t r = self->kron.r, mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, r, sizeof *w);
    spar_status status = w ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__weights_mean(&self->w, w);
        status = evaluate(self, scratch, w, mean);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status moments(const void *state, spar_scratch *scratch, double *mean, double *sd)
{
    const grid *self = state;
    spar_status status = mean ? means(self, scratch, mean) : SPAR_OK;
    if (!status && sd)
        status = spar__grid_deviations(&self->kron, &self->lattice, &self->w, self->model->points->n, scratch, sd);
    return status;
}

static spar_status row(const void *state, spar_scratch *scratch, size_t p, double *out, double *leak)
{
    const grid *self = state;
    size_t mark = spar__scratch_mark(scratch);
    double *w = spar__scratch_take(scratch, self->kron.r, sizeof *w);
    spar_status status = w ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        row_of(self, p, w);
        spar__gp_weigh(&self->w, w, leak);
        status = evaluate(self, scratch, w, out);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static double residual(const void *state)
{
    return ((const grid *)state)->kron.residual;
}

static void archive(void *state, spar__archive *ar)
{
    spar__gp_archive_weights(&((grid *)state)->w, ar);
}

const spar__gp_backing spar__gp_grid = {
    .name = "grid",
    .size = sizeof(grid),
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
