#include "num/kron.h"

#include "base/alloc.h"
#include "base/order.h"
#include "num/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22 }; /* products looked at; no useful set of axes has more */

static int by_cell(const void *a, const void *b)
{
    const spar__ranked *p = a, *q = b;
    return p->index < q->index ? -1 : p->index > q->index;
}

/* The column of axis a in a cell. */
static size_t column_of(const spar__kron *kron, size_t cell, size_t a)
{
    for (size_t b = kron->d - 1; b > a; b--)
        cell /= kron->axis[b].r;
    return cell % kron->axis[a].r;
}

/* bound[j]: the largest square in column j. */
static void bound_columns(const spar__basis *basis, double *bound)
{
    for (size_t j = 0; j < basis->r; j++) {
        bound[j] = 0;
        for (size_t i = 0; i < basis->n; i++)
            bound[j] = fmax(bound[j], basis->phi[i * basis->r + j] * basis->phi[i * basis->r + j]);
    }
}

/* A bound of the square of each product at any point. */
static void measure(const spar__kron *kron, double *const *bound, spar__ranked *list)
{
    for (size_t c = 0; c < kron->cells; c++) {
        list[c] = (spar__ranked){1, c};
        for (size_t a = 0; a < kron->d; a++)
            list[c].value *= bound[a][column_of(kron, c, a)];
    }
}

/* Keeps the largest products, in the order of their cells, and leaves out what adds up to at most `limit`. */
static spar_status select_products(spar__kron *kron, spar__ranked *list, double limit, size_t max_rank)
{
    size_t out = 0;
    double left = 0;
    spar__rank(kron->cells, list);
    while (out < kron->cells && left + list[out].value <= limit)
        left += list[out++].value;
    kron->residual += left;
    kron->r = kron->cells - out;
    if (kron->r > max_rank)
        return SPAR_UNSUPPORTED;
    qsort(list + out, kron->r, sizeof *list, by_cell);
    kron->cell = spar__alloc(kron->r, sizeof *kron->cell);
    kron->column = spar__alloc(kron->r * kron->d, sizeof *kron->column);
    if (!kron->cell || !kron->column)
        return SPAR_NOMEM;
    for (size_t j = 0; j < kron->r; j++) {
        kron->cell[j] = list[out + j].index;
        for (size_t a = 0; a < kron->d; a++)
            kron->column[j * kron->d + a] = column_of(kron, kron->cell[j], a);
    }
    return SPAR_OK;
}

static spar_status choose_products(spar__kron *kron, double limit, size_t max_rank)
{
    double *bound[SPAR__KRON_AXES] = {NULL};
    spar__ranked *list = spar__alloc(kron->cells, sizeof *list);
    spar_status status = list ? SPAR_OK : SPAR_NOMEM;
    for (size_t a = 0; !status && a < kron->d; a++) {
        bound[a] = spar__alloc(kron->axis[a].r, sizeof **bound);
        status = bound[a] ? SPAR_OK : SPAR_NOMEM;
        if (!status)
            bound_columns(&kron->axis[a], bound[a]);
    }
    if (!status) {
        measure(kron, bound, list);
        status = select_products(kron, list, limit, max_rank);
    }
    for (size_t a = 0; a < kron->d; a++)
        spar__free(bound[a]);
    spar__free(list);
    return status;
}

/* Half of the tolerance goes to the axes in equal parts, half to the products. */
static spar_status make_axes(spar__kron *kron, const spar__kernel *kernel, const size_t *n,
                             const double *const *coordinate, double tolerance, size_t max_rank)
{
    double kept = 1, whole = 1;
    for (size_t a = 0; a < kron->d; a++) {
        spar__kernel one = spar__kernel_axis(kernel, a);
        spar__basis *axis = &kron->axis[a];
        spar_status status =
            spar__basis_make(&one, n[a], coordinate[a], tolerance / (2 * (double)kron->d), max_rank, axis);
        if (status)
            return status;
        double most = 0; /* the largest k(x, x), which the linear kernel has at an end of the axis */
        for (size_t i = 0; i < n[a]; i++)
            most = fmax(most, spar__kernel_at(&one, coordinate[a] + i, coordinate[a] + i));
        whole *= most;
        kept *= most - axis->residual;
        if (axis->r && kron->cells > MOST_CELLS / axis->r)
            return SPAR_UNSUPPORTED;
        kron->points *= n[a];
        kron->cells *= axis->r;
    }
    kron->residual = whole - kept;
    return SPAR_OK;
}

spar_status spar__kron_make(const spar__kernel *kernel, const size_t *n, const double *const *coordinate,
                            double tolerance, size_t max_rank, spar__kron *out)
{
    *out = (spar__kron){.d = kernel->dim, .points = 1, .cells = 1};
    if (kernel->dim < 1 || kernel->dim > SPAR__KRON_AXES || !spar__kernel_separable(kernel)) {
        *out = (spar__kron){0};
        return SPAR_UNSUPPORTED;
    }
    spar_status status = make_axes(out, kernel, n, coordinate, tolerance, max_rank);
    if (!status)
        status = choose_products(out, tolerance / 2 * kernel->variance, max_rank);
    if (!status) {
        out->last = spar__basis_columns(&out->axis[out->d - 1]);
        status = out->last ? SPAR_OK : SPAR_NOMEM;
    }
    if (status)
        spar__kron_free(out);
    return status;
}

void spar__kron_free(spar__kron *kron)
{
    for (size_t a = 0; a < kron->d; a++)
        spar__basis_free(&kron->axis[a]);
    spar__free(kron->last);
    spar__free(kron->cell);
    spar__free(kron->column);
    *kron = (spar__kron){0};
}

void spar__kron_row(const spar__kron *kron, size_t point, double *phi)
{
    const double *row[SPAR__KRON_AXES];
    for (size_t a = kron->d; a-- > 0;) {
        const spar__basis *axis = &kron->axis[a];
        row[a] = axis->phi + point % axis->n * axis->r;
        point /= axis->n;
    }
    for (size_t j = 0; j < kron->r; j++) {
        const size_t *column = kron->column + j * kron->d;
        phi[j] = row[0][column[0]];
        for (size_t a = 1; a < kron->d; a++)
            phi[j] *= row[a][column[a]];
    }
}

spar__kron_side spar__kron_part(const spar__kron *kron, size_t a, size_t from, size_t n)
{
    const spar__basis *axis = &kron->axis[a];
    if (a + 1 == kron->d)
        return (spar__kron_side){n, kron->last + from, axis->n};
    return (spar__kron_side){n, axis->phi + from * axis->r, axis->r};
}

void spar__kron_spread(const spar__kron *kron, const double *w, size_t stride, double *table)
{
    memset(table, 0, kron->cells * sizeof *table);
    for (size_t j = 0; j < kron->r; j++)
        table[kron->cell[j]] = w[j * stride];
}

/* The axes are summed out one after the other, the first one first: after axis a there are `done` places of the axes so
 * far, and for each the ranks of those to come. The largest of these tables. */
static size_t largest_table(const spar__kron *kron, const spar__kron_side *side)
{
    size_t most = 0, done = 1, ranks = kron->cells;
    for (size_t a = 0; a + 1 < kron->d; a++) {
        done *= side[a].n;
        ranks /= kron->axis[a].r ? kron->axis[a].r : 1;
        most = done * ranks > most ? done * ranks : most;
    }
    return most;
}

size_t spar__kron_work(const spar__kron *kron, const spar__kron_side *side)
{
    return 2 * largest_table(kron, side);
}

void spar__kron_apply(const spar__kron *kron, const spar__kron_side *side, const double *table, double *work,
                      double *out)
{
    double *half[2] = {work, work + largest_table(kron, side)};
    size_t done = 1, ranks = kron->cells;
    for (size_t a = 0; a + 1 < kron->d; a++) {
        size_t r = kron->axis[a].r, n = side[a].n, rest = ranks / (r ? r : 1);
        double *next = half[a % 2];
        for (size_t i = 0; i < done; i++)
            spar__product(n, rest, r, side[a].value, side[a].stride, table + i * ranks, rest, next + i * n * rest,
                          rest);
        table = next;
        done *= n;
        ranks = rest;
    }
    const spar__kron_side *last = &side[kron->d - 1];
    spar__product(done, last->n, ranks, table, ranks, last->value, last->stride, out, last->n);
}
