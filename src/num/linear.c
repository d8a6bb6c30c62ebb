/* linear.c - linear algebra: the dense loops of arrays.c for this CPU, eigenvectors by Jacobi's rotations, and the
 * tridiagonal form of a symmetric matrix by Householder's reflections. */
#include "num/linear.h"

#include "base/alloc.h"
#include "num/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const spar__linear_ops *const tables[SPAR__CPU_COUNT] = SPAR__CPU_TABLES(spar__linear_ops);

void spar__triangle_absorb(size_t r, size_t stride, double *R, double *z, size_t count, double *rows, double *y)
{
    tables[spar__cpu_level()]->absorb(r, stride, R, z, count, rows, y);
}

void spar__triangle_back(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    tables[spar__cpu_level()]->back(r, stride, R, m, rhs);
}

void spar__triangle_forward(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    tables[spar__cpu_level()]->forward(r, stride, R, m, rhs);
}

void spar__product(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b, size_t ldb, double *c,
                   size_t ldc)
{
    tables[spar__cpu_level()]->product(m, n, k, a, lda, b, ldb, c, ldc);
}

double spar__largest(size_t n, const double *value)
{
    return tables[spar__cpu_level()]->largest(n, value);
}

void spar__triangles(size_t r, size_t c, double *m, double *t)
{
    tables[spar__cpu_level()]->triangles(r, c, m, t);
}

enum { MOST_SWEEPS = 40 }; /* convergence is quadratic; NaN never converges */

static void rotate_rows(size_t r, double *p, double *q, double c, double s)
{
    for (size_t k = 0; k < r; k++) {
        double x = p[k], y = q[k];
        p[k] = c * x - s * y;
        q[k] = s * x + c * y;
    }
}

/* Makes a[p][q] zero, unless it is nothing beside the diagonal already. */
static bool rotate(size_t r, double *a, double *vectors, size_t p, size_t q)
{
    double *row_p = a + p * r, *row_q = a + q * r, off = row_p[q], at_p = row_p[p], at_q = row_q[q];
    if (!(fabs(off) > 0x1p-53 * sqrt(fabs(at_p) * fabs(at_q))) || fabs(off) < 1e-300)
        return false;
    double half = (at_q - at_p) / (2 * off);
    double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(1 + half * half));
    double c = 1 / sqrt(1 + t * t), s = c * t;
    rotate_rows(r, row_p, row_q, c, s);
    row_p[p] = at_p - t * off;
    row_q[q] = at_q + t * off;
    row_p[q] = row_q[p] = 0;
    for (size_t k = 0; k < r; k++) {
        a[k * r + p] = row_p[k];
        a[k * r + q] = row_q[k];
    }
    rotate_rows(r, vectors + p * r, vectors + q * r, c, s);
    return true;
}

void spar__eigen(size_t r, double *a, double *vectors)
{
    memset(vectors, 0, r * r * sizeof *vectors);
    for (size_t i = 0; i < r; i++)
        vectors[i * r + i] = 1;
    bool moved = true;
    for (int sweep = 0; moved && sweep < MOST_SWEEPS; sweep++) {
        moved = false;
        for (size_t p = 0; p < r; p++)
            for (size_t q = p + 1; q < r; q++)
                moved |= rotate(r, a, vectors, p, q);
    }
}

spar_status spar__tridiagonal_init(spar__tridiagonal *t, size_t n)
{
    *t = (spar__tridiagonal){.n = n};
    t->diagonal = spar__alloc(n, sizeof *t->diagonal);
    t->beside = spar__alloc(n, sizeof *t->beside);
    t->u = spar__alloc(n, sizeof *t->u);
    t->m = spar__alloc(n, n * sizeof *t->m);
    t->work = spar__alloc(n, 2 * sizeof *t->work);
    if (t->diagonal && t->beside && t->u && t->m && t->work)
        return SPAR_OK;
    spar__tridiagonal_free(t);
    return SPAR_NOMEM;
}

void spar__tridiagonal_free(spar__tridiagonal *t)
{
    spar__free(t->diagonal);
    spar__free(t->beside);
    spar__free(t->u);
    spar__free(t->m);
    spar__free(t->work);
    *t = (spar__tridiagonal){0};
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void add_multiple(size_t n, double factor, const double *x, double *sum)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += factor * x[i];
}

/* Householder: with H = I - b v v^T, b = 2 / v.v, turns the column x of n numbers into (a, 0, .., 0). x becomes v. */
static double reflect(size_t n, double *x, double *b)
{
    double below = dot(n - 1, x + 1, x + 1), first = x[0];
    *b = 0;
    if (below == 0)
        return first;
    double a = sqrt(first * first + below);
    a = first > 0 ? -a : a;
    x[0] = first - a;
    *b = 2 / (x[0] * x[0] + below);
    return a;
}

/* m <- H m H for the n x n block at m, whose rows are `stride` apart: with p = b m v and w = p - (b p.v / 2) v that is
 * m - v w^T - w v^T. */
static void turn(size_t n, size_t stride, double *m, double b, const double *v, double *w)
{
    for (size_t i = 0; i < n; i++)
        w[i] = 0;
    for (size_t i = 0; i < n; i++)
        add_multiple(n, b * v[i], m + i * stride, w);
    add_multiple(n, -0.5 * b * dot(n, w, v), v, w);
    for (size_t i = 0; i < n; i++) {
        double *row = m + i * stride, vi = v[i], wi = w[i];
        for (size_t j = 0; j < n; j++)
            row[j] -= vi * w[j] + wi * v[j];
    }
}

void spar__tridiagonal_reduce(spar__tridiagonal *t)
{
    size_t n = t->n;
    double *v = t->work, *w = t->work + n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            t->m[j * n + i] = t->m[i * n + j];
    for (size_t k = 0; k + 1 < n; k++) {
        size_t rest = n - k - 1;
        double *row = t->m + k * n, b;
        t->diagonal[k] = row[k];
        for (size_t i = 0; i < rest; i++)
            v[i] = row[k + 1 + i];
        t->beside[k] = reflect(rest, v, &b);
        if (b == 0)
            continue;
        turn(rest, n, t->m + (k + 1) * n + k + 1, b, v, w);
        add_multiple(rest, -b * dot(rest, v, t->u + k + 1), v, t->u + k + 1);
    }
    t->diagonal[n - 1] = t->m[n * n - 1];
}

void spar__tridiagonal_at(const spar__tridiagonal *t, double q, double *log_det, double *form)
{
    double pivot = 1, product = 1, rest = 0;
    *log_det = *form = 0;
    for (size_t i = 0; i < t->n; i++) {
        double beside = i ? q * t->beside[i - 1] : 0, ratio = beside / pivot;
        rest = t->u[i] - ratio * rest;
        pivot = 1 + q * t->diagonal[i] - ratio * beside;
        if (!(pivot > 0.5))
            pivot = 0.5; /* it is at least 1 but for rounding */
        *form += rest * rest / pivot;
        product *= pivot;
        if (product > 1e250) { /* before it overflows */
            *log_det += spar__log(product);
            product = 1;
        }
    }
    *log_det += spar__log(product);
}
