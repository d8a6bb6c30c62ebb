#include "num/kernel.h"

#include "base/alloc.h"
#include "sampler/rng.h"
#include "tap.h"

#include <stdlib.h>

static const char *const kinds[] = {"se", "matern32", "matern52", "product_matern32", "product_matern52", "linear"};
static const double length[2] = {0.2, 0.3};

/* T^T T is the matrix: exact but for rounding, whatever the points. */
static void check_factor(int kind, size_t n, double spread)
{
    spar__kernel kernel = {(spar__kernel_kind)kind, 2, length, 1.4};
    spar_rng rng;
    spar_rng_seed(&rng, 71, (uint64_t)kind, n);
    double *x = calloc(2 * n, sizeof *x), *T = calloc(n * n, sizeof *T), worst = 0, most = 0;
    bool upper = true;
    for (size_t i = 0; i < 2 * n; i++)
        x[i] = i > 8 && i % 5 < 2 ? x[i - 6] + spread * spar_rng_uniform(&rng) : spar_rng_uniform(&rng);
    memset(T, 0x7f, n * n * sizeof *T);
    if (spar__cholesky(&kernel, n, x, T))
        abort();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0, right = spar__kernel_at(&kernel, x + 2 * i, x + 2 * j);
            for (size_t k = 0; k <= j; k++)
                sum += T[k * n + i] * T[k * n + j];
            if (i == j)
                right *= 1 + SPAR__NEWTON_NUGGET;
            worst = fmax(worst, fabs(sum - right));
            most = fmax(most, right);
            upper &= i == j || T[i * n + j] == 0;
        }
    ok(worst < (kind == SPAR__KERNEL_LINEAR ? 1e-11 : 1e-14) * most && upper,
       "%s, %zu points: T^T T is the matrix (%.1e)", kinds[kind], n, worst / most);
    free(x);
    free(T);
}

static void check_products(size_t n, size_t m)
{
    spar__kernel kernel = {SPAR__KERNEL_MATERN32, 1, length, 1};
    spar_rng rng;
    spar_rng_seed(&rng, 72, n, m);
    double *x = calloc(n, sizeof *x), *T = calloc(n * n, sizeof *T), *L = calloc(n * n, sizeof *L);
    double *in = calloc(m * n, sizeof *in), *out = calloc(m * n, sizeof *out), rows = 0, columns = 0;
    for (size_t i = 0; i < n; i++)
        x[i] = spar_rng_uniform(&rng);
    for (size_t i = 0; i < m * n; i++)
        in[i] = spar_rng_uniform(&rng) - 0.5;
    if (spar__cholesky(&kernel, n, x, T))
        abort();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            L[i * n + j] = T[j * n + i];
    spar__cholesky_rows(n, T, m, in, out);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += in[i * n + k] * T[k * n + j];
            rows = fmax(rows, fabs(sum - out[i * n + j]));
        }
    spar__cholesky_columns(n, L, m, in, out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += T[k * n + i] * in[k * m + j];
            columns = fmax(columns, fabs(sum - out[i * m + j]));
        }
    ok(rows < 1e-13 && columns < 1e-13, "products of %zu points and %zu columns", n, m);
    free(x);
    free(T);
    free(L);
    free(in);
    free(out);
}

static void check_memory(void)
{
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, length, 1};
    double x[3] = {0, 0.5, 1}, T[9];
    bool told = true;
    for (size_t k = 1; k < 3; k++) {
        spar__alloc_fail_at(k);
        told &= spar__cholesky(&kernel, 3, x, T) == SPAR_NOMEM;
        spar__alloc_fail_at(0);
    }
    ok(told && spar__cholesky(&kernel, 3, x, T) == SPAR_OK, "memory that fails is told");
}

/* Any positive definite matrix, in place, with room in its rows. */
static void check_in_place(size_t n, size_t stride)
{
    double *A = calloc(n * stride, sizeof *A), *T = calloc(n * stride, sizeof *T);
    double *work = calloc(spar__cholesky_work(n), sizeof *work), worst = 0;
    if (!A || !T || !work)
        abort();
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            A[i * stride + j] = T[i * stride + j] = cos((double)(i * j)) + (i == j ? 2 * (double)n : 0);
    bool good = spar__cholesky_factor(n, stride, T, work);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k <= i; k++)
                sum += T[k * stride + i] * T[k * stride + j];
            worst = fmax(worst, fabs(sum - A[i * stride + j]) / (double)n);
        }
    ok(good && worst < 1e-14, "a matrix of %zu in place: %.0e", n, worst);
    A[0] = -1;
    ok(!spar__cholesky_factor(n, stride, A, work), "one that is not positive definite is told");
    free(A);
    free(T);
    free(work);
}

int main(void)
{
    check_in_place(1, 8);
    check_in_place(17, 24);
    check_in_place(200, 208);
    for (int kind = 0; kind < 6; kind++) {
        check_factor(kind, 1, 0);
        check_factor(kind, 63, 0);
        check_factor(kind, 200, 1e-3);
        check_factor(kind, 300, 1e-9);
    }
    check_products(5, 1);
    check_products(64, 3);
    check_products(200, 130);
    check_memory();
    return done();
}
