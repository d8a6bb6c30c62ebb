#include "num/basis.h"

#include "base/alloc.h"
#include "base/order.h"
#include "num/eigen.h"
#include "num/linear.h"

#include <math.h>
#include <string.h>

/* The Cholesky factor as it grows: `r` columns of n numbers, each contiguous. */
typedef struct factor {
    size_t n, r, capacity;
    double *column;
    double *left;  /* of every point, the variance not yet explained; -1 for pivots, where it is 0 from now on */
    double *pivot; /* work: what the earlier columns have at the pivot */
} factor;

static void factor_free(factor *f)
{
    spar__free(f->column);
    spar__free(f->left);
    spar__free(f->pivot);
}

static spar_status factor_reserve(factor *f, size_t max_rank)
{
    if (f->r < f->capacity)
        return SPAR_OK;
    size_t capacity = f->capacity ? 2 * f->capacity : 32;
    if (capacity > max_rank)
        capacity = max_rank;
    double *column = spar__realloc(f->column, f->n * f->capacity, f->n * capacity, sizeof *column);
    if (!column)
        return SPAR_NOMEM;
    f->column = column;
    double *pivot = spar__realloc(f->pivot, f->capacity, capacity, sizeof *pivot);
    if (!pivot)
        return SPAR_NOMEM;
    f->pivot = pivot;
    f->capacity = capacity;
    return SPAR_OK;
}

/* One more column: what is left of the kernel's row at the pivot. */
static void factor_extend(factor *f, const spar__kernel *kernel, const double *x, size_t pivot, double *sum)
{
    size_t n = f->n;
    double *new = f->column + f->r *n, root = sqrt(f->left[pivot]);
    spar__kernel_row(kernel, x + pivot * kernel->dim, n, x, new);
    for (size_t j = 0; j < f->r; j++)
        f->pivot[j] = f->column[j * n + pivot];
    spar__product(1, n, f->r, f->pivot, f->r, f->column, n, sum, n);
    for (size_t i = 0; i < n; i++) {
        if (f->left[i] < 0) {
            new[i] = 0;
            continue;
        }
        new[i] = (new[i] - sum[i]) / root;
        f->left[i] = fmax(f->left[i] - new[i] * new[i], 0);
    }
    new[pivot] = root;
    f->left[pivot] = -1;
    f->r++;
}

static size_t largest(size_t n, const double *value)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        best = value[i] > value[best] ? i : best;
    return best;
}

/* What rounding has made of the variances left after r columns: nothing below it is worth a column. */
static double rounding(size_t r)
{
    return 3e-16 + 8e-18 * (double)r;
}

static spar_status factor_make(factor *f, const spar__kernel *kernel, const double *x, double most, double tolerance,
                               size_t max_rank)
{
    spar_status status = SPAR_OK;
    double *sum = spar__alloc(f->n, sizeof *sum);
    for (size_t at = largest(f->n, f->left); sum; at = largest(f->n, f->left)) {
        if (f->left[at] <= fmax(tolerance, rounding(f->r)) * most)
            break;
        status = f->r == max_rank ? SPAR_UNSUPPORTED : factor_reserve(f, max_rank);
        if (status)
            break;
        factor_extend(f, kernel, x, at, sum);
    }
    spar__free(sum);
    return sum ? status : SPAR_NOMEM;
}

/* How many of the r columns of phi are needed when at no point more than `limit` may be left out; left is what already
 * is, and afterwards what then is. */
static size_t needed(size_t n, size_t r, const double *phi, double limit, double *left)
{
    size_t keep = r;
    for (; keep > 0; keep--) {
        const double *last = phi + keep - 1;
        for (size_t i = 0; i < n; i++)
            if (left[i] + last[i * r] * last[i * r] > limit)
                return keep;
        for (size_t i = 0; i < n; i++)
            left[i] += last[i * r] * last[i * r];
    }
    return keep;
}

/* rows (n x r) times the eigenvectors of rows^T rows, those of large eigenvalues first, is phi; columns is rows
 * transposed. */
static spar_status rotate(size_t n, size_t r, const double *columns, const double *rows, double *phi)
{
    double *gram = spar__alloc(r * r, sizeof *gram), *vectors = spar__alloc(r * r, sizeof *vectors);
    spar__ranked *order = spar__alloc(r, sizeof *order);
    bool room = gram && vectors && order;
    if (room) {
        spar__product(r, r, n, columns, n, rows, r, gram, r);
        for (size_t j = 0; j < r; j++) /* rounding made it a little asymmetric */
            for (size_t k = 0; k < j; k++)
                gram[j * r + k] = gram[k * r + j];
        spar__eigen(r, gram, vectors);
        for (size_t j = 0; j < r; j++)
            order[j] = (spar__ranked){-gram[j * r + j], j};
        spar__rank(r, order);
        double *turn = gram;
        for (size_t j = 0; j < r; j++)
            for (size_t k = 0; k < r; k++)
                turn[j * r + k] = vectors[order[k].index * r + j];
        spar__product(n, r, r, rows, r, turn, r, phi, r);
    }
    spar__free(gram);
    spar__free(vectors);
    spar__free(order);
    return room ? SPAR_OK : SPAR_NOMEM;
}

/* A full rank stays as it is: triangular, with its zeros. Of a rank near n there is little to drop, and a large one
 * takes long to rotate. */
static bool worth_rotating(size_t n, size_t r)
{
    return r < n && (r <= 32 || (r <= 96 && r <= n / 2));
}

static spar_status finish(factor *f, double limit, spar__basis *out)
{
    size_t n = f->n, r = f->r;
    double *rows = spar__alloc(n * r, sizeof *rows), *phi = NULL;
    spar_status status = rows ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        for (size_t j = 0; j < r; j++)
            rows[i * r + j] = f->column[j * n + i];
    if (!status && worth_rotating(n, r)) {
        phi = spar__alloc(n * r, sizeof *phi);
        status = phi ? rotate(n, r, f->column, rows, phi) : SPAR_NOMEM;
        spar__free(rows);
        rows = phi;
    }
    if (status) {
        spar__free(rows);
        return status;
    }
    for (size_t i = 0; i < n; i++)
        f->left[i] = fmax(f->left[i], 0);
    size_t keep = needed(n, r, rows, limit, f->left);
    for (size_t i = 0; keep < r && i < n; i++)
        memmove(rows + i * keep, rows + i * r, keep * sizeof *rows);
    *out = (spar__basis){n, keep, rows, n ? f->left[largest(n, f->left)] : 0};
    return SPAR_OK;
}

spar_status spar__basis_make(const spar__kernel *kernel, size_t n, const double *x, double tolerance, size_t max_rank,
                             spar__basis *out)
{
    *out = (spar__basis){0};
    factor f = {.n = n};
    f.left = spar__alloc(n, sizeof *f.left);
    spar_status status = f.left ? SPAR_OK : SPAR_NOMEM;
    double most = 0;
    for (size_t i = 0; !status && i < n; i++) {
        f.left[i] = spar__kernel_at(kernel, x + i * kernel->dim, x + i * kernel->dim);
        most = fmax(most, f.left[i]);
    }
    if (!status && n > 0) /* a quarter for the factor, the rest for the columns that rotation makes small */
        status = factor_make(&f, kernel, x, most, tolerance / 4, max_rank);
    if (!status)
        status = finish(&f, fmax(tolerance, rounding(f.r)) * most, out);
    factor_free(&f);
    return status;
}

double *spar__basis_columns(const spar__basis *basis)
{
    double *columns = spar__alloc(basis->r * basis->n, sizeof *columns);
    for (size_t i = 0; columns && i < basis->n; i++)
        for (size_t j = 0; j < basis->r; j++)
            columns[j * basis->n + i] = basis->phi[i * basis->r + j];
    return columns;
}

void spar__basis_free(spar__basis *basis)
{
    spar__free(basis->phi);
    *basis = (spar__basis){0};
}
