/* gp_textbook.h - the Gaussian process of the textbooks, in long double: K + D, a Cholesky factorisation, and no
 * shortcuts. Shares no code with src but the names of the kernels. */
#ifndef SPAR_TESTS_POSTERIOR_GP_TEXTBOOK_H
#define SPAR_TESTS_POSTERIOR_GP_TEXTBOOK_H

#include "num/kernel.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

typedef struct textbook {
    spar__kernel_kind kind;
    size_t n, dim; /* places, arms that may be equal */
    const double *x;
    double length[8];
    real variance, noise, offset;
    real *count, *sum; /* of the answers about each place */

    size_t seen; /* places with answers, and which */
    size_t *place;
    real *L;     /* factor of K + D, seen x seen */
    real *alpha; /* (K + D)^-1 y */
    real *half;  /* L^-1 k, seen x n */
} textbook;

static inline real textbook_matern(int twice, real s)
{
    real a = sqrtl((real)twice) * s;
    return (twice == 3 ? 1 + a : 1 + a + a * a / 3) * expl(-a);
}

static inline real textbook_kernel(const textbook *t, size_t i, size_t j)
{
    real squares = 0, dot = 0, product3 = 1, product5 = 1;
    for (size_t d = 0; d < t->dim; d++) {
        real l = (real)t->length[d], p = (real)t->x[i * t->dim + d], q = (real)t->x[j * t->dim + d],
             s = fabsl(p - q) / l;
        squares += s * s;
        dot += p * q / (l * l);
        product3 *= textbook_matern(3, s);
        product5 *= textbook_matern(5, s);
    }
    switch (t->kind) {
    case SPAR__KERNEL_MATERN32:
        return t->variance * textbook_matern(3, sqrtl(squares));
    case SPAR__KERNEL_MATERN52:
        return t->variance * textbook_matern(5, sqrtl(squares));
    case SPAR__KERNEL_PRODUCT_MATERN32:
        return t->variance * product3;
    case SPAR__KERNEL_PRODUCT_MATERN52:
        return t->variance * product5;
    case SPAR__KERNEL_LINEAR:
        return t->variance * dot;
    case SPAR__KERNEL_SE:
    default:
        return t->variance * expl(-squares / 2);
    }
}

static inline void textbook_open(textbook *t, spar__kernel_kind kind, size_t n, size_t dim, const double *x,
                                 const double *length, double variance, double noise, double offset)
{
    *t = (textbook){.kind = kind, .n = n, .dim = dim, .x = x};
    for (size_t d = 0; d < dim; d++)
        t->length[d] = length[d];
    t->variance = (real)variance;
    t->noise = (real)noise;
    t->offset = (real)offset;
    t->count = calloc(n, sizeof *t->count);
    t->sum = calloc(n, sizeof *t->sum);
    t->place = calloc(n, sizeof *t->place);
}

static inline void textbook_close(textbook *t)
{
    free(t->count);
    free(t->sum);
    free(t->place);
    free(t->L);
    free(t->alpha);
    free(t->half);
}

static inline void textbook_observe(textbook *t, size_t i, double reward)
{
    t->count[i] += 1;
    t->sum[i] += (real)reward - t->offset;
}

/* Repeated answers about a place count by their mean with noise / count: the same posterior, smaller matrices. */
static inline void textbook_solve(textbook *t)
{
    t->seen = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->count[i] > 0)
            t->place[t->seen++] = i;
    size_t s = t->seen, n = t->n;
    free(t->L);
    free(t->alpha);
    free(t->half);
    t->L = calloc(s * s + 1, sizeof *t->L);
    t->alpha = calloc(s + 1, sizeof *t->alpha);
    t->half = calloc(s * n + 1, sizeof *t->half);
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j <= i; j++) {
            size_t p = t->place[i], q = t->place[j];
            real sum = textbook_kernel(t, p, q) + (i == j ? t->noise / t->count[p] : 0);
            for (size_t k = 0; k < j; k++)
                sum -= t->L[i * s + k] * t->L[j * s + k];
            t->L[i * s + j] = i == j ? sqrtl(sum) : sum / t->L[j * s + j];
        }
    for (size_t i = 0; i < s; i++) { /* all right-hand sides side by side */
        real *row = t->half + i * n, y = t->sum[t->place[i]] / t->count[t->place[i]];
        for (size_t c = 0; c < n; c++)
            row[c] = textbook_kernel(t, t->place[i], c);
        for (size_t k = 0; k < i; k++) {
            const real *before = t->half + k * n, l = t->L[i * s + k];
            for (size_t c = 0; c < n; c++)
                row[c] -= l * before[c];
            y -= l * t->alpha[k];
        }
        for (size_t c = 0; c < n; c++)
            row[c] /= t->L[i * s + i];
        t->alpha[i] = y / t->L[i * s + i]; /* L^-1 y: the mean is half^T of this */
    }
}

static inline real textbook_mean(const textbook *t, size_t c)
{
    real sum = t->offset;
    for (size_t i = 0; i < t->seen; i++)
        sum += t->half[i * t->n + c] * t->alpha[i];
    return sum;
}

/* About how far its own means may be off: the digits of long double, by the condition of K + D. */
static inline real textbook_doubt(const textbook *t)
{
    real trace = 0, least = INFINITY;
    for (size_t i = 0; i < t->seen; i++) {
        trace += textbook_kernel(t, t->place[i], t->place[i]);
        least = fminl(least, t->noise / t->count[t->place[i]]);
    }
    return 1e-19L * trace / least;
}

static inline real textbook_covariance(const textbook *t, size_t a, size_t b)
{
    real sum = textbook_kernel(t, a, b);
    for (size_t i = 0; i < t->seen; i++)
        sum -= t->half[i * t->n + a] * t->half[i * t->n + b];
    return sum;
}

#endif
