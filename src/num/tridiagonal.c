#include "num/tridiagonal.h"

#include "base/alloc.h"
#include "num/elementary.h"

#include <math.h>

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
