/* grid.c - the backing for a product grid and a separable kernel: the grid, its standard deviations, the backing.
 *
 * For a separable kernel the basis of a grid is made of the bases of its axes, so it is never stored, it is made in
 * milliseconds, and a draw is evaluated at a few operations per point (num/kernel.h), of a large grid only where it may
 * be largest (grid_argmax.c). What is believed and what it costs to learn is as in basis.c. */
#include "posterior/gp/grid.h"

#include "base/alloc.h"
#include "base/order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The distinct values of a feature, sorted. They are collected in a table that loses its doubles whenever it is full,
 * and grows when that does not help: most often they are few. */
static spar_status find_values(const spar__gp_points *points, size_t d, size_t *n, double **out)
{
    size_t count = 0, room = 1024;
    double *value = spar__alloc(room, sizeof *value);
    for (size_t i = 0; value && i < points->n; i++) {
        value[count++] = points->x[i * points->dim + d];
        if (count < room)
            continue;
        count = spar__distinct(count, value);
        if (count > room / 2) {
            double *larger = spar__realloc(value, count, 2 * room, sizeof *value);
            if (!larger)
                spar__free(value);
            value = larger;
            room *= 2;
        }
    }
    *out = value;
    *n = value ? spar__distinct(count, value) : 0;
    return value ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__lattice_find(const spar__gp_points *points, spar__lattice *out)
{
    size_t dim = points->dim;
    *out = (spar__lattice){.d = dim, .cells = 1};
    spar_status status = dim > SPAR__KRON_AXES ? SPAR_UNSUPPORTED : SPAR_OK;
    for (size_t d = 0; !status && d < dim; d++) {
        status = find_values(points, d, &out->n[d], &out->value[d]);
        if (!status && out->n[d] > 2 * points->n / out->cells)
            status = SPAR_UNSUPPORTED;
        out->cells *= out->n[d];
    }
    /* Points are sorted as the cells of a complete grid are numbered. */
    if (!status && out->cells != points->n) {
        out->cell = spar__alloc(points->n, sizeof *out->cell);
        out->point = spar__alloc(out->cells, sizeof *out->point);
        if (!out->cell || !out->point)
            status = SPAR_NOMEM;
        for (size_t c = 0; !status && c < out->cells; c++)
            out->point[c] = SIZE_MAX;
        for (size_t p = 0; !status && p < points->n; p++) {
            size_t cell = 0;
            for (size_t d = 0; d < dim; d++) {
                const double *at =
                    bsearch(points->x + p * dim + d, out->value[d], out->n[d], sizeof *at, spar__by_value);
                cell = cell * out->n[d] + (size_t)(at - out->value[d]);
            }
            out->cell[p] = cell;
            out->point[cell] = p;
        }
    }
    if (status)
        spar__lattice_free(out);
    return status;
}

void spar__lattice_free(spar__lattice *lattice)
{
    for (size_t d = 0; d < SPAR__KRON_AXES; d++)
        spar__free(lattice->value[d]);
    spar__free(lattice->cell);
    spar__free(lattice->point);
    *lattice = (spar__lattice){0};
}

/* --- The standard deviations of all points: sd(x) = |R^-T phi(x)| ---
 *
 * One point by itself takes a solve, r^2 / 2 multiplications. But points that differ in the last coordinate only share
 * most of that. Let c be the rank of the last axis and psi(x_d) its c values there. phi(x) is linear in psi(x_d), with
 * numbers that come from the other coordinates, and so is
 *
 *     R^-T phi(x) = M psi(x_d),     M = sum_j X_j h_j e_k(j)^T      (r x c)
 *
 * where X_j is column j of X = R^-T, h_j the product of the other axes' parts of column j of the basis, and k(j) its
 * column of the last axis. With the triangle T of a QR factorisation of M, |M psi| is |T psi|: c^2 / 2 multiplications
 * a point, and for each row of points some r^2 + r c^2. Nothing is squared before it is added up, so small deviations
 * are as exact as those of single points. Eight rows are worked on at a time, one in each lane. */

/* The columns j of the basis, those with the same column k of the last axis together: places start[k] .. start[k + 1] -
 * 1 of `column`. */
typedef struct sorted {
    size_t c;
    size_t *start, *column;
    size_t *place; /* of each j */
} sorted;

typedef struct spread {
    const spar__kron *kron;
    const spar__lattice *lattice;
    const spar__weights *w;
    size_t r, last; /* the number of the last axis */
    sorted by;
    double *inverse;    /* X: for each k, r rows of the columns that have it */
    double *head;       /* h, in lanes */
    double *m, *t;      /* in lanes */
    double *one, *form; /* T of a row of points, c x c, and T psi, c x n */
} spread;

static bool spread_take(spread *s, spar_scratch *scratch)
{
    size_t r = s->r, c = s->by.c, n = s->kron->axis[s->last].n;
    s->by.start = spar__scratch_take(scratch, c + 1, sizeof *s->by.start);
    s->by.column = spar__scratch_take(scratch, r, sizeof *s->by.column);
    s->by.place = spar__scratch_take(scratch, r, sizeof *s->by.place);
    s->inverse = spar__scratch_take(scratch, r * r, sizeof *s->inverse);
    s->head = spar__scratch_take(scratch, r * SPAR__WIDTH, sizeof *s->head);
    s->m = spar__scratch_take(scratch, r * c * SPAR__WIDTH, sizeof *s->m);
    s->t = spar__scratch_take(scratch, c * c * SPAR__WIDTH, sizeof *s->t);
    s->one = spar__scratch_take(scratch, c * c, sizeof *s->one);
    s->form = spar__scratch_take(scratch, c * n, sizeof *s->form);
    return s->by.start && s->by.column && s->by.place && s->inverse && s->head && s->m && s->t && s->one && s->form;
}

static size_t last_column(const spread *s, size_t j)
{
    return s->kron->column[j * s->kron->d + s->last];
}

/* h of all columns for `count` rows of points, in the order of `sorted`. */
static void fill_heads(const spread *s, size_t row, size_t count)
{
    const spar__kron *kron = s->kron;
    memset(s->head, 0, s->r * SPAR__WIDTH * sizeof *s->head);
    for (size_t l = 0; l < count; l++) {
        const double *phi[SPAR__KRON_AXES];
        for (size_t a = s->last, rest = row + l; a-- > 0; rest /= kron->axis[a].n)
            phi[a] = kron->axis[a].phi + rest % kron->axis[a].n * kron->axis[a].r;
        for (size_t p = 0; p < s->r; p++) {
            const size_t *column = kron->column + s->by.column[p] * kron->d;
            double h = 1;
            for (size_t a = 0; a < s->last; a++)
                h *= phi[a][column[a]];
            s->head[p * SPAR__WIDTH + l] = h;
        }
    }
}

/* The deviations of row `row` of points, which is in lane l. */
static void finish_row(const spread *s, size_t row, size_t l, double *sd)
{
    size_t c = s->by.c, n = s->kron->axis[s->last].n;
    for (size_t i = 0; i < c * c; i++)
        s->one[i] = s->t[i * SPAR__WIDTH + l];
    spar__product(c, n, c, s->one, c, s->kron->last, n, s->form, n);
    for (size_t i = 0; i < n; i++) /* the first of them gets the sum */
        s->form[i] *= s->form[i];
    for (size_t k = 1; k < c; k++)
        for (size_t i = 0; i < n; i++)
            s->form[i] += s->form[k * n + i] * s->form[k * n + i];
    for (size_t i = 0; i < n; i++) {
        size_t cell = row * n + i, p = s->lattice->point ? s->lattice->point[cell] : cell;
        if (p != SIZE_MAX)
            sd[p] = sqrt(s->form[i]);
    }
}

static void by_rows(spread *s, double *sd)
{
    size_t r = s->r, c = s->by.c, rows = s->kron->points / s->kron->axis[s->last].n;
    size_t at = 0;
    for (size_t k = 0; k < s->by.c; k++) {
        s->by.start[k] = at;
        for (size_t j = 0; j < s->r; j++)
            if (last_column(s, j) == k) {
                s->by.column[at] = j;
                s->by.place[j] = at++;
            }
    }
    s->by.start[s->by.c] = at;
    /* SPAR__WIDTH columns of X at a time, which are zero above the diagonal; m has room for them. */
    for (size_t first = 0; first < r; first += SPAR__WIDTH) {
        size_t count = r - first < SPAR__WIDTH ? r - first : SPAR__WIDTH;
        memset(s->m, 0, r * SPAR__WIDTH * sizeof *s->m);
        for (size_t l = 0; l < count; l++)
            s->m[(first + l) * SPAR__WIDTH + l] = 1;
        spar__triangle_forward(r - first, s->w->stride, s->w->R + first * (s->w->stride + 1), SPAR__WIDTH,
                               s->m + first * SPAR__WIDTH);
        for (size_t l = 0; l < count; l++) {
            size_t j = first + l, start = s->by.start[last_column(s, j)];
            size_t wide = s->by.start[last_column(s, j) + 1] - start;
            double *block = s->inverse + start * r + (s->by.place[j] - start);
            for (size_t i = 0; i < r; i++)
                block[i * wide] = s->m[i * SPAR__WIDTH + l];
        }
    }
    for (size_t row = 0; row < rows; row += SPAR__WIDTH) {
        size_t count = rows - row < SPAR__WIDTH ? rows - row : SPAR__WIDTH;
        fill_heads(s, row, count);
        for (size_t k = 0; k < c; k++) {
            size_t start = s->by.start[k], wide = s->by.start[k + 1] - start;
            spar__product(r, SPAR__WIDTH, wide, s->inverse + start * r, wide, s->head + start * SPAR__WIDTH,
                          SPAR__WIDTH, s->m + k * r * SPAR__WIDTH, SPAR__WIDTH);
        }
        spar__triangles(r, c, s->m, s->t);
        for (size_t l = 0; l < count; l++)
            finish_row(s, row + l, l, sd);
    }
}

static spar_status one_by_one(const spread *s, spar_scratch *scratch, size_t points, double *sd)
{
    double *row = spar__scratch_take(scratch, s->r, sizeof *row);
    double *half = spar__scratch_take(scratch, s->r * SPAR__WIDTH, sizeof *half);
    for (size_t start = 0; row && half && start < points; start += SPAR__WIDTH) {
        size_t count = points - start < SPAR__WIDTH ? points - start : SPAR__WIDTH;
        memset(half, 0, s->r * SPAR__WIDTH * sizeof *half);
        for (size_t l = 0; l < count; l++) {
            spar__kron_row(s->kron, s->lattice->cell ? s->lattice->cell[start + l] : start + l, row);
            for (size_t j = 0; j < s->r; j++)
                half[j * SPAR__WIDTH + l] = row[j];
        }
        spar__gp_lengths(s->w, half, count, sd + start);
    }
    return row && half ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__grid_deviations(const spar__kron *kron, const spar__lattice *lattice, const spar__weights *w,
                                  size_t points, spar_scratch *scratch, double *sd)
{
    size_t mark = spar__scratch_mark(scratch), last = kron->d - 1;
    spread s = {.kron = kron, .lattice = lattice, .w = w, .r = kron->r, .last = last, .by.c = kron->axis[last].r};
    spar_status status = SPAR_OK;
    /* Do rows pay: is the work less, counted in multiplications? */
    double r = (double)s.r, c = (double)s.by.c, cells = (double)kron->points, rows = cells / (double)kron->axis[last].n;
    if (!(r * r * r / 6 + rows * (r * r + r * c * c) + cells * c * c < (double)points * r * r / 2))
        status = one_by_one(&s, scratch, points, sd);
    else if (spread_take(&s, scratch))
        by_rows(&s, sd);
    else
        status = SPAR_NOMEM;
    spar__scratch_release(scratch, mark);
    return status;
}

/* --- The backing --- */

typedef struct grid {
    spar__gp_fixed fixed;
    spar__kron kron;
    spar__lattice lattice;
    spar__peak peak;
} grid;

enum { SLAB = 1 << 14 };

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
static spar_status evaluate(const spar__gp_fixed *fixed, spar_scratch *scratch, const double *w, double *value)
{
    const grid *self = (const grid *)fixed;
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

static void phi(const spar__gp_fixed *fixed, size_t point, double *out)
{
    const grid *self = (const grid *)fixed;
    spar__kron_row(&self->kron, self->lattice.cell ? self->lattice.cell[point] : point, out);
}

static spar_status init(void *state, const spar__gp_model *model, spar_error *err)
{
    grid *self = state;
    self->fixed.model = model;
    self->fixed.phi = phi;
    self->fixed.evaluate = evaluate;
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
        const spar__lattice *a = &self->lattice;
        status = spar__kron_make(&self->fixed.model->kernel, a->n, (const double *const *)a->value, SPAR__GP_TOLERANCE,
                                 SPAR__GP_RANK, &self->kron);
        if (!status)
            status = spar__peak_make(&self->kron, a, 0, &self->peak);
        if (!status)
            status = spar__gp_fixed_init(&self->fixed, self->kron.r);
        self->fixed.residual = self->kron.residual;
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
    spar__gp_fixed_fini(&self->fixed);
    spar__lattice_free(&self->lattice);
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
        status = spar__gp_draw_weights(&self->fixed.w, scratch, rng, m, w);
    for (size_t j = 0; !status && j < m; j++) {
        spar__gp_max max = {0};
        bool found = false;
        spar__kron_spread(&self->kron, w + j * r, 1, table);
        if (self->peak.blocks)
            status = spar__peak_find(&self->peak, scratch, rng, table, open, &max, &found);
        for (size_t first = 0; !status && !found && first < self->kron.axis[0].n; first += s.slab) {
            size_t count = sweep_slab(&s, self, table, first);
            spar__gp_max_add(&max, rng, count, s.value, first * s.rest, self->lattice.point, open);
        }
        point[j] = max.index;
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status moments(const void *state, spar_scratch *scratch, double *mean, double *sd)
{
    const grid *self = state;
    spar_status status = mean ? spar__gp_fixed_mean(self, scratch, mean) : SPAR_OK;
    if (!status && sd)
        status = spar__grid_deviations(&self->kron, &self->lattice, &self->fixed.w, self->fixed.model->points->n,
                                       scratch, sd);
    return status;
}

const spar__gp_backing spar__gp_grid = {
    .name = "grid",
    .size = sizeof(grid),
    .init = init,
    .fini = fini,
    .forget = spar__gp_fixed_forget,
    .learn = spar__gp_fixed_learn,
    .draw = spar__gp_fixed_draw,
    .best = best,
    .moments = moments,
    .row = spar__gp_fixed_row,
    .residual = spar__gp_fixed_residual,
    .archive = spar__gp_fixed_archive,
};
