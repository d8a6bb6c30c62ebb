/* The simplex method on a tableau with two rows of costs, of which the second only decides between equals of the first.
 *
 *     minimise  sum_c (u_c + v_c),  then  cost . p
 *     where     sum_l a_cl p_l + u_c - v_c = 0 for each row c,   sum_l p_l = 1,   all variables >= 0
 *
 * The first column is a basis to start from: p_0 = 1, and u_c or v_c = |a_c0|. The second goal may only use columns
 * that cost nothing of the first. Nearly all right hand sides are 0 on the way, so that steps of length 0 are the rule:
 * a second right hand side, infinitely smaller than the first, decides between rows and prevents cycling. */
#include "rank/fair.h"

#include "base/alloc.h"

#include <math.h>
#include <stdbool.h>

static const double tiny = 1e-10;

typedef struct tableau {
    size_t rows; /* with the row sum p = 1, which is the last */
    size_t n;    /* columns p; then u, v, and the two right hand sides */
    size_t width;
    double *cell;  /* rows x width, then the two rows of reduced costs */
    size_t *basis; /* the column that is 1 in each row and 0 in the others */
} tableau;

static double *row_of(const tableau *t, size_t row)
{
    return t->cell + row * t->width;
}

/* row -= factor * other */
static void subtract(const tableau *t, double *row, double factor, const double *other)
{
    if (factor == 0)
        return;
    for (size_t k = 0; k < t->width; k++)
        row[k] -= factor * other[k];
}

static void fill(tableau *t, const double *a, double scale, const double *cost)
{
    size_t last = t->rows - 1, n = t->n, width = t->width;
    double *sum = row_of(t, last), *bias = row_of(t, t->rows), *goal = row_of(t, t->rows + 1);
    for (size_t l = 0; l < n; l++) {
        sum[l] = 1;
        goal[l] = cost[l];
    }
    sum[width - 2] = sum[width - 1] = 1;
    t->basis[last] = 0;
    subtract(t, goal, cost[0], sum);
    for (size_t c = 0; c < last; c++) {
        double *row = row_of(t, c), fraction = (double)(c + 1) * 0.6180339887498949;
        for (size_t l = 0; l < n; l++)
            row[l] = a[c * n + l] * scale;
        row[n + c] = 1;
        row[n + last + c] = -1;
        subtract(t, row, row[0], sum);
        bool negative = row[width - 2] < 0;
        for (size_t k = 0; negative && k < width; k++)
            row[k] = -row[k];
        row[width - 1] = 1 + (fraction - floor(fraction)); /* no two rows alike */
        t->basis[c] = negative ? n + last + c : n + c;
        bias[n + c] = bias[n + last + c] = 1;
    }
    for (size_t c = 0; c < last; c++)
        subtract(t, bias, 1, row_of(t, c));
}

/* The cheapest column to bring in, or width when none lowers the cost. */
static size_t entering(const tableau *t, bool second)
{
    const double *bias = row_of(t, t->rows), *goal = row_of(t, t->rows + 1);
    size_t best = t->width;
    double least = -tiny;
    for (size_t k = 0; k < t->width - 2; k++) {
        double value = second ? goal[k] : bias[k];
        if (value < least && !(second && bias[k] > tiny)) {
            least = value;
            best = k;
        }
    }
    return best;
}

/* The row whose variable is the first to reach 0 as the column grows, or rows when there is none. */
static size_t leaving(const tableau *t, size_t column)
{
    size_t best = t->rows, width = t->width;
    double least = 0, nudge = 0;
    for (size_t r = 0; r < t->rows; r++) {
        const double *row = row_of(t, r);
        if (row[column] < 1e-9)
            continue;
        double ratio = row[width - 2] / row[column], small = row[width - 1] / row[column];
        if (best == t->rows || ratio < least - tiny || (ratio <= least + tiny && small < nudge)) {
            best = r;
            least = ratio;
            nudge = small;
        }
    }
    return best;
}

static void pivot(tableau *t, size_t row, size_t column)
{
    double *at = row_of(t, row), scale = 1 / at[column];
    for (size_t k = 0; k < t->width; k++)
        at[k] *= scale;
    at[column] = 1;
    for (size_t r = 0; r < t->rows + 2; r++)
        if (r != row) {
            subtract(t, row_of(t, r), row_of(t, r)[column], at);
            row_of(t, r)[column] = 0;
        }
    for (size_t r = 0; r < t->rows; r++)
        if (fabs(row_of(t, r)[t->width - 2]) < 1e-14)
            row_of(t, r)[t->width - 2] = 0;
    t->basis[row] = column;
}

static void read_weights(const tableau *t, double *p)
{
    double sum = 0;
    for (size_t l = 0; l < t->n; l++)
        p[l] = 0;
    for (size_t r = 0; r < t->rows; r++)
        if (t->basis[r] < t->n)
            sum += p[t->basis[r]] = fmax(row_of(t, r)[t->width - 2], 0);
    for (size_t l = 0; l < t->n; l++)
        p[l] /= sum;
}

static double bias_of(size_t rows, size_t n, const double *a, const double *p)
{
    double bias = 0;
    for (size_t c = 0; c < rows; c++) {
        double sum = 0;
        for (size_t l = 0; l < n; l++)
            sum += a[c * n + l] * p[l];
        bias += fabs(sum);
    }
    return bias;
}

spar_status spar__fair_weights(size_t rows, size_t n, const double *a, const double *cost, double *p, double *bias)
{
    tableau t = {.rows = rows + 1, .n = n, .width = n + 2 * rows + 2};
    t.cell = spar__alloc(t.rows + 2, t.width * sizeof *t.cell);
    t.basis = spar__alloc(t.rows, sizeof *t.basis);
    spar_status status = t.cell && t.basis ? SPAR_OK : SPAR_NOMEM;
    if (status)
        goto fail;
    double largest = 0;
    for (size_t i = 0; i < rows * n; i++)
        largest = fmax(largest, fabs(a[i]));
    fill(&t, a, largest > 0 ? 1 / largest : 1, cost);
    /* Rounding may keep the last steps from ending; any basis on the way is a set of weights. */
    size_t steps = 20 * t.width;
    for (int second = 0; second < 2; second++)
        for (size_t column; steps && (column = entering(&t, second)) < t.width; steps--) {
            size_t row = leaving(&t, column);
            if (row == t.rows)
                break;
            pivot(&t, row, column);
        }
    read_weights(&t, p);
    *bias = bias_of(rows, n, a, p);
fail:
    spar__free(t.cell);
    spar__free(t.basis);
    return status;
}
