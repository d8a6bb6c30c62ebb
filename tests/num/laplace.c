/* Laplace's approximation against a plain Newton iteration in long double. */
#include "num/laplace.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

typedef long double real;

enum { ROWS = 40, COLUMNS = 9 };

static double noise(void) /* in (-1, 1) */
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

typedef struct answer {
    real mode[COLUMNS], hessian[COLUMNS][COLUMNS];
} answer;

static void solve(real a[COLUMNS][COLUMNS], real *b)
{
    for (size_t k = 0; k < COLUMNS; k++)
        for (size_t i = k + 1; i < COLUMNS; i++) {
            real by = a[i][k] / a[k][k];
            for (size_t j = k; j < COLUMNS; j++)
                a[i][j] -= by * a[k][j];
            b[i] -= by * b[k];
        }
    for (size_t i = COLUMNS; i-- > 0;) {
        for (size_t j = i + 1; j < COLUMNS; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* Small steps, many of them. */
static void by_the_book(const spar__laplace *l, answer *out)
{
    *out = (answer){0};
    for (int step = 0; step < 400; step++) {
        real gradient[COLUMNS], h[COLUMNS][COLUMNS] = {{0}};
        for (size_t k = 0; k < COLUMNS; k++) {
            gradient[k] = -out->mode[k];
            h[k][k] = 1;
        }
        for (size_t i = 0; i < l->n; i++) {
            const double *row = l->G + i * l->root.stride;
            real f = 0, count = (real)l->won[i] + l->lost[i];
            for (size_t k = 0; k < COLUMNS; k++)
                f += row[k] * out->mode[k];
            real p = 1 / (1 + expl(-f));
            for (size_t k = 0; k < COLUMNS; k++) {
                gradient[k] += (l->won[i] - count * p) * row[k];
                for (size_t j = 0; j < COLUMNS; j++)
                    h[k][j] += count * p * (1 - p) * row[k] * row[j];
            }
        }
        memcpy(out->hessian, h, sizeof h);
        solve(h, gradient);
        real part = step < 300 ? 0.1L : 1;
        for (size_t k = 0; k < COLUMNS; k++)
            out->mode[k] += part * gradient[k];
    }
}

static double worst_of(const spar__laplace *l)
{
    static answer wanted;
    by_the_book(l, &wanted);
    real worst = 0;
    for (size_t k = 0; k < COLUMNS; k++)
        worst = fmaxl(worst, fabsl(wanted.mode[k] - l->mode[k]) / (1 + fabsl(wanted.mode[k])));
    for (size_t k = 0; k < COLUMNS; k++)
        for (size_t j = 0; j < COLUMNS; j++) {
            real sum = 0;
            for (size_t i = 0; i < COLUMNS; i++)
                sum += (real)l->root.R[i * l->root.stride + k] * l->root.R[i * l->root.stride + j];
            worst = fmaxl(worst, fabsl(sum - wanted.hessian[k][j]) / (1 + wanted.hessian[k][k] + wanted.hessian[j][j]));
        }
    return (double)worst;
}

/* A row a time, and a column as long as there are more to come. */
static void build(spar__laplace *l, double scale)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (spar__laplace_reserve(l, 1))
            abort();
        double *row = spar__laplace_add_row(l);
        if (l->root.r < COLUMNS)
            spar__laplace_add_column(l);
        for (size_t k = 0; k < l->root.r; k++)
            row[k] = scale * noise();
    }
}

static void follows(const char *what, double scale, double most, size_t rounds)
{
    spar__laplace l = {0};
    double worst = 0;
    build(&l, scale);
    for (size_t t = 0; t < rounds; t++) {
        size_t i = (size_t)((noise() + 1) / 2 * ROWS);
        double won = floor((noise() + 1) * 1.5) / 2, times = ceil(most * (noise() + 1) / 2);
        l.won[i] += times * won;
        l.lost[i] += times * (1 - won);
        spar__laplace_settle(&l);
        if (t % 8 == 0 || t + 1 == rounds)
            worst = fmax(worst, worst_of(&l));
    }
    ok(worst < 1e-9, "%s: mode and Hessian within %.0e", what, worst);
    double mode[COLUMNS], root[COLUMNS * COLUMNS];
    memcpy(mode, l.mode, sizeof mode);
    for (size_t k = 0; k < COLUMNS; k++)
        memcpy(root + k * COLUMNS, l.root.R + k * l.root.stride, COLUMNS * sizeof *root);
    spar__weights_forget(&l.root);
    spar__laplace_factor(&l);
    bool same = memcmp(mode, l.mode, sizeof mode) == 0;
    for (size_t k = 0; k < COLUMNS; k++)
        same &= memcmp(root + k * COLUMNS, l.root.R + k * l.root.stride, COLUMNS * sizeof *root) == 0;
    ok(same, "%s: the root follows from the mode, to the bit", what);
    spar__laplace_free(&l);
}

/* A start far from the mode: everything said before is turned round. */
static void turns(void)
{
    spar__laplace l = {0};
    build(&l, 3);
    for (int turn = 0; turn < 4; turn++) {
        for (size_t i = 0; i < ROWS; i++) {
            l.won[i] = turn % 2 ? 1000 : 0;
            l.lost[i] = turn % 2 ? 0 : 1000;
        }
        spar__laplace_settle(&l);
    }
    double worst = worst_of(&l);
    ok(worst < 1e-9, "from far off: mode and Hessian within %.0e", worst);
    spar__laplace_free(&l);
}

static void memory(void)
{
    spar__laplace l = {0};
    size_t failed = 0;
    for (size_t i = 0; i < 200; i++) {
        for (size_t k = 1;; k++) {
            spar__alloc_fail_at(k);
            spar_status status = spar__laplace_reserve(&l, 1);
            spar__alloc_fail_at(0);
            if (!status)
                break;
            failed++;
        }
        spar__laplace_add_row(&l)[i] = (double)i;
        spar__laplace_add_column(&l);
        l.won[i] = l.lost[i] = l.mode[i] = (double)i;
    }
    bool kept = l.n == 200 && l.root.r == 200;
    for (size_t i = 0; i < 200; i++)
        kept &= l.won[i] == (double)i && l.lost[i] == (double)i && l.mode[i] == (double)i;
    for (size_t i = 0; i < 200 * 200; i++)
        kept &= l.G[i / 200 * l.root.stride + i % 200] == (i / 200 == i % 200 ? (double)(i / 200) : 0);
    ok(kept && failed > 20, "%zu failures of memory do no harm", failed);
    spar__laplace_free(&l);
}

int main(void)
{
    follows("single answers", 1, 1, 200);
    follows("many answers", 0.5, 1000, 100);
    follows("a wide prior", 8, 30, 100);
    turns();
    memory();
    return done();
}
