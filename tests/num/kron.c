/* Against the kernel itself, point by point of small grids in one to four dimensions. */
#include "num/kernel.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

typedef struct grid {
    size_t d, n[SPAR__KRON_AXES], points;
    double axis[SPAR__KRON_AXES][64];
    const double *coordinate[SPAR__KRON_AXES];
} grid;

static void grid_make(grid *g, size_t d, const size_t *n)
{
    g->d = d;
    g->points = 1;
    for (size_t a = 0; a < d; a++) {
        g->n[a] = n[a];
        g->points *= n[a];
        g->coordinate[a] = g->axis[a];
        for (size_t i = 0; i < n[a]; i++) /* uneven on purpose */
            g->axis[a][i] = pow((double)i / (double)(n[a] > 1 ? n[a] - 1 : 1), 1 + 0.3 * (double)a);
    }
}

static void grid_point(const grid *g, size_t point, double *x)
{
    for (size_t a = g->d; a-- > 0; point /= g->n[a])
        x[a] = g->axis[a][point % g->n[a]];
}

static void check(int kind, size_t d, const size_t *n, double length, double tolerance)
{
    grid g;
    grid_make(&g, d, n);
    double lengths[SPAR__KRON_AXES], x[SPAR__KRON_AXES], y[SPAR__KRON_AXES], worst = 0;
    for (size_t a = 0; a < d; a++)
        lengths[a] = length * (1 + 0.2 * (double)a);
    spar__kernel k = {(spar__kernel_kind)kind, d, lengths, 3};
    spar__kron kron;
    if (!ok(spar__kron_make(&k, g.n, g.coordinate, tolerance, g.points, &kron) == SPAR_OK, "kernel %d in %zu-D", kind,
            d))
        return;
    double *phi = spar__alloc(g.points * kron.r, sizeof *phi), *w = spar__alloc(kron.r * 3, sizeof *w);
    double *out = spar__alloc(g.points, sizeof *out);
    spar__kron_side side[SPAR__KRON_AXES];
    for (size_t a = 0; a < d; a++)
        side[a] = spar__kron_part(&kron, a, 0, g.n[a]);
    double *work = spar__alloc(spar__kron_work(&kron, side), sizeof *work);
    double *table = spar__alloc(kron.cells, sizeof *table), *whole = spar__alloc(g.points, sizeof *whole);
    for (size_t p = 0; p < g.points; p++)
        spar__kron_row(&kron, p, phi + p * kron.r);
    for (size_t p = 0; p < g.points; p += 3)
        for (size_t q = 0; q <= p; q += p % 7 + 1) {
            double sum = 0;
            for (size_t j = 0; j < kron.r; j++)
                sum += phi[p * kron.r + j] * phi[q * kron.r + j];
            grid_point(&g, p, x);
            grid_point(&g, q, y);
            worst = fmax(worst, fabs(sum - spar__kernel_at(&k, x, y)));
        }
    ok(kron.residual <= 3 * tolerance && worst <= kron.residual + 1e-14 && kron.points == g.points,
       "length %g, tolerance %g: r=%zu of %zu, K within %.1e of %.1e", length, tolerance, kron.r, g.points, worst,
       kron.residual);
    for (size_t j = 0; j < 3 * kron.r; j++)
        w[j] = cos((double)j);
    double far = 0;
    bool same = true;
    spar__kron_spread(&kron, w + 1, 3, table);
    spar__kron_apply(&kron, side, table, work, whole);
    for (size_t first = 0; first < g.n[0]; first += 3) { /* slab by slab */
        size_t count = g.n[0] - first < 3 ? g.n[0] - first : 3, rest = g.points / g.n[0];
        side[0] = spar__kron_part(&kron, 0, first, count);
        spar__kron_apply(&kron, side, table, work, out);
        same &= memcmp(out, whole + first * rest, count * rest * sizeof *out) == 0;
        for (size_t p = 0; p < count * rest; p++) {
            double wanted = 0;
            for (size_t j = 0; j < kron.r; j++)
                wanted += phi[(first * rest + p) * kron.r + j] * w[3 * j + 1];
            far = fmax(far, isnan(out[p]) ? 1e9 : fabs(out[p] - wanted));
        }
    }
    ok(far < 1e-12 && same, "values of all points (%.1e), the same bits in parts", far);
    spar__free(phi);
    spar__free(w);
    spar__free(out);
    spar__free(work);
    spar__free(table);
    spar__free(whole);
    spar__kron_free(&kron);
}

static void check_refusals(void)
{
    grid g;
    grid_make(&g, 2, (const size_t[]){20, 20});
    double lengths[7] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    spar__kernel k = {SPAR__KERNEL_MATERN32, 2, lengths, 1};
    spar__kron kron;
    ok(spar__kron_make(&k, g.n, g.coordinate, 1e-14, 400, &kron) == SPAR_UNSUPPORTED && !kron.cell,
       "matern32 in two dimensions is no product");
    k.kind = SPAR__KERNEL_PRODUCT_MATERN32;
    ok(spar__kron_make(&k, g.n, g.coordinate, 1e-14, 300, &kron) == SPAR_UNSUPPORTED && !kron.cell, "rank too low");
    k.dim = 7;
    ok(spar__kron_make(&k, g.n, g.coordinate, 1e-14, 300, &kron) == SPAR_UNSUPPORTED && !kron.cell, "too many axes");
    k = (spar__kernel){SPAR__KERNEL_SE, 2, lengths, 1};
    spar__alloc_fail_at(0);
    bool good = spar__kron_make(&k, g.n, g.coordinate, 1e-14, 400, &kron) == SPAR_OK;
    size_t calls = spar__alloc_count();
    spar__kron_free(&kron);
    for (size_t c = 1; c <= calls; c++) {
        spar__alloc_fail_at(c);
        good &= spar__kron_make(&k, g.n, g.coordinate, 1e-14, 400, &kron) == SPAR_NOMEM && !kron.cell;
    }
    spar__alloc_fail_at(0);
    ok(good && calls > 20, "each of %zu allocations may fail", calls);
}

int main(void)
{
    check(SPAR__KERNEL_MATERN32, 1, (const size_t[]){40}, 0.3, 1e-14);
    check(SPAR__KERNEL_LINEAR, 1, (const size_t[]){40}, 0.3, 1e-14);
    for (double tolerance = 1e-14; tolerance < 1e-3; tolerance *= 1e5) {
        check(SPAR__KERNEL_SE, 1, (const size_t[]){64}, 0.2, tolerance);
        check(SPAR__KERNEL_SE, 2, (const size_t[]){30, 25}, 0.2, tolerance);
        check(SPAR__KERNEL_SE, 3, (const size_t[]){7, 10, 9}, 1, tolerance);
        check(SPAR__KERNEL_SE, 4, (const size_t[]){5, 1, 6, 4}, 2, tolerance);
        check(SPAR__KERNEL_PRODUCT_MATERN52, 2, (const size_t[]){12, 17}, 10, tolerance);
    }
    check(SPAR__KERNEL_PRODUCT_MATERN32, 6, (const size_t[]){3, 2, 3, 2, 3, 2}, 1, 1e-14);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){8, 8}, 1e-3, 1e-14);
    check(SPAR__KERNEL_SE, 2, (const size_t[]){30, 30}, 1e3, 1e-14);
    check_refusals();
    return done();
}
