/* taste.c - Laplace's approximation for duels, its evidence, and the mixture over a grid of lengths and scales. */
#include "reference/taste.h"

#include "reference/laplace.h"
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sum of values of f: coefficient times f(point). */
typedef struct {
    size_t n;
    const double *x[64];
    double coefficient[64];
} ref_contrast;

static double kernel(const ref_taste *t, const ref_taste_cell *cell, const double *x, const double *y)
{
    double sum = 0;
    for (size_t d = 0; d < t->dim; d++) {
        double step = (x[d] - y[d]) / (cell->size * t->shape[t->axis[d]]);
        sum += step * step;
    }
    return cell->scale * cell->scale * exp(-sum / 2);
}

static double covariance(const ref_taste *t, const ref_taste_cell *cell, const ref_contrast *a, const ref_contrast *b)
{
    double sum = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            sum += a->coefficient[i] * b->coefficient[j] * kernel(t, cell, a->x[i], b->x[j]);
    return sum;
}

static ref_contrast difference(const double *x, const double *y)
{
    return (ref_contrast){2, {x, y}, {1, -1}};
}

static ref_contrast duel_of(const ref_taste *t, size_t i)
{
    return difference(t->duel[i].x, t->duel[i].y);
}

static bool seen(const ref_taste *t, size_t i)
{
    size_t size = t->dim * sizeof *t->reference;
    for (size_t j = 0; j < i; j++)
        if (memcmp(t->reference + j * t->dim, t->reference + i * t->dim, size) == 0)
            return true;
    return false;
}

/* f(x) less the mean over the points of reference, each once. */
static ref_contrast centred(const ref_taste *t, const double *x)
{
    ref_contrast c = {1, {x}, {1}};
    if (t->references >= 64)
        abort();
    for (size_t i = 0; i < t->references; i++)
        if (!seen(t, i))
            c.x[c.n++] = t->reference + i * t->dim;
    for (size_t i = 1; i < c.n; i++)
        c.coefficient[i] = -1 / (double)(c.n - 1);
    return c;
}

static double log_likelihood(const ref_taste *t, const double *g)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += t->duel[i].won * log(ref_sigmoid(g[i])) + t->duel[i].lost * log(ref_sigmoid(-g[i]));
    return sum;
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* g = K a */
static void times(size_t n, const double *k, const double *a, double *g)
{
    for (size_t i = 0; i < n; i++)
        g[i] = dot(n, k + i * n, a);
}

/* Slope, W^1/2 and the factor at the differences g. */
static void look(const ref_taste *t, ref_taste_cell *cell, const double *k, const double *g)
{
    size_t n = t->n;
    for (size_t i = 0; i < n; i++) {
        double p = ref_sigmoid(g[i]), won = t->duel[i].won, lost = t->duel[i].lost;
        cell->slope[i] = won * (1 - p) - lost * p;
        cell->root[i] = sqrt((won + lost) * p * (1 - p));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            cell->lower[i * n + j] = (i == j) + cell->root[i] * k[i * n + j] * cell->root[j];
    ref_cholesky(cell->lower, n);
}

/* One Newton step for g = K a, halved until it climbs; returns the largest change of g. */
static double newton(const ref_taste *t, ref_taste_cell *cell, const double *k, double *a, double *g)
{
    size_t n = t->n;
    double *u = ref_zeros(n), *v = ref_zeros(n), *trial = ref_zeros(n), change = 0;
    double before = log_likelihood(t, g) - dot(n, a, g) / 2;
    look(t, cell, k, g);
    for (size_t i = 0; i < n; i++)
        u[i] = cell->root[i] * cell->root[i] * g[i] + cell->slope[i];
    times(n, k, u, v);
    for (size_t i = 0; i < n; i++)
        v[i] *= cell->root[i];
    ref_forward(cell->lower, n, v);
    ref_backward(cell->lower, n, v);
    for (size_t i = 0; i < n; i++)
        u[i] -= cell->root[i] * v[i] + a[i]; /* the step */
    for (double part = 1; part > 1e-6; part /= 2) {
        for (size_t i = 0; i < n; i++)
            v[i] = a[i] + part * u[i];
        times(n, k, v, trial);
        if (log_likelihood(t, trial) - dot(n, v, trial) / 2 >= before - 1e-12 * (1 + fabs(before)))
            break;
    }
    for (size_t i = 0; i < n; i++)
        change = fmax(change, fabs(trial[i] - g[i]));
    memcpy(a, v, n * sizeof *a);
    memcpy(g, trial, n * sizeof *g);
    free(u);
    free(v);
    free(trial);
    return change;
}

/* The posterior of a cell; returns the logarithm of the evidence. */
static double fit(const ref_taste *t, ref_taste_cell *cell)
{
    size_t n = t->n;
    double *k = ref_zeros(n * n), *a = ref_zeros(n), *g = ref_zeros(n);
    cell->slope = cell->slope ? cell->slope : ref_zeros(n);
    cell->root = cell->root ? cell->root : ref_zeros(n);
    cell->lower = cell->lower ? cell->lower : ref_zeros(n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            ref_contrast first = duel_of(t, i), second = duel_of(t, j);
            k[i * n + j] = covariance(t, cell, &first, &second);
        }
    for (int steps = 0; newton(t, cell, k, a, g) > 1e-9; steps++)
        if (steps == 200)
            abort();
    look(t, cell, k, g);
    double evidence = log_likelihood(t, g) - dot(n, a, g) / 2;
    for (size_t i = 0; i < n; i++)
        evidence -= log(cell->lower[i * n + i]);
    free(k);
    free(a);
    free(g);
    return evidence;
}

/* With the priors: scale half-normal (deviation sqrt(11)), per unit of its logarithm; log length normal about log 0.4
 * and the logarithm of each shape about 0 (deviation 0.7). */
static double log_weight(const ref_taste *t, ref_taste_cell *cell)
{
    double s = cell->scale / sqrt(11), l = log(cell->size / 0.4) / 0.7;
    double sum = fit(t, cell) + log(cell->scale) - s * s / 2 - l * l / 2;
    for (size_t a = 0; a < t->axes; a++) {
        double c = log(t->shape[a]) / 0.7;
        sum -= c * c / 2;
    }
    return sum;
}

static ref_taste_cell *weigh(ref_taste *t, double *best)
{
    double log_w[REF_TASTE_CELLS], sum = 0;
    ref_taste_cell *likeliest = t->cell;
    *best = -INFINITY;
    for (size_t c = 0; c < REF_TASTE_CELLS; c++)
        if ((log_w[c] = log_weight(t, &t->cell[c])) > *best)
            *best = log_w[c], likeliest = &t->cell[c];
    for (size_t c = 0; c < REF_TASTE_CELLS; c++)
        sum += t->cell[c].weight = exp(log_w[c] - *best);
    for (size_t c = 0; c < REF_TASTE_CELLS; c++)
        t->cell[c].weight /= sum;
    return likeliest;
}

/* Longer or shorter by a factor, whichever is likelier than before. */
static void stretch(ref_taste *t, ref_taste_cell *cell, size_t axis, double factor_of, double *best)
{
    double old = t->shape[axis], found = old;
    for (int way = 0; way < 2; way++) {
        t->shape[axis] = way == 0 ? old * factor_of : old / factor_of;
        double now = log_weight(t, cell);
        if (now > *best)
            *best = now, found = t->shape[axis];
    }
    t->shape[axis] = found;
}

void ref_taste_compute(ref_taste *t)
{
    static const double length[] = {0.1, 0.17, 0.3, 0.5, 0.9, 1.6}, scale[] = {0.8, 1.7, 3.5, 7};
    static const double step[] = {2, 2, 1.4, 1.4};
    double told = 0, best;
    for (size_t c = 0; c < REF_TASTE_CELLS; c++)
        t->cell[c] = (ref_taste_cell){.size = length[c / REF_TASTE_SCALES], .scale = scale[c % REF_TASTE_SCALES]};
    t->axes = t->dim ? t->axis[t->dim - 1] + 1 : 0;
    for (size_t a = 0; a < t->axes; a++)
        t->shape[a] = 1;
    for (size_t i = 0; i < t->n; i++)
        told += t->duel[i].won + t->duel[i].lost;
    ref_taste_cell *cell = weigh(t, &best);
    if (told < 30 - 1e-9 || t->axes < 2)
        return;
    for (size_t s = 0; s < 4; s++)
        for (size_t a = 0; a < t->axes; a++)
            stretch(t, cell, a, step[s], &best);
    (void)weigh(t, &best);
}

void ref_taste_close(ref_taste *t)
{
    for (size_t c = 0; c < REF_TASTE_CELLS; c++) {
        free(t->cell[c].slope);
        free(t->cell[c].root);
        free(t->cell[c].lower);
    }
}

/* Mean and variance of a contrast in one cell. */
static void moments(const ref_taste *t, const ref_taste_cell *cell, const ref_contrast *h, double *mean,
                    double *variance)
{
    double *v = ref_zeros(t->n);
    *mean = 0;
    for (size_t i = 0; i < t->n; i++) {
        ref_contrast duel = duel_of(t, i);
        double c = covariance(t, cell, h, &duel);
        *mean += cell->slope[i] * c;
        v[i] = cell->root[i] * c;
    }
    ref_forward(cell->lower, t->n, v);
    *variance = fmax(0, covariance(t, cell, h, h) - dot(t->n, v, v));
    free(v);
}

/* The place where the mixture's distribution function is p, by bisection. */
static double quantile(const ref_taste *t, const double *mean, const double *variance, double p)
{
    double low = -1000, high = 1000;
    while (high - low > 1e-10) {
        double middle = (low + high) / 2, sum = 0;
        for (size_t c = 0; c < REF_TASTE_CELLS; c++)
            sum += t->cell[c].weight * erfc((mean[c] - middle) / sqrt(2 * variance[c] + 1e-300)) / 2;
        *(sum < p ? &low : &high) = middle;
    }
    return low;
}

void ref_taste_at(const ref_taste *t, const double *x, double *mean, double *low, double *high)
{
    double m[REF_TASTE_CELLS], v[REF_TASTE_CELLS];
    ref_contrast h = centred(t, x);
    *mean = 0;
    for (size_t c = 0; c < REF_TASTE_CELLS; c++) {
        moments(t, &t->cell[c], &h, &m[c], &v[c]);
        *mean += t->cell[c].weight * m[c];
    }
    *low = quantile(t, m, v, 0.025);
    *high = quantile(t, m, v, 0.975);
}

double ref_taste_against(const ref_taste *t, const double *x, const double *y)
{
    enum { STEPS = 320 };
    double chance = 0;
    ref_contrast h = difference(x, y);
    for (size_t c = 0; c < REF_TASTE_CELLS; c++) {
        double mean, variance, sum = 0, weights = 0;
        moments(t, &t->cell[c], &h, &mean, &variance);
        for (int i = 0; i <= STEPS; i++) {
            double z = -8 + 16.0 * i / STEPS;
            weights += exp(-z * z / 2);
            sum += exp(-z * z / 2) * ref_sigmoid(mean + sqrt(variance) * z);
        }
        chance += t->cell[c].weight * sum / weights;
    }
    return chance;
}

double ref_taste_length(const ref_taste *t)
{
    double sum = 0;
    for (size_t c = 0; c < REF_TASTE_CELLS; c++)
        sum += t->cell[c].weight * log(t->cell[c].size);
    return exp(sum);
}

double ref_taste_scale(const ref_taste *t)
{
    double sum = 0;
    for (size_t c = 0; c < REF_TASTE_CELLS; c++)
        sum += t->cell[c].weight * log(t->cell[c].scale);
    return exp(sum);
}
