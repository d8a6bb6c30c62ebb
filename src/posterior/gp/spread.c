/* The standard deviations of all points of a product grid: sd(x) = |R^-T phi(x)|.
 *
 * One point by itself takes a solve, r^2 / 2 multiplications. But points that differ in the last coordinate only share
 * most of that. Let c be the rank of the last axis and psi(x_d) its c values there. phi(x) is linear in psi(x_d), with
 * numbers that come from the other coordinates, and so is
 *
 *     R^-T phi(x) = M psi(x_d),     M = sum_j X_j h_j e_k(j)^T      (r x c)
 *
 * where X_j is column j of X = R^-T, h_j the product of the other axes' parts of column j of the basis, and k(j) its
 * column of the last axis. With the triangle T of a QR factorisation of M, |M psi| is |T psi|: c^2 / 2 multiplications
 * a point, and for each row of points some r^2 + r c^2. Nothing is squared before it is added up, so small deviations
 * are as exact as those of single points. Eight rows are worked on at a time, one in each lane. */
#include "posterior/gp/lattice.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The columns j of the basis, those with the same column k of the last axis together: places start[k] .. start[k + 1] -
 * 1 of `column`. */
typedef struct sorted {
    size_t c;
    size_t *start, *column;
    size_t *place; /* of each j */
} sorted;

typedef struct spread {
    const spar__kron *kron;
    const spar__lattice *lattice;
    const spar__weights *w;
    size_t r, last; /* the number of the last axis */
    sorted by;
    double *inverse;    /* X: for each k, r rows of the columns that have it */
    double *head;       /* h, in lanes */
    double *m, *t;      /* in lanes */
    double *one, *form; /* T of a row of points, c x c, and T psi, c x n */
} spread;

static bool spread_take(spread *s, spar_scratch *scratch)
{
    size_t r = s->r, c = s->by.c, n = s->kron->axis[s->last].n;
    s->by.start = spar__scratch_take(scratch, c + 1, sizeof *s->by.start);
    s->by.column = spar__scratch_take(scratch, r, sizeof *s->by.column);
    s->by.place = spar__scratch_take(scratch, r, sizeof *s->by.place);
    s->inverse = spar__scratch_take(scratch, r * r, sizeof *s->inverse);
    s->head = spar__scratch_take(scratch, r * SPAR__WIDTH, sizeof *s->head);
    s->m = spar__scratch_take(scratch, r * c * SPAR__WIDTH, sizeof *s->m);
    s->t = spar__scratch_take(scratch, c * c * SPAR__WIDTH, sizeof *s->t);
    s->one = spar__scratch_take(scratch, c * c, sizeof *s->one);
    s->form = spar__scratch_take(scratch, c * n, sizeof *s->form);
    return s->by.start && s->by.column && s->by.place && s->inverse && s->head && s->m && s->t && s->one && s->form;
}

static size_t last_column(const spread *s, size_t j)
{
    return s->kron->column[j * s->kron->d + s->last];
}

static void sort_columns(spread *s)
{
    size_t at = 0;
    for (size_t k = 0; k < s->by.c; k++) {
        s->by.start[k] = at;
        for (size_t j = 0; j < s->r; j++)
            if (last_column(s, j) == k) {
                s->by.column[at] = j;
                s->by.place[j] = at++;
            }
    }
    s->by.start[s->by.c] = at;
}

/* SPAR__WIDTH columns of X at a time, which are zero above the diagonal; m has room for them. */
static void invert(spread *s)
{
    size_t r = s->r;
    for (size_t first = 0; first < r; first += SPAR__WIDTH) {
        size_t count = r - first < SPAR__WIDTH ? r - first : SPAR__WIDTH;
        memset(s->m, 0, r * SPAR__WIDTH * sizeof *s->m);
        for (size_t l = 0; l < count; l++)
            s->m[(first + l) * SPAR__WIDTH + l] = 1;
        spar__triangle_forward(r - first, s->w->stride, s->w->R + first * (s->w->stride + 1), SPAR__WIDTH,
                               s->m + first * SPAR__WIDTH);
        for (size_t l = 0; l < count; l++) {
            size_t j = first + l, start = s->by.start[last_column(s, j)];
            size_t wide = s->by.start[last_column(s, j) + 1] - start;
            double *block = s->inverse + start * r + (s->by.place[j] - start);
            for (size_t i = 0; i < r; i++)
                block[i * wide] = s->m[i * SPAR__WIDTH + l];
        }
    }
}

/* h of all columns for `count` rows of points, in the order of `sorted`. */
static void fill_heads(const spread *s, size_t row, size_t count)
{
    const spar__kron *kron = s->kron;
    memset(s->head, 0, s->r * SPAR__WIDTH * sizeof *s->head);
    for (size_t l = 0; l < count; l++) {
        const double *phi[SPAR__KRON_AXES];
        for (size_t a = s->last, rest = row + l; a-- > 0; rest /= kron->axis[a].n)
            phi[a] = kron->axis[a].phi + rest % kron->axis[a].n * kron->axis[a].r;
        for (size_t p = 0; p < s->r; p++) {
            const size_t *column = kron->column + s->by.column[p] * kron->d;
            double h = 1;
            for (size_t a = 0; a < s->last; a++)
                h *= phi[a][column[a]];
            s->head[p * SPAR__WIDTH + l] = h;
        }
    }
}

/* The deviations of row `row` of points, which is in lane l. */
static void finish_row(const spread *s, size_t row, size_t l, double *sd)
{
    size_t c = s->by.c, n = s->kron->axis[s->last].n;
    for (size_t i = 0; i < c * c; i++)
        s->one[i] = s->t[i * SPAR__WIDTH + l];
    spar__product(c, n, c, s->one, c, s->kron->last, n, s->form, n);
    for (size_t i = 0; i < n; i++) /* the first of them gets the sum */
        s->form[i] *= s->form[i];
    for (size_t k = 1; k < c; k++)
        for (size_t i = 0; i < n; i++)
            s->form[i] += s->form[k * n + i] * s->form[k * n + i];
    for (size_t i = 0; i < n; i++) {
        size_t cell = row * n + i, p = s->lattice->point ? s->lattice->point[cell] : cell;
        if (p != SIZE_MAX)
            sd[p] = sqrt(s->form[i]);
    }
}

static void by_rows(spread *s, double *sd)
{
    size_t r = s->r, c = s->by.c, rows = s->kron->points / s->kron->axis[s->last].n;
    sort_columns(s);
    invert(s);
    for (size_t row = 0; row < rows; row += SPAR__WIDTH) {
        size_t count = rows - row < SPAR__WIDTH ? rows - row : SPAR__WIDTH;
        fill_heads(s, row, count);
        for (size_t k = 0; k < c; k++) {
            size_t start = s->by.start[k], wide = s->by.start[k + 1] - start;
            spar__product(r, SPAR__WIDTH, wide, s->inverse + start * r, wide, s->head + start * SPAR__WIDTH,
                          SPAR__WIDTH, s->m + k * r * SPAR__WIDTH, SPAR__WIDTH);
        }
        spar__triangles(r, c, s->m, s->t);
        for (size_t l = 0; l < count; l++)
            finish_row(s, row + l, l, sd);
    }
}

static spar_status one_by_one(const spread *s, spar_scratch *scratch, size_t points, double *sd)
{
    double *row = spar__scratch_take(scratch, s->r, sizeof *row);
    double *half = spar__scratch_take(scratch, s->r * SPAR__WIDTH, sizeof *half);
    for (size_t start = 0; row && half && start < points; start += SPAR__WIDTH) {
        size_t count = points - start < SPAR__WIDTH ? points - start : SPAR__WIDTH;
        memset(half, 0, s->r * SPAR__WIDTH * sizeof *half);
        for (size_t l = 0; l < count; l++) {
            spar__kron_row(s->kron, s->lattice->cell ? s->lattice->cell[start + l] : start + l, row);
            for (size_t j = 0; j < s->r; j++)
                half[j * SPAR__WIDTH + l] = row[j];
        }
        spar__gp_lengths(s->w, half, count, sd + start);
    }
    return row && half ? SPAR_OK : SPAR_NOMEM;
}

/* Is the work less, counted in multiplications? */
static bool rows_pay(const spread *s, size_t points)
{
    double r = (double)s->r, c = (double)s->by.c, cells = (double)s->kron->points;
    double rows = cells / (double)s->kron->axis[s->last].n;
    return r * r * r / 6 + rows * (r * r + r * c * c) + cells * c * c < (double)points * r * r / 2;
}

spar_status spar__grid_deviations(const spar__kron *kron, const spar__lattice *lattice, const spar__weights *w,
                                  size_t points, spar_scratch *scratch, double *sd)
{
    size_t mark = spar__scratch_mark(scratch), last = kron->d - 1;
    spread s = {.kron = kron, .lattice = lattice, .w = w, .r = kron->r, .last = last, .by.c = kron->axis[last].r};
    spar_status status = SPAR_OK;
    if (!rows_pay(&s, points))
        status = one_by_one(&s, scratch, points, sd);
    else if (spread_take(&s, scratch))
        by_rows(&s, sd);
    else
        status = SPAR_NOMEM;
    spar__scratch_release(scratch, mark);
    return status;
}
