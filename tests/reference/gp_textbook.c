/* gp_textbook.c - mean k^T (K + N)^-1 y, covariance k(x, y) - k_x^T (K + N)^-1 k_y. */
#include "reference/gp_textbook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static long double matern32(long double r)
{
    long double s = sqrtl(3) * r;
    return (1 + s) * expl(-s);
}

static long double matern52(long double r)
{
    long double s = sqrtl(5) * r;
    return (1 + s + s * s / 3) * expl(-s);
}

/* |x - y| in dimension d, in lengths */
static long double distance_in(const textbook_kernel *kernel, const double *x, const double *y, size_t d)
{
    return fabsl((long double)x[d] - y[d]) / kernel->length[d];
}

static long double distance(const textbook_kernel *kernel, const double *x, const double *y)
{
    long double sum = 0;
    for (size_t d = 0; d < kernel->dim; d++)
        sum += distance_in(kernel, x, y, d) * distance_in(kernel, x, y, d);
    return sqrtl(sum);
}

/* Of the kernel with variance 1. */
static long double correlation(const textbook_kernel *kernel, const double *x, const double *y)
{
    long double r = distance(kernel, x, y), product = 1, dot = 0;
    switch (kernel->kind) {
    case TEXTBOOK_SE:
        return expl(-r * r / 2);
    case TEXTBOOK_MATERN32:
        return matern32(r);
    case TEXTBOOK_MATERN52:
        return matern52(r);
    case TEXTBOOK_PRODUCT_MATERN32:
        for (size_t d = 0; d < kernel->dim; d++)
            product *= matern32(distance_in(kernel, x, y, d));
        return product;
    case TEXTBOOK_PRODUCT_MATERN52:
        for (size_t d = 0; d < kernel->dim; d++)
            product *= matern52(distance_in(kernel, x, y, d));
        return product;
    case TEXTBOOK_LINEAR:
        for (size_t d = 0; d < kernel->dim; d++)
            dot += (long double)x[d] * y[d] / ((long double)kernel->length[d] * kernel->length[d]);
        return dot;
    }
    abort();
}

long double textbook_kernel_at(const textbook_kernel *kernel, const double *x, const double *y)
{
    return kernel->variance * correlation(kernel, x, y);
}

struct textbook_gp {
    textbook_kernel kernel;
    double noise;
    size_t n;            /* observations */
    double *x;           /* n * dim, where */
    long double *y;      /* n, what */
    long double *own;    /* n, the variance of each */
    long double *factor; /* n * n, lower triangle; NULL after a new observation */
    long double *half;   /* n, factor^-1 y */
};

static void *grown(void *p, size_t bytes)
{
    p = realloc(p, bytes ? bytes : 1);
    if (!p)
        abort();
    return p;
}

textbook_gp *textbook_gp_new(const textbook_kernel *kernel, double noise)
{
    textbook_gp *gp = grown(NULL, sizeof *gp);
    *gp = (textbook_gp){.kernel = *kernel, .noise = noise};
    return gp;
}

static void forget_factor(textbook_gp *gp)
{
    free(gp->factor);
    free(gp->half);
    gp->factor = gp->half = NULL;
}

void textbook_gp_free(textbook_gp *gp)
{
    if (!gp)
        return;
    forget_factor(gp);
    free(gp->x);
    free(gp->y);
    free(gp->own);
    free(gp);
}

void textbook_gp_observe_mean(textbook_gp *gp, const double *x, long double mean, double n)
{
    size_t dim = gp->kernel.dim, count = gp->n + 1;
    forget_factor(gp);
    gp->x = grown(gp->x, count * dim * sizeof *gp->x);
    gp->y = grown(gp->y, count * sizeof *gp->y);
    gp->own = grown(gp->own, count * sizeof *gp->own);
    memcpy(gp->x + gp->n * dim, x, dim * sizeof *x);
    gp->y[gp->n] = mean;
    gp->own[gp->n] = (long double)gp->noise / n;
    gp->n = count;
}

void textbook_gp_observe(textbook_gp *gp, const double *x, double reward)
{
    textbook_gp_observe_mean(gp, x, reward, 1);
}

/* b becomes factor^-1 b. */
static void solve_lower(const textbook_gp *gp, long double *b)
{
    for (size_t i = 0; i < gp->n; i++) {
        for (size_t j = 0; j < i; j++)
            b[i] -= gp->factor[i * gp->n + j] * b[j];
        b[i] /= gp->factor[i * gp->n + i];
    }
}

/* factor factor^T = K + N */
static void make_factor(textbook_gp *gp)
{
    size_t n = gp->n, dim = gp->kernel.dim;
    if (gp->factor)
        return;
    long double *l = gp->factor = grown(NULL, n * n * sizeof *l);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            long double sum = textbook_kernel_at(&gp->kernel, gp->x + i * dim, gp->x + j * dim);
            if (i == j)
                sum += gp->own[i];
            for (size_t c = 0; c < j; c++)
                sum -= l[i * n + c] * l[j * n + c];
            if (i == j && !(sum > 0))
                abort();
            l[i * n + j] = i == j ? sqrtl(sum) : sum / l[j * n + j];
        }
    gp->half = grown(NULL, n * sizeof *gp->half);
    for (size_t i = 0; i < n; i++)
        gp->half[i] = gp->y[i];
    solve_lower(gp, gp->half);
}

/* factor^-1 k_x, to free() */
static long double *half_kernel(textbook_gp *gp, const double *x)
{
    make_factor(gp);
    long double *k = grown(NULL, gp->n * sizeof *k);
    for (size_t i = 0; i < gp->n; i++)
        k[i] = textbook_kernel_at(&gp->kernel, gp->x + i * gp->kernel.dim, x);
    solve_lower(gp, k);
    return k;
}

static long double dot(const long double *a, const long double *b, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

long double textbook_gp_mean(textbook_gp *gp, const double *x)
{
    long double *k = half_kernel(gp, x), mean = dot(k, gp->half, gp->n);
    free(k);
    return mean;
}

long double textbook_gp_covariance(textbook_gp *gp, const double *x, const double *y)
{
    long double *a = half_kernel(gp, x), *b = half_kernel(gp, y);
    long double covariance = textbook_kernel_at(&gp->kernel, x, y) - dot(a, b, gp->n);
    free(a);
    free(b);
    return covariance;
}

long double textbook_gp_variance(textbook_gp *gp, const double *x)
{
    return textbook_gp_covariance(gp, x, x);
}

void textbook_gp_means(textbook_gp *gp, const double *x, size_t n, double *mean)
{
    for (size_t i = 0; i < n; i++)
        mean[i] = (double)textbook_gp_mean(gp, x + i * gp->kernel.dim);
}

void textbook_gp_covariances(textbook_gp *gp, const double *x, size_t n, double *covariance)
{
    size_t dim = gp->kernel.dim;
    long double **k = grown(NULL, n * sizeof(long double *));
    for (size_t i = 0; i < n; i++)
        k[i] = half_kernel(gp, x + i * dim);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            covariance[i * n + j] =
                (double)(textbook_kernel_at(&gp->kernel, x + i * dim, x + j * dim) - dot(k[i], k[j], gp->n));
    for (size_t i = 0; i < n; i++)
        free(k[i]);
    free(k);
}
