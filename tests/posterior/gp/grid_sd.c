/* All deviations of a grid against those of single points. */
#include "posterior/gp/grid.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "posterior/gp/lattices.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct field {
    double length[SPAR__KRON_AXES];
    spar__lattice lattice;
    spar__kron kron;
    spar__weights w;
    size_t points;
    spar_scratch *scratch;
    double *sd, *again, *half;
} field;

static void field_open(field *f, spar__kernel_kind kind, size_t d, const size_t *n, double length, size_t holes)
{
    *f = (field){0};
    for (size_t a = 0; a < d; a++)
        f->length[a] = length * (1 + 0.3 * (double)a);
    f->points = lattice_make(&f->lattice, d, n, 1.2, holes);
    spar__kernel kernel = {kind, d, f->length, 1.7};
    if (spar__kron_make(&kernel, n, (const double *const *)f->lattice.value, SPAR__GP_TOLERANCE, SPAR__GP_RANK,
                        &f->kron) ||
        spar__weights_init(&f->w, f->kron.r) || spar_scratch_new(&f->scratch))
        abort();
    f->sd = spar__alloc(f->points, sizeof *f->sd);
    f->again = spar__alloc(f->points, sizeof *f->again);
    f->half = spar__alloc(f->kron.r * SPAR__WIDTH, sizeof *f->half);
}

static void field_close(field *f)
{
    spar__lattice_free(&f->lattice);
    spar__kron_free(&f->kron);
    spar__weights_free(&f->w);
    spar_scratch_free(f->scratch);
    spar__free(f->sd);
    spar__free(f->again);
    spar__free(f->half);
}

static void field_learn(field *f, size_t answers, double weight)
{
    double *phi = spar__alloc(f->kron.r, sizeof *phi), *work = spar__alloc(f->w.stride + 1, sizeof *work), y = 1;
    for (size_t q = 0; q < answers; q++) {
        const double *row = phi;
        spar__kron_row(&f->kron, q * q * 31 % f->lattice.cells, phi);
        spar__weights_add(&f->w, 1, &row, &weight, &y, work);
    }
    spar__free(phi);
    spar__free(work);
}

static double alone(field *f, size_t p)
{
    double sd;
    spar__kron_row(&f->kron, f->lattice.cell ? f->lattice.cell[p] : p, f->half);
    for (size_t j = f->kron.r; j-- > 0;) {
        double phi = f->half[j];
        for (size_t l = 0; l < SPAR__WIDTH; l++)
            f->half[j * SPAR__WIDTH + l] = phi;
    }
    spar__gp_lengths(&f->w, f->half, 1, &sd);
    return sd;
}

static void check(spar__kernel_kind kind, size_t d, const size_t *n, double length, size_t holes)
{
    static const struct {
        size_t answers;
        double weight;
    } stages[] = {{0, 0}, {7, 40}, {300, 40}, {300, 1e9}};
    field f;
    field_open(&f, kind, d, n, length, holes);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        double far = 0, least = INFINITY;
        bool same = true;
        spar__weights_forget(&f.w);
        field_learn(&f, stages[s].answers, stages[s].weight);
        for (int level = 0; level < SPAR__CPU_COUNT; level++) {
            if (!spar__cpu_force((spar__cpu)level))
                continue;
            memcpy(f.again, f.sd, f.points * sizeof *f.sd);
            for (size_t p = 0; p < f.points; p++)
                f.sd[p] = NAN;
            if (spar__grid_deviations(&f.kron, &f.lattice, &f.w, f.points, f.scratch, f.sd))
                abort();
            same &= level == 0 || memcmp(f.again, f.sd, f.points * sizeof *f.sd) == 0;
        }
        for (size_t p = 0; p < f.points; p++) {
            double wanted = alone(&f, p);
            least = fmin(least, wanted);
            far = fmax(far, isnan(f.sd[p]) ? 1 : fabs(f.sd[p] / wanted - 1));
        }
        ok(same && far < 1e-11, "kernel %d, %zu points in %zu-D, r=%zu, %zu answers of weight %g", (int)kind, f.points,
           d, f.kron.r, stages[s].answers, stages[s].weight);
        printf("#   off by %.1e of itself; the least deviation is %.1e\n", far, least);
    }
    (void)spar__cpu_force(spar__cpu_choose(NULL));
    field_close(&f);
}

int main(void)
{
    check(SPAR__KERNEL_SE, 2, (const size_t[]){30, 41}, 0.4, 0);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){41, 30}, 0.4, 3);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){1, 400}, 0.3, 0);
    check(SPAR__KERNEL_SE, 3, (const size_t[]){9, 10, 12}, 1, 4);
    check(SPAR__KERNEL_SE, 1, (const size_t[]){3000}, 0.1, 0);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){6, 7}, 0.2, 0); /* one by one */
    check(SPAR__KERNEL_PRODUCT_MATERN32, 2, (const size_t[]){8, 9}, 0.5, 5);
    return done();
}
