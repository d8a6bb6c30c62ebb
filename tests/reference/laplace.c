/* laplace.c - Laplace's approximation: the mode by Newton's method, with the matrix B = I + W^1/2 K W^1/2, and the
 * Gaussian there. */
#include "reference/laplace.h"

#include "reference/gauss.h"
#include "reference/parts.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

double ref_sigmoid(double f)
{
    return 1 / (1 + exp(-f));
}

double ref_sigmoid_variance(double mean, double variance)
{
    enum { STEPS = 160 };
    double sd = sqrt(fmax(0, variance)), middle = ref_sigmoid(mean), weights = 0, first = 0, second = 0;
    for (int i = 0; i <= STEPS; i++) {
        double z = -8 + 16.0 * i / STEPS;
        double weight = exp(-z * z / 2), s = ref_sigmoid(mean + sd * z) - middle;
        weights += weight;
        first += weight * s;
        second += weight * s * s;
    }
    return second / weights - first / weights * (first / weights);
}

ref_laplace ref_laplace_open(size_t points, size_t room, ref_prior *prior, const void *context)
{
    ref_laplace l = {.points = points, .prior = prior, .context = context, .room = room};
    l.at = calloc(room ? room : 1, sizeof *l.at);
    if (!l.at)
        abort();
    l.won = ref_zeros(room);
    l.f = ref_zeros(room);
    l.gradient = ref_zeros(room);
    l.half = ref_zeros(room * points);
    l.mean = ref_zeros(points);
    l.variance = ref_zeros(points);
    l.factor = ref_zeros(points * points);
    for (size_t i = 0; i < points; i++)
        l.variance[i] = prior(context, i, i);
    return l;
}

void ref_laplace_close(ref_laplace *l)
{
    free(l->at);
    free(l->won);
    free(l->f);
    free(l->gradient);
    free(l->half);
    free(l->mean);
    free(l->variance);
    free(l->factor);
}

void ref_cholesky(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t c = 0; c < j; c++)
                sum -= a[i * n + c] * a[j * n + c];
            if (i == j && !(sum > 0))
                abort();
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
}

void ref_forward(const double *lower, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            b[i] -= lower[i * n + j] * b[j];
        b[i] /= lower[i * n + i];
    }
}

void ref_backward(const double *lower, size_t n, double *b)
{
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            b[i] -= lower[j * n + i] * b[j];
        b[i] /= lower[i * n + i];
    }
}

/* W^1/2, and B's Cholesky factor, at the current f. */
static void curvature(const ref_laplace *l, const double *k, double *root, double *b)
{
    for (size_t i = 0; i < l->n; i++)
        root[i] = sqrt(ref_sigmoid(l->f[i]) * ref_sigmoid(-l->f[i]));
    for (size_t i = 0; i < l->n; i++)
        for (size_t j = 0; j < l->n; j++)
            b[i * l->n + j] = (i == j) + root[i] * k[i * l->n + j] * root[j];
    ref_cholesky(b, l->n);
}

/* One step: a = u - W^1/2 B^-1 W^1/2 K u with u = W f + gradient, then f = K a. Returns the largest change of f. */
static double newton(ref_laplace *l, const double *k, double *root, double *b)
{
    size_t n = l->n;
    double *u = ref_zeros(n), *v = ref_zeros(n), change = 0;
    curvature(l, k, root, b);
    for (size_t i = 0; i < n; i++)
        u[i] = root[i] * root[i] * l->f[i] + l->won[i] - ref_sigmoid(l->f[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            v[i] += root[i] * k[i * n + j] * u[j];
    ref_forward(b, n, v);
    ref_backward(b, n, v);
    for (size_t i = 0; i < n; i++)
        u[i] -= root[i] * v[i];
    for (size_t i = 0; i < n; i++) {
        double f = 0;
        for (size_t j = 0; j < n; j++)
            f += k[i * n + j] * u[j];
        change = fmax(change, fabs(f - l->f[i]));
        l->f[i] = f;
    }
    free(u);
    free(v);
    return change;
}

/* Column by column: half = lower^-1 W^1/2 K(observed, point). */
static void predict(ref_laplace *l, const double *root, const double *lower)
{
    size_t n = l->n;
    double *column = ref_zeros(n);
    for (size_t p = 0; p < l->points; p++) {
        l->mean[p] = 0;
        l->variance[p] = l->prior(l->context, p, p);
        for (size_t i = 0; i < n; i++) {
            double k = l->prior(l->context, l->at[i], p);
            l->mean[p] += k * l->gradient[i];
            column[i] = root[i] * k;
            for (size_t j = 0; j < i; j++)
                column[i] -= lower[i * n + j] * column[j];
            column[i] /= lower[i * n + i];
            l->half[i * l->points + p] = column[i];
            l->variance[p] -= column[i] * column[i];
        }
    }
    free(column);
}

void ref_laplace_observe(ref_laplace *l, size_t at, double won)
{
    if (l->n == l->room)
        abort();
    l->at[l->n] = at;
    l->won[l->n] = won;
    l->f[l->n] = l->mean[at];
    size_t n = ++l->n;
    double *k = ref_zeros(n * n), *b = ref_zeros(n * n), *root = ref_zeros(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            k[i * n + j] = l->prior(l->context, l->at[i], l->at[j]);
    int steps = 0;
    while (newton(l, k, root, b) > 1e-10)
        if (++steps > 100)
            abort();
    for (size_t i = 0; i < n; i++)
        l->gradient[i] = l->won[i] - ref_sigmoid(l->f[i]);
    curvature(l, k, root, b);
    predict(l, root, b);
    free(k);
    free(b);
    free(root);
}

static void posterior_column(const void *matrix, size_t j, double *column)
{
    const ref_laplace *l = matrix;
    for (size_t p = 0; p < l->points; p++)
        column[p] = l->prior(l->context, p, j);
    for (size_t i = 0; i < l->n; i++) {
        const double *half = l->half + i * l->points;
        for (size_t p = 0; p < l->points; p++)
            column[p] -= half[p] * half[j];
    }
}

void ref_laplace_draw(ref_laplace *l, gsl_rng *rng, double *f)
{
    double *diagonal = ref_zeros(l->points);
    for (size_t p = 0; p < l->points; p++) {
        diagonal[p] = l->variance[p];
        f[p] = l->mean[p];
    }
    size_t rank = ref_pivoted_factor(l->points, diagonal, posterior_column, l, l->factor);
    for (size_t c = 0; c < rank; c++) {
        double z = gsl_ran_gaussian(rng, 1);
        for (size_t p = 0; p < l->points; p++)
            f[p] += l->factor[c * l->points + p] * z;
    }
    free(diagonal);
}
