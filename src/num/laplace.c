/* laplace.c - posteriors of weights: by QR where the answers are numbers, by Laplace's approximation where they are
 * wins and losses. */
#include "num/laplace.h"

#include "base/alloc.h"
#include "num/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

spar_status spar__weights_init(spar__weights *w, size_t r)
{
    *w = (spar__weights){0};
    spar_status status = spar__weights_grow(w, r);
    w->r = status ? 0 : r;
    spar__weights_forget(w);
    return status;
}

void spar__weights_free(spar__weights *w)
{
    spar__free(w->R);
    spar__free(w->z);
    spar__free(w->lost);
    *w = (spar__weights){0};
}

void spar__weights_forget(spar__weights *w)
{
    size_t r = w->r;
    for (w->r = 0; w->r < r;)
        spar__weights_append(w);
}

spar_status spar__weights_grow(spar__weights *w, size_t capacity)
{
    if (w->R && capacity <= w->stride)
        return SPAR_OK;
    if (capacity > SIZE_MAX / 16 || (capacity && spar__padded(capacity) > SIZE_MAX / 8 / spar__padded(capacity)))
        return SPAR_NOMEM;
    size_t stride = spar__padded(capacity);
    double *R = spar__alloc(stride * stride, sizeof *R);
    if (!R || !spar__resize(&w->z, w->stride, stride, sizeof *w->z) ||
        !spar__resize(&w->lost, w->stride, stride, sizeof *w->lost)) {
        spar__free(R);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < w->r; i++)
        memcpy(R + i * stride, w->R + i * w->stride, w->r * sizeof *R);
    spar__free(w->R);
    w->R = R;
    w->stride = stride;
    return SPAR_OK;
}

void spar__weights_append(spar__weights *w)
{
    size_t i = w->r++;
    memset(w->R + i * w->stride, 0, w->stride * sizeof *w->R);
    w->R[i * w->stride + i] = 1;
    w->z[i] = w->lost[i] = 0;
}

void spar__weights_add(spar__weights *w, size_t count, const double *const *phi, const double *weight, const double *y,
                       double *work)
{
    double *target = work + count * w->stride;
    for (size_t i = 0; i < count; i++) {
        double root = sqrt(weight[i]), *row = work + i * w->stride;
        for (size_t j = 0; j < w->r; j++)
            row[j] = root * phi[i][j];
        memset(row + w->r, 0, (w->stride - w->r) * sizeof *row);
        target[i] = root * y[i];
    }
    spar__triangle_absorb(w->r, w->stride, w->R, w->z, count, work, target);
    for (size_t i = 0; i < count; i++) { /* what is left of the target is root times the miss */
        double size = weight[i] * (target[i] * target[i]), square = 0;
        for (size_t j = 0; j < w->r; j++)
            square += phi[i][j] * phi[i][j];
        size *= sqrt(square);
        for (size_t j = 0; j < w->r; j++)
            w->lost[j] += size * fabs(phi[i][j]);
    }
}

void spar__weights_solve(const spar__weights *w, size_t m, double *rhs)
{
    spar__triangle_back(w->r, w->stride, w->R, m, rhs);
}

void spar__weights_mean(const spar__weights *w, double *out)
{
    memcpy(out, w->z, w->r * sizeof *out);
    spar__weights_solve(w, 1, out);
}

void spar__weights_half(const spar__weights *w, size_t m, double *rhs)
{
    spar__triangle_forward(w->r, w->stride, w->R, m, rhs);
}

enum { BLOCK = 32, MOST_STEPS = 100 };

static const double close_enough = 1e-20; /* of the squared length of a step, in standard deviations */

void spar__laplace_free(spar__laplace *l)
{
    double *const arrays[] = {l->G, l->won, l->lost, l->mode, l->f, l->p, l->trial, l->step, l->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    spar__weights_free(&l->root);
    *l = (spar__laplace){0};
}

/* Grows each of the arrays; those that have grown may stay so when the next one fails. */
static bool grow_all(double **const array[], size_t count, size_t old, size_t room)
{
    for (size_t i = 0; i < count; i++)
        if (!spar__resize(array[i], old, room, sizeof **array[i]))
            return false;
    return true;
}

void spar__laplace_forget(spar__laplace *l)
{
    if (l->G)
        memset(l->G, 0, l->n * l->root.stride * sizeof *l->G);
    l->n = l->root.r = 0;
}

static spar_status more_columns(spar__laplace *l)
{
    double **const columns[] = {&l->mode, &l->trial, &l->step};
    double **const work[] = {&l->work};
    size_t stride = l->root.stride, wanted = spar__padded(2 * stride + 1);
    if (!grow_all(columns, 3, stride, wanted) || !grow_all(work, 1, BLOCK * (stride + 1), BLOCK * (wanted + 1)))
        return SPAR_NOMEM;
    double *G = spar__alloc(l->room, wanted * sizeof *G);
    if (!G || spar__weights_grow(&l->root, wanted)) {
        spar__free(G);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < l->n; i++)
        memcpy(G + i * wanted, l->G + i * stride, l->root.r * sizeof *G);
    spar__free(l->G);
    l->G = G;
    return SPAR_OK;
}

spar_status spar__laplace_reserve(spar__laplace *l, size_t more)
{
    spar_status status = SPAR_OK;
    while (!status && l->root.stride - l->root.r < more)
        status = more_columns(l);
    double **const rows[] = {&l->won, &l->lost, &l->f, &l->p};
    while (!status && l->room - l->n < more) {
        size_t room = spar__padded(2 * l->room + 1);
        if (!spar__resize(&l->G, l->room, room, l->root.stride * sizeof *l->G) || !grow_all(rows, 4, l->room, room))
            return SPAR_NOMEM;
        l->room = room;
    }
    return status;
}

double *spar__laplace_add_row(spar__laplace *l)
{
    l->won[l->n] = l->lost[l->n] = 0;
    return l->G + l->n++ * l->root.stride;
}

void spar__laplace_add_column(spar__laplace *l)
{
    l->mode[l->root.r] = 0;
    spar__weights_append(&l->root);
}

/* f = G w, p = sigma(f); returns the log posterior of w, but for a constant. */
static double evaluate(spar__laplace *l, const double *w)
{
    double value = 0;
    spar__product(l->n, 1, l->root.r, l->G, l->root.stride, w, 1, l->f, 1);
    for (size_t i = 0; i < l->n; i++)
        l->p[i] = -fabs(l->f[i]);
    spar__vexp(l->p, l->p, l->n);
    spar__vlog1p(l->p, l->p, l->n);
    for (size_t i = 0; i < l->n; i++)
        value -= (l->won[i] + l->lost[i]) * l->p[i] + fabs(l->f[i]) * (l->f[i] > 0 ? l->lost[i] : l->won[i]);
    for (size_t k = 0; k < l->root.r; k++)
        value -= 0.5 * w[k] * w[k];
    spar__vlogistic(l->p, l->f, l->n);
    return value;
}

/* The root at the mode, of which p is known. */
static void factor(spar__laplace *l)
{
    const double *row[BLOCK];
    double weight[BLOCK], none[BLOCK] = {0};
    spar__weights_forget(&l->root);
    for (size_t start = 0; start < l->n; start += BLOCK) {
        size_t count = l->n - start < BLOCK ? l->n - start : BLOCK;
        for (size_t i = 0; i < count; i++) {
            double p = l->p[start + i];
            row[i] = l->G + (start + i) * l->root.stride;
            weight[i] = (l->won[start + i] + l->lost[start + i]) * p * (1 - p);
        }
        spar__weights_add(&l->root, count, row, weight, none, l->work);
    }
}

/* step = (R^T R)^-1 times the gradient at the mode; returns its squared length in standard deviations. */
static double find_step(spar__laplace *l)
{
    size_t r = l->root.r;
    double length = 0;
    for (size_t k = 0; k < r; k++)
        l->step[k] = -l->mode[k];
    for (size_t i = 0; i < l->n; i++) {
        const double *row = l->G + i * l->root.stride;
        double pull = l->won[i] - (l->won[i] + l->lost[i]) * l->p[i];
        for (size_t k = 0; k < r; k++)
            l->step[k] += pull * row[k];
    }
    spar__weights_half(&l->root, 1, l->step);
    for (size_t k = 0; k < r; k++)
        length += l->step[k] * l->step[k];
    spar__weights_solve(&l->root, 1, l->step);
    return length;
}

/* Goes along the step as far as that climbs, or is level but for rounding; returns where it is then. */
static double climb(spar__laplace *l, double from)
{
    double value = from, slack = 1e-13 * (1 + fabs(from));
    for (double part = 1; part > 1e-10; part /= 2) {
        for (size_t k = 0; k < l->root.r; k++)
            l->trial[k] = l->mode[k] + part * l->step[k];
        value = evaluate(l, l->trial);
        if (value >= from - slack)
            break;
    }
    memcpy(l->mode, l->trial, l->root.r * sizeof *l->mode);
    return value;
}

void spar__laplace_settle(spar__laplace *l)
{
    double value = evaluate(l, l->mode), last = INFINITY;
    for (size_t i = 0; i < MOST_STEPS; i++) {
        double length = find_step(l);
        if (length > last / 100) {
            factor(l);
            length = find_step(l);
        }
        if (length < close_enough)
            break;
        last = length;
        value = climb(l, value);
    }
    factor(l);
}

void spar__laplace_factor(spar__laplace *l)
{
    (void)evaluate(l, l->mode);
    factor(l);
}
