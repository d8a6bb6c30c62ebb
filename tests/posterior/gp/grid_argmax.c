/* The peak that is found is that of all values, computed one and all: for draws at several stages of learning, and for
 * weights that make the bounds as wrong as they can be. */
#include "posterior/gp/grid.h"

#include "base/alloc.h"
#include "posterior/gp/lattices.h"
#include "sampler/sampler.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct field {
    spar__kernel kernel;
    double length[SPAR__KRON_AXES];
    spar__lattice lattice;
    spar__kron kron;
    spar__weights weights;
    bool *open;
    double *table, *work, *value, *row;
    size_t points; /* cells that are no holes */
    spar_scratch *scratch;
    spar_rng rng;
} field;

static void field_open(field *f, spar__kernel_kind kind, size_t d, const size_t *n, double length, double bow,
                       size_t holes)
{
    *f = (field){.kernel = {kind, d, f->length, 1.7}};
    spar_rng_seed(&f->rng, 5, d, n[0]);
    for (size_t a = 0; a < d; a++)
        f->length[a] = length * (1 + 0.3 * (double)a);
    f->points = lattice_make(&f->lattice, d, n, bow, holes);
    f->open = spar__alloc(f->points, sizeof *f->open);
    memset(f->open, 1, f->points);
    if (spar__kron_make(&f->kernel, n, (const double *const *)f->lattice.value, SPAR__GP_TOLERANCE, SPAR__GP_RANK,
                        &f->kron) ||
        spar__weights_init(&f->weights, f->kron.r) || spar_scratch_new(&f->scratch))
        abort();
    spar__kron_side side[SPAR__KRON_AXES];
    for (size_t a = 0; a < d; a++)
        side[a] = spar__kron_part(&f->kron, a, 0, n[a]);
    f->table = spar__alloc(f->kron.cells, sizeof *f->table);
    f->work = spar__alloc(spar__kron_work(&f->kron, side) + f->weights.stride + 1, sizeof *f->work);
    f->value = spar__alloc(f->lattice.cells, sizeof *f->value);
    f->row = spar__alloc(f->kron.r, sizeof *f->row);
}

static void field_close(field *f)
{
    spar__lattice_free(&f->lattice);
    spar__kron_free(&f->kron);
    spar__weights_free(&f->weights);
    spar__free(f->open);
    spar__free(f->table);
    spar__free(f->work);
    spar__free(f->value);
    spar__free(f->row);
    spar_scratch_free(f->scratch);
}

/* Answers about points near `centre` of the grid, as if f had its peak there. */
static void field_learn(field *f, size_t answers, double spread, double weight)
{
    for (size_t q = 0; q < answers; q++) {
        size_t cell = 0;
        double square = 0;
        for (size_t a = 0; a < f->lattice.d; a++) {
            double at = 0.6 + spread * (spar_rng_uniform(&f->rng) - 0.5);
            size_t n = f->lattice.n[a], i = (size_t)(at * (double)(n - 1) + 0.5);
            cell = cell * n + i;
            square += (at - 0.6) * (at - 0.6);
        }
        const double *row = f->row, y = 1 - square + (spar_rng_uniform(&f->rng) - 0.5) / sqrt(weight);
        spar__kron_row(&f->kron, cell, f->row);
        spar__weights_add(&f->weights, 1, &row, &weight, &y, f->work);
    }
}

typedef struct tally {
    size_t draws, wrong, found;
    size_t astray; /* the random numbers are not as far */
} tally;

/* The peak of f->row.w against that of all values. */
static void field_compare(field *f, const spar__peak *peak, tally *t)
{
    spar__kron_side side[SPAR__KRON_AXES];
    for (size_t a = 0; a < f->lattice.d; a++)
        side[a] = spar__kron_part(&f->kron, a, 0, f->lattice.n[a]);
    spar__kron_spread(&f->kron, f->row, 1, f->table);
    spar__kron_apply(&f->kron, side, f->table, f->work, f->value);
    spar__gp_max all = {0}, some = {0};
    spar_rng left = f->rng, right = f->rng;
    spar__gp_max_add(&all, &left, f->lattice.cells, f->value, 0, f->lattice.point, f->open);
    bool found;
    if (spar__peak_find(peak, f->scratch, &right, f->table, f->open, &some, &found))
        abort();
    t->draws++;
    t->found += found;
    if (!found)
        t->wrong += some.ties != 0;
    else if (all.ties == 1)
        t->wrong += some.index != all.index || some.value != all.value || some.ties != 1;
    else /* any of them */
        t->wrong += some.value != all.value || some.ties != all.ties || f->value[some.index] != all.value;
    t->astray += found && memcmp(&left, &right, sizeof left) != 0;
}

static void field_draw(field *f)
{
    if (spar__gp_draw_weights(&f->weights, f->scratch, &f->rng, 1, f->row))
        abort();
}

/* Weights that all pull the same way at one place between the edges of its block, against the mean of its corners. */
static void field_conspire(field *f, const spar__peak *peak)
{
    static double off[SPAR__KRON_AXES][SPAR__GP_RANK], low[SPAR__KRON_AXES][SPAR__GP_RANK];
    for (size_t a = 0; a < f->lattice.d; a++) {
        const spar__basis *basis = &f->kron.axis[a];
        const spar__peak_axis *axis = &peak->axis[a];
        size_t b = (size_t)spar_rng_below(&f->rng, axis->blocks), from = axis->edge[b], to = axis->edge[b + 1];
        size_t i = from + (size_t)spar_rng_below(&f->rng, to - from + 1);
        const double *x = f->lattice.value[a], *phi = basis->phi;
        double t = to > from ? (x[i] - x[from]) / (x[to] - x[from]) : 0;
        for (size_t k = 0; k < basis->r; k++) {
            low[a][k] = (1 - t) * phi[from * basis->r + k] + t * phi[to * basis->r + k];
            off[a][k] = phi[i * basis->r + k];
        }
    }
    for (size_t j = 0; j < f->kron.r; j++) {
        double all = 1, linear = 1;
        for (size_t a = 0; a < f->lattice.d; a++) {
            all *= off[a][f->kron.column[j * f->kron.d + a]];
            linear *= low[a][f->kron.column[j * f->kron.d + a]];
        }
        f->row[j] = (all > linear ? 1 : -1) * (j % 3 ? 1 : spar_rng_uniform(&f->rng));
    }
}

static void retire(field *f, const spar__peak *peak)
{
    for (size_t p = 0; p < f->points; p++)
        f->open[p] = spar_rng_below(&f->rng, 3) == 0;
    size_t rest = f->lattice.cells / f->lattice.n[0]; /* and the corners of a whole row of blocks */
    size_t from = peak->axis[0].edge[peak->axis[0].blocks / 2] * rest;
    for (size_t cell = from; cell < from + rest; cell++) {
        size_t p = f->lattice.point ? f->lattice.point[cell] : cell;
        if (p != SIZE_MAX)
            f->open[p] = false;
    }
    f->open[f->points / 2] = true;
}

typedef struct stage {
    const char *what;
    size_t answers;
    double spread, weight;
} stage;

static const stage stages[] = {
    {"prior", 0, 0, 0},
    {"few answers", 6, 0.8, 40},
    {"many at the peak", 200, 0.05, 40},
    {"all known", 300, 0.8, 1e6},
};

/* share: of the draws at each stage but the last, how many must be found from bounds at least. */
static void check(spar__kernel_kind kind, size_t d, const size_t *n, double length, double bow, size_t holes,
                  size_t width, double share)
{
    field f;
    field_open(&f, kind, d, n, length, bow, holes);
    spar__peak peak;
    if (spar__peak_make(&f.kron, &f.lattice, width, &peak) || !peak.blocks)
        abort();
    size_t draws = f.lattice.cells > 20000 ? 30 : 150;
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        tally t = {0};
        memset(f.open, 1, f.points);
        spar__weights_forget(&f.weights);
        field_learn(&f, stages[s].answers, stages[s].spread, stages[s].weight);
        for (size_t i = 0; i < draws; i++) {
            if (i == draws / 2)
                retire(&f, &peak);
            field_draw(&f);
            field_compare(&f, &peak, &t);
        }
        ok(t.wrong == 0 && t.astray == 0 && (s == 3 || (double)t.found >= share * (double)t.draws),
           "kernel %d, %zu cells in %zu-D, length %g, %s: %zu draws, %zu of them by bounds", (int)kind, f.lattice.cells,
           d, length, stages[s].what, t.draws, t.found);
    }
    tally t = {0};
    memset(f.open, 1, f.points);
    for (size_t i = 0; i < draws; i++) {
        field_conspire(&f, &peak);
        field_compare(&f, &peak, &t);
    }
    ok(t.wrong == 0, "... weights that conspire: %zu draws, %zu of them by bounds", t.draws, t.found);
    spar__peak_free(&peak);
    field_close(&f);
}

/* Nothing to go by: all points tie, and are left to who evaluates them all. */
static void check_flat(void)
{
    field f;
    tally t = {0};
    field_open(&f, SPAR__KERNEL_SE, 2, (const size_t[]){40, 50}, 0.5, 1, 0);
    spar__peak peak;
    if (spar__peak_make(&f.kron, &f.lattice, 0, &peak) || !peak.blocks)
        abort();
    memset(f.row, 0, f.kron.r * sizeof *f.row);
    field_compare(&f, &peak, &t);
    ok(t.wrong == 0 && t.found == 0, "a flat function has no peak");
    memset(f.open, 0, f.points);
    f.open[1234] = true;
    field_draw(&f);
    field_compare(&f, &peak, &t);
    ok(t.wrong == 0, "one open point");
    spar__peak_free(&peak);
    field_close(&f);
}

/* Twice the same row of the grid: the two largest are equal, and either is taken. */
static void check_ties(void)
{
    field f;
    field_open(&f, SPAR__KERNEL_SE, 2, (const size_t[]){64, 64}, 0.4, 1, 0);
    spar__basis *axis = &f.kron.axis[0];
    for (size_t i = 0; i < axis->n; i += 2)
        memcpy(axis->phi + (i + 1) * axis->r, axis->phi + i * axis->r, axis->r * sizeof *axis->phi);
    spar__peak peak;
    if (spar__peak_make(&f.kron, &f.lattice, 7, &peak) || !peak.blocks)
        abort();
    tally t = {0};
    size_t upper = 0;
    for (size_t i = 0; i < 1000; i++) {
        spar__gp_max max = {0};
        bool found;
        field_draw(&f);
        field_compare(&f, &peak, &t);
        if (spar__peak_find(&peak, f.scratch, &f.rng, f.table, f.open, &max, &found))
            abort();
        upper += found && max.ties == 2 && max.index / 64 % 2;
    }
    ok(t.wrong == 0 && t.found > 900, "peaks that are twins: %zu draws, %zu of them by bounds, %zu wrong", t.draws,
       t.found, t.wrong);
    ok(fabs((double)upper - 500) < 80, "each of two equal peaks is taken (%zu of 1000)", upper);
    spar__peak_free(&peak);
    field_close(&f);
}

static void check_choice(spar__kernel_kind kind, size_t side, double length, bool wanted)
{
    field f;
    field_open(&f, kind, 2, (const size_t[]){side, side}, length, 1, 0);
    spar__peak peak;
    bool made = spar__peak_make(&f.kron, &f.lattice, 0, &peak) == SPAR_OK;
    ok(made && (peak.blocks > 0) == wanted, "kernel %d, %zu x %zu, length %g: %zu blocks", (int)kind, side, side,
       length, peak.blocks);
    spar__peak_free(&peak);
    spar__alloc_fail_at(0);
    made = spar__peak_make(&f.kron, &f.lattice, 0, &peak) == SPAR_OK;
    size_t calls = spar__alloc_count();
    for (size_t c = 1; c <= calls; c++) {
        spar__peak_free(&peak);
        spar__alloc_fail_at(c);
        made &= spar__peak_make(&f.kron, &f.lattice, 0, &peak) == SPAR_NOMEM && !peak.blocks;
    }
    spar__alloc_fail_at(0);
    ok(made, "each of %zu allocations may fail", calls);
    spar__peak_free(&peak);
    field_close(&f);
}

int main(void)
{
    check(SPAR__KERNEL_SE, 2, (const size_t[]){100, 100}, 0.2, 1, 0, 0, 0.9);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){300, 200}, 0.15, 1, 0, 0, 0.9);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){90, 120}, 0.3, 1.7, 5, 0, 0.9);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){60, 1}, 0.3, 1, 0, 4, 0);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){50, 40}, 0.2, 1, 0, 12, 0);
    check(SPAR__KERNEL_SE, 3, (const size_t[]){20, 24, 22}, 1, 1.2, 3, 0, 0.5);
    check(SPAR__KERNEL_SE, 1, (const size_t[]){2000}, 0.1, 1.5, 4, 10, 0.9);
    check(SPAR__KERNEL_PRODUCT_MATERN52, 2, (const size_t[]){24, 30}, 2, 1, 0, 3, 0);
    check(SPAR__KERNEL_PRODUCT_MATERN32, 2, (const size_t[]){30, 24}, 0.3, 1, 7, 3, 0);
    check(SPAR__KERNEL_PRODUCT_MATERN32, 3, (const size_t[]){7, 8, 9}, 3, 1, 0, 2, 0);
    check(SPAR__KERNEL_MATERN52, 1, (const size_t[]){1500}, 1, 1, 0, 10, 0);
    check(SPAR__KERNEL_LINEAR, 1, (const size_t[]){1500}, 1, 1, 0, 10, 0);
    check_flat();
    check_ties();
    check_choice(SPAR__KERNEL_SE, 100, 0.2, true);
    check_choice(SPAR__KERNEL_SE, 8, 0.2, false);
    check_choice(SPAR__KERNEL_PRODUCT_MATERN32, 40, 0.2, false);
    return done();
}
