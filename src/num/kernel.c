/* kernel.c - covariance functions of Gaussian processes, and what a process is made of on given points: a basis of low
 * rank, a basis that grows with the points, a whole triangle, and products over the axes of a grid. */
#include "num/kernel.h"

#include "base/alloc.h"
#include "base/order.h"
#include "num/elementary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double root3 = 1.7320508075688772, root5 = 2.23606797749979;
static const double farthest = 1e4; /* lengths; exp(-1e4) is 0, and 1e4 squared is no problem */

enum { KERNEL_CHUNK = 128 };

static double distance(const spar__kernel *kernel, size_t d, double x, double y)
{
    double s = fabs(x - y) / kernel->length[d];
    return s < farthest ? s : farthest;
}

static double distance_squared(const spar__kernel *kernel, const double *x, const double *y)
{
    double sum = 0;
    for (size_t d = 0; d < kernel->dim; d++) {
        double s = distance(kernel, d, x[d], y[d]);
        sum += s * s;
    }
    return sum;
}

/* Every kernel but the linear one is factor x exp(exponent). */
static void parts(const spar__kernel *kernel, const double *x, const double *y, double *factor, double *exponent)
{
    bool matern32 = kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32;
    double a;
    *factor = 1;
    *exponent = 0;
    switch (kernel->kind) {
    case SPAR__KERNEL_MATERN32:
        a = root3 * sqrt(distance_squared(kernel, x, y));
        *factor = 1 + a;
        *exponent = -a;
        break;
    case SPAR__KERNEL_MATERN52:
        a = root5 * sqrt(distance_squared(kernel, x, y));
        *factor = 1 + a + a * a / 3;
        *exponent = -a;
        break;
    case SPAR__KERNEL_PRODUCT_MATERN32:
    case SPAR__KERNEL_PRODUCT_MATERN52:
        for (size_t d = 0; d < kernel->dim; d++) {
            a = (matern32 ? root3 : root5) * distance(kernel, d, x[d], y[d]);
            *factor *= matern32 ? 1 + a : 1 + a + a * a / 3;
            *exponent -= a;
            /* With many dimensions the factor may overflow while exp(exponent) is 0: exp(200) moves from one to the
             * other. */
            if (*factor > 1e100) {
                *factor *= 1.3838965267367376e-87; /* exp(-200) */
                *exponent += 200;
            }
        }
        break;
    case SPAR__KERNEL_LINEAR:
        *factor = 0;
        for (size_t d = 0; d < kernel->dim; d++)
            *factor += x[d] / kernel->length[d] * (y[d] / kernel->length[d]);
        break;
    case SPAR__KERNEL_SE:
    default:
        *exponent = -distance_squared(kernel, x, y) / 2;
        break;
    }
}

void spar__kernel_row(const spar__kernel *kernel, const double *x, size_t n, const double *y, double *out)
{
    double factor[KERNEL_CHUNK], power[KERNEL_CHUNK];
    for (size_t start = 0; start < n; start += KERNEL_CHUNK) {
        size_t count = n - start < KERNEL_CHUNK ? n - start : KERNEL_CHUNK;
        for (size_t i = 0; i < count; i++)
            parts(kernel, x, y + (start + i) * kernel->dim, factor + i, power + i);
        spar__vexp(power, power, count);
        for (size_t i = 0; i < count; i++)
            out[start + i] = kernel->variance * (factor[i] * power[i]);
    }
}

double spar__kernel_at(const spar__kernel *kernel, const double *x, const double *y)
{
    double factor, exponent;
    parts(kernel, x, y, &factor, &exponent);
    return kernel->variance * (factor * spar__exp(exponent));
}

/* What the derivative by a dimension is, over weight x exp(exponent) x (y - x) / length^2. a: sqrt(3) or sqrt(5) times
 * the distance, in a product that along the dimension. */
static double steepness(spar__kernel_kind kind, double factor, double a)
{
    switch (kind) {
    case SPAR__KERNEL_MATERN32:
        return 3;
    case SPAR__KERNEL_MATERN52:
        return 5.0 / 3 * (1 + a);
    case SPAR__KERNEL_PRODUCT_MATERN32:
        return 3 / (1 + a) * factor;
    case SPAR__KERNEL_PRODUCT_MATERN52:
        return 5.0 / 3 * (1 + a) / (1 + a + a * a / 3) * factor;
    default:
        return 1;
    }
}

static void add_slope(const spar__kernel *kernel, const double *x, const double *y, double weight, double factor,
                      double exponent, double *gradient)
{
    bool matern32 = kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32;
    bool product = matern32 || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52;
    for (size_t d = 0; d < kernel->dim; d++) {
        if (kernel->kind == SPAR__KERNEL_LINEAR) {
            gradient[d] += weight * (y[d] / kernel->length[d] / kernel->length[d]);
            continue;
        }
        double s = distance(kernel, d, x[d], y[d]), toward = (y[d] > x[d] ? s : -s) / kernel->length[d];
        double a = product ? (matern32 ? root3 : root5) * s : -exponent;
        gradient[d] += weight * (toward * steepness(kernel->kind, factor, a));
    }
}

double spar__kernel_slope(const spar__kernel *kernel, const double *x, size_t n, const double *y, const double *weight,
                          double *gradient)
{
    double factor[KERNEL_CHUNK], exponent[KERNEL_CHUNK], power[KERNEL_CHUNK], value = 0;
    for (size_t start = 0; start < n; start += KERNEL_CHUNK) {
        size_t count = n - start < KERNEL_CHUNK ? n - start : KERNEL_CHUNK;
        const double *chunk = y + start * kernel->dim;
        for (size_t i = 0; i < count; i++)
            parts(kernel, x, chunk + i * kernel->dim, factor + i, exponent + i);
        spar__vexp(power, exponent, count);
        for (size_t i = 0; i < count; i++) {
            double scaled = kernel->variance * weight[start + i] * power[i];
            value += scaled * factor[i];
            add_slope(kernel, x, chunk + i * kernel->dim, scaled, factor[i], exponent[i], gradient);
        }
    }
    return value;
}

bool spar__kernel_separable(const spar__kernel *kernel)
{
    return kernel->dim == 1 || kernel->kind == SPAR__KERNEL_SE || kernel->kind == SPAR__KERNEL_PRODUCT_MATERN32 ||
           kernel->kind == SPAR__KERNEL_PRODUCT_MATERN52;
}

spar__kernel spar__kernel_axis(const spar__kernel *kernel, size_t d)
{
    return (spar__kernel){kernel->kind, 1, kernel->length + d, d == 0 ? kernel->variance : 1};
}

/* The Cholesky factor as it grows: `r` columns of n numbers, each contiguous. */
typedef struct factor {
    size_t n, r, capacity;
    double *column;
    double *left;  /* of every point, the variance not yet explained; -1 for pivots, where it is 0 from now on */
    double *pivot; /* work: what the earlier columns have at the pivot */
} factor;

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
        if (f->r == max_rank) {
            status = SPAR_UNSUPPORTED;
            break;
        }
        if (f->r == f->capacity) {
            size_t capacity = f->capacity ? 2 * f->capacity : 32;
            capacity = capacity > max_rank ? max_rank : capacity;
            if (!spar__resize(&f->column, f->n * f->capacity, f->n * capacity, sizeof *f->column) ||
                !spar__resize(&f->pivot, f->capacity, capacity, sizeof *f->pivot)) {
                status = SPAR_NOMEM;
                break;
            }
            f->capacity = capacity;
        }
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

static spar_status finish(factor *f, double limit, spar__basis *out)
{
    size_t n = f->n, r = f->r;
    double *rows = spar__alloc(n * r, sizeof *rows), *phi = NULL;
    spar_status status = rows ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++)
        for (size_t j = 0; j < r; j++)
            rows[i * r + j] = f->column[j * n + i];
    /* A full rank stays as it is: triangular, with its zeros. Of a rank near n there is little to drop, and a large one
     * takes long to rotate. */
    if (!status && r < n && (r <= 32 || (r <= 96 && r <= n / 2))) {
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
    spar__free(f.column);
    spar__free(f.left);
    spar__free(f.pivot);
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

spar_status spar__newton_grow(spar__newton *basis, size_t dim, size_t capacity)
{
    if (basis->T && capacity <= basis->stride)
        return SPAR_OK;
    if (capacity > SIZE_MAX / 16 || (capacity && spar__padded(capacity) > SIZE_MAX / 8 / spar__padded(capacity)))
        return SPAR_NOMEM;
    size_t stride = spar__padded(capacity);
    double *T = spar__alloc(stride * stride, sizeof *T);
    double *u = T ? spar__realloc(basis->u, basis->r * dim, stride * dim, sizeof *u) : NULL;
    if (!u) {
        spar__free(T);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < basis->r; i++)
        memcpy(T + i * stride, basis->T + i * basis->stride, basis->r * sizeof *T);
    spar__free(basis->T);
    basis->T = T;
    basis->u = u;
    basis->stride = stride;
    return SPAR_OK;
}

void spar__newton_free(spar__newton *basis)
{
    spar__free(basis->T);
    spar__free(basis->u);
    *basis = (spar__newton){.tolerance = basis->tolerance};
}

void spar__newton_forget(spar__newton *basis)
{
    for (size_t i = 0; i < basis->r; i++)
        memset(basis->T + i * basis->stride, 0, basis->r * sizeof *basis->T);
    basis->r = 0;
}

double spar__newton_at(const spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi)
{
    spar__kernel_row(kernel, x, basis->r, basis->u, phi);
    spar__triangle_forward(basis->r, basis->stride, basis->T, 1, phi);
    double rest = spar__kernel_at(kernel, x, x);
    for (size_t i = 0; i < basis->r; i++)
        rest -= phi[i] * phi[i];
    return fmax(rest, 0);
}

void spar__newton_columns(const spar__newton *basis, const spar__kernel *kernel, size_t n, const double *x, double *phi,
                          double *rest)
{
    size_t lanes = spar__padded(n);
    for (size_t i = 0; i < basis->r; i++) {
        spar__kernel_row(kernel, basis->u + i * kernel->dim, n, x, phi + i * lanes);
        memset(phi + i * lanes + n, 0, (lanes - n) * sizeof *phi);
    }
    spar__triangle_forward(basis->r, basis->stride, basis->T, lanes, phi);
    for (size_t j = 0; rest && j < n; j++) {
        rest[j] = spar__kernel_at(kernel, x + j * kernel->dim, x + j * kernel->dim);
        for (size_t i = 0; i < basis->r; i++)
            rest[j] -= phi[i * lanes + j] * phi[i * lanes + j];
        rest[j] = fmax(rest[j], 0);
    }
}

void spar__newton_values(const spar__newton *basis, size_t m, const double *w, double *value)
{
    spar__product(m, basis->r, basis->r, w, basis->r, basis->T, basis->stride, value, basis->r);
}

double spar__newton_append(spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi)
{
    double whole = spar__kernel_at(kernel, x, x), rest = spar__newton_at(basis, kernel, x, phi);
    if (rest <= basis->tolerance * whole)
        return rest;
    size_t r = basis->r++;
    phi[r] = sqrt(rest + SPAR__NEWTON_NUGGET * whole);
    for (size_t i = 0; i <= r; i++)
        basis->T[i * basis->stride + r] = phi[i];
    memcpy(basis->u + r * kernel->dim, x, kernel->dim * sizeof *x);
    return 0;
}

enum { BLOCK = 64, CHOLESKY_CHUNK = 96 }; /* rows made together; columns whose part of T stays in the cache meanwhile */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Takes from these rows what the rows above them explain. turned: their columns of those, transposed. */
static void reduce_rows(size_t n, size_t stride, size_t from, size_t count, double *T, double *turned, double *sum)
{
    for (size_t k = 0; k < from; k++)
        for (size_t i = 0; i < count; i++)
            turned[i * from + k] = T[k * stride + from + i];
    for (size_t j = from; j < n; j += CHOLESKY_CHUNK) {
        size_t width = least(CHOLESKY_CHUNK, n - j);
        spar__product(count, width, from, turned, from, T + j, stride, sum, CHOLESKY_CHUNK);
        for (size_t i = 0; i < count; i++)
            for (size_t k = j > from + i ? 0 : from + i - j; k < width; k++)
                T[(from + i) * stride + j + k] -= sum[i * CHOLESKY_CHUNK + k];
    }
}

/* The triangle of these rows themselves; false where the matrix is not positive definite. */
static bool finish_rows(size_t n, size_t stride, size_t from, size_t count, double *T)
{
    bool good = true;
    for (size_t i = from; i < from + count; i++) {
        double *row = T + i * stride;
        for (size_t k = from; k < i; k++) {
            const double *above = T + k * stride;
            for (size_t j = i; j < n; j++)
                row[j] -= above[i] * above[j];
        }
        double root = row[i] > 0 ? sqrt(row[i]) : 0, inverse = root > 0 ? 1 / root : 0;
        good &= root > 0;
        row[i] = root;
        for (size_t j = i + 1; j < n; j++)
            row[j] *= inverse;
    }
    return good;
}

spar_status spar__cholesky(const spar__kernel *kernel, size_t n, const double *x, double *T)
{
    double *turned = spar__alloc(BLOCK * n, sizeof *turned), *sum = spar__alloc(BLOCK * CHOLESKY_CHUNK, sizeof *sum);
    if (turned && sum) {
        memset(T, 0, n * n * sizeof *T);
        for (size_t from = 0; from < n; from += BLOCK) {
            size_t count = least(BLOCK, n - from);
            /* Rows from .. from + count of the kernel's matrix, from the diagonal on. */
            for (size_t i = from; i < from + count; i++) {
                spar__kernel_row(kernel, x + i * kernel->dim, n - i, x + i * kernel->dim, T + i * n + i);
                T[i * n + i] *= 1 + SPAR__NEWTON_NUGGET;
            }
            reduce_rows(n, n, from, count, T, turned, sum);
            (void)finish_rows(n, n, from, count, T);
        }
    }
    spar__free(turned);
    spar__free(sum);
    return turned && sum ? SPAR_OK : SPAR_NOMEM;
}

size_t spar__cholesky_work(size_t n)
{
    return BLOCK * n + BLOCK * CHOLESKY_CHUNK;
}

bool spar__cholesky_factor(size_t n, size_t stride, double *T, double *work)
{
    bool good = true;
    for (size_t from = 0; good && from < n; from += BLOCK) {
        size_t count = least(BLOCK, n - from);
        if (from)
            reduce_rows(n, stride, from, count, T, work, work + BLOCK * n);
        good = finish_rows(n, stride, from, count, T);
    }
    return good;
}

void spar__cholesky_rows(size_t n, const double *T, size_t m, const double *in, double *out)
{
    for (size_t j = 0; j < n; j += CHOLESKY_CHUNK) {
        size_t width = least(CHOLESKY_CHUNK, n - j);
        spar__product(m, width, j + width, in, n, T + j, n, out + j, n);
    }
}

void spar__cholesky_columns(size_t n, const double *L, size_t width, const double *in, double *out)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t count = least(BLOCK, n - i);
        for (size_t j = 0; j < width; j += CHOLESKY_CHUNK)
            spar__product(count, least(CHOLESKY_CHUNK, width - j), i + count, L + i * n, n, in + j, width,
                          out + i * width + j, width);
    }
}

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
    double *bound[SPAR__KRON_AXES] = {NULL}; /* the largest square in each column */
    spar__ranked *list = spar__alloc(kron->cells, sizeof *list);
    spar_status status = list ? SPAR_OK : SPAR_NOMEM;
    for (size_t a = 0; !status && a < kron->d; a++) {
        bound[a] = spar__alloc(kron->axis[a].r, sizeof **bound);
        status = bound[a] ? SPAR_OK : SPAR_NOMEM;
        for (size_t i = 0; !status && i < kron->axis[a].n; i++)
            for (size_t j = 0; j < kron->axis[a].r; j++) {
                double phi = kron->axis[a].phi[i * kron->axis[a].r + j];
                bound[a][j] = fmax(bound[a][j], phi * phi);
            }
    }
    if (!status) {
        /* A bound of the square of each product at any point. */
        for (size_t c = 0; c < kron->cells; c++) {
            list[c] = (spar__ranked){1, c};
            for (size_t a = 0; a < kron->d; a++)
                list[c].value *= bound[a][column_of(kron, c, a)];
        }
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
