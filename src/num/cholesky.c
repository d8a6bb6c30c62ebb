#include "num/cholesky.h"

#include "base/alloc.h"
#include "num/linear.h"
#include "num/newton.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64, CHUNK = 96 }; /* rows made together; columns whose part of T stays in the cache meanwhile */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Rows from .. from + count of the kernel's matrix, from the diagonal on. */
static void fill_rows(const spar__kernel *kernel, size_t n, const double *x, size_t from, size_t count, double *T)
{
    for (size_t i = from; i < from + count; i++) {
        spar__kernel_row(kernel, x + i * kernel->dim, n - i, x + i * kernel->dim, T + i * n + i);
        T[i * n + i] *= 1 + SPAR__NEWTON_NUGGET;
    }
}

/* Takes from these rows what the rows above them explain. turned: their columns of those, transposed. */
static void reduce_rows(size_t n, size_t stride, size_t from, size_t count, double *T, double *turned, double *sum)
{
    for (size_t k = 0; k < from; k++)
        for (size_t i = 0; i < count; i++)
            turned[i * from + k] = T[k * stride + from + i];
    for (size_t j = from; j < n; j += CHUNK) {
        size_t width = least(CHUNK, n - j);
        spar__product(count, width, from, turned, from, T + j, stride, sum, CHUNK);
        for (size_t i = 0; i < count; i++)
            for (size_t k = j > from + i ? 0 : from + i - j; k < width; k++)
                T[(from + i) * stride + j + k] -= sum[i * CHUNK + k];
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
    double *turned = spar__alloc(BLOCK * n, sizeof *turned), *sum = spar__alloc(BLOCK * CHUNK, sizeof *sum);
    if (turned && sum) {
        memset(T, 0, n * n * sizeof *T);
        for (size_t from = 0; from < n; from += BLOCK) {
            size_t count = least(BLOCK, n - from);
            fill_rows(kernel, n, x, from, count, T);
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
    return BLOCK * n + BLOCK * CHUNK;
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
    for (size_t j = 0; j < n; j += CHUNK) {
        size_t width = least(CHUNK, n - j);
        spar__product(m, width, j + width, in, n, T + j, n, out + j, n);
    }
}

void spar__cholesky_columns(size_t n, const double *L, size_t width, const double *in, double *out)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t count = least(BLOCK, n - i);
        for (size_t j = 0; j < width; j += CHUNK)
            spar__product(count, least(CHUNK, width - j), i + count, L + i * n, n, in + j, width, out + i * width + j,
                          width);
    }
}
