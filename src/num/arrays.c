/* The dense loops, compiled once per instruction set. Fixed sizes are given to inlined functions as constants, so that
 * the compiler keeps sums in registers. */
#include "num/elementary.h"
#include "num/linear.h"
#include "num/vec.h"

#include <math.h>

enum { PARTS = SPAR__WIDTH / VW }; /* vectors that make up the lanes */

/* One Householder reflection a row k of R clears column k of all `count` rows: with a = R[k][k], p the column and beta
 * = sqrt(a^2 + p.p), and t the sum of the old and the new row of R,
 *
 *     R[k] <- (a R[k] + sum_i p_i row_i) / beta,     row_i <- row_i - p_i / (a + beta) t
 *
 * which for one row is a Givens rotation. */
typedef struct reflection {
    bool none; /* the column is zero already */
    double keep, take[4], give[4];
} reflection;

V_INLINE reflection reflect(const size_t count, size_t k, size_t stride, const double *R, const double *rows)
{
    double a = R[k * stride + k], p[4], sum = 0;
    for (size_t i = 0; i < count; i++) {
        p[i] = rows[i * stride + k];
        sum += p[i] * p[i];
    }
    double beta = sqrt(a * a + sum);
    reflection h = {.none = sum == 0, .keep = a / beta};
    for (size_t i = 0; i < count; i++) {
        h.take[i] = p[i] / beta;
        h.give[i] = p[i] / (a + beta);
    }
    return h;
}

/* Columns from .. end - 1, rounded up to whole vectors. */
V_INLINE void turn(const size_t count, const reflection *h, size_t from, size_t end, size_t stride, double *row,
                   double *rows)
{
    for (size_t j = from; j < end; j += VW) {
        vnum old = v_load(row + j), new = old * h->keep, p_row[4];
        for (size_t i = 0; i < count; i++) {
            p_row[i] = v_load(rows + i * stride + j);
            new += p_row[i] * h->take[i];
        }
        v_store(row + j, new);
        old += new;
        for (size_t i = 0; i < count; i++)
            v_store(rows + i * stride + j, p_row[i] - old * h->give[i]);
    }
}

V_INLINE void turn_target(const size_t count, const reflection *h, double *z, double *y)
{
    double before = *z, after = before * h->keep;
    for (size_t i = 0; i < count; i++)
        after += y[i] * h->take[i];
    *z = after;
    for (size_t i = 0; i < count; i++)
        y[i] -= (before + after) * h->give[i];
}

/* The next reflection follows from the first vectors of a row, so that its root and quotients are on their way while
 * the others are turned. */
V_INLINE void absorb_few(size_t r, size_t stride, double *R, double *z, const size_t count, double *rows, double *y)
{
    reflection next = reflect(count, 0, stride, R, rows);
    for (size_t k = 0; k < r; k++) {
        const reflection h = next;
        size_t near = (k + 1) / VW * VW + VW;
        double *row = R + k * stride;
        if (!h.none) {
            turn(count, &h, k / VW * VW, near < r ? near : r, stride, row, rows);
            for (size_t i = 0; i < count; i++)
                rows[i * stride + k] = 0; /* but for rounding it is */
        }
        if (k + 1 < r)
            next = reflect(count, k + 1, stride, R, rows);
        if (!h.none) {
            turn(count, &h, near, r, stride, row, rows);
            turn_target(count, &h, z + k, y);
        }
    }
}

static void absorb(size_t r, size_t stride, double *R, double *z, size_t count, double *rows, double *y)
{
    if (r == 0)
        return;
    for (; count >= 4; count -= 4, rows += 4 * stride, y += 4)
        absorb_few(r, stride, R, z, 4, rows, y);
    if (count == 3)
        absorb_few(r, stride, R, z, 3, rows, y);
    else if (count == 2)
        absorb_few(r, stride, R, z, 2, rows, y);
    else if (count == 1)
        absorb_few(r, stride, R, z, 1, rows, y);
}

/* Takes x[j - 1] and x[j - 2] out of the sums of rows i, i - 1 .. i - count + 1 for j = from, from - 2 .. as long as
 * both come after row i; returns the next j. */
V_INLINE size_t take_pairs(const size_t count, size_t i, size_t from, size_t stride, const double *R, size_t m,
                           const double *rhs, vnum even[][PARTS], vnum odd[][PARTS])
{
    size_t j = from;
    for (; j >= i + 3; j -= 2)
        for (size_t q = 0; q < PARTS; q++) {
            vnum last = v_load(rhs + (j - 1) * m + q * VW), before = v_load(rhs + (j - 2) * m + q * VW);
            for (size_t g = 0; g < count; g++) {
                even[g][q] -= last * R[(i - g) * stride + j - 1];
                odd[g][q] -= before * R[(i - g) * stride + j - 2];
            }
        }
    return j;
}

/* Rows i, i - 1 .. i - count + 1: together as far as the x are known that all of them need. The newest of the x comes
 * last, so that the rest of a sum need not wait for it. */
V_INLINE void back_rows(const size_t count, size_t i, size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    vnum even[4][PARTS], odd[4][PARTS];
    for (size_t g = 0; g < count; g++)
        for (size_t q = 0; q < PARTS; q++) {
            even[g][q] = v_load(rhs + (i - g) * m + q * VW);
            odd[g][q] = v_splat(0);
        }
    size_t known = take_pairs(count, i, r, stride, R, m, rhs, even, odd);
    for (size_t g = 0; g < count; g++, i--) {
        const double *row = R + i * stride;
        double inverse = 1 / row[i];
        size_t j = take_pairs(1, i, known, stride, R, m, rhs, even + g, odd + g);
        for (; j > i + 1; j--)
            for (size_t q = 0; q < PARTS; q++)
                even[g][q] -= v_load(rhs + (j - 1) * m + q * VW) * row[j - 1];
        for (size_t q = 0; q < PARTS; q++)
            v_store(rhs + i * m + q * VW, (even[g][q] + odd[g][q]) * inverse);
    }
}

static void back(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    enum { TOGETHER = PARTS == 1 ? 4 : 1 }; /* short vectors have sums enough in one row to keep busy */
    for (size_t i = m == 1 ? r : 0; i-- > 0;) {
        const double *row = R + i * stride;
        vnum sum[PARTS];
        double lane[SPAR__WIDTH], rest = rhs[i];
        for (size_t q = 0; q < PARTS; q++)
            sum[q] = v_splat(0);
        size_t j = r;
        for (; j >= i + 1 + SPAR__WIDTH; j -= SPAR__WIDTH)
            for (size_t q = 0; q < PARTS; q++)
                sum[q] += v_load(row + j - SPAR__WIDTH + q * VW) * v_load(rhs + j - SPAR__WIDTH + q * VW);
        for (size_t q = 0; q < PARTS; q++)
            v_store(lane + q * VW, sum[q]);
        for (; j > i + 1; j--)
            rest -= row[j - 1] * rhs[j - 1];
        rest -= ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
        rhs[i] = rest / row[i];
    }
    for (size_t c = 0; c + SPAR__WIDTH <= m; c += SPAR__WIDTH) {
        size_t left = r;
        for (; left >= TOGETHER; left -= TOGETHER)
            back_rows(TOGETHER, left - 1, r, stride, R, m, rhs + c);
        for (; left > 0; left--)
            back_rows(1, left - 1, r, stride, R, m, rhs + c);
    }
}

/* Rows i .. i + count - 1 are done: takes their part out of rows from .. end - 1. */
V_INLINE void take_out(size_t stride, const double *R, size_t m, double *rhs, size_t i, const size_t count, size_t from,
                       size_t end)
{
    vnum x[4][PARTS];
    for (size_t k = 0; k < count; k++)
        for (size_t q = 0; q < PARTS; q++)
            x[k][q] = v_load(rhs + (i + k) * m + q * VW);
    for (size_t j = from; j < end; j++)
        for (size_t q = 0; q < PARTS; q++) {
            vnum sum = v_load(rhs + j * m + q * VW);
            for (size_t k = 0; k < count; k++)
                sum -= x[k][q] * R[(i + k) * stride + j];
            v_store(rhs + j * m + q * VW, sum);
        }
}

/* Four rows at a time go into each of those below, which saves loading and storing them. */
static void forward_lanes(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    for (size_t i = 0; i < r; i += 4) {
        size_t end = i + 4 < r ? i + 4 : r;
        for (size_t k = i; k < end; k++) {
            double inverse = 1 / R[k * stride + k];
            for (size_t q = 0; q < PARTS; q++)
                v_store(rhs + k * m + q * VW, v_load(rhs + k * m + q * VW) * inverse);
            take_out(stride, R, m, rhs, k, 1, k + 1, end);
        }
        if (end < r)
            take_out(stride, R, m, rhs, i, 4, end, r);
    }
}

static void forward(size_t r, size_t stride, const double *R, size_t m, double *rhs)
{
    for (size_t i = 0; m == 1 && i < r; i++) {
        const double *row = R + i * stride;
        double x = rhs[i] /= row[i];
        size_t j = i + 1;
        for (; j + VW <= r; j += VW)
            v_store(rhs + j, v_load(rhs + j) - v_load(row + j) * x);
        for (; j < r; j++)
            rhs[j] -= row[j] * x;
    }
    for (size_t c = 0; c + SPAR__WIDTH <= m; c += SPAR__WIDTH)
        forward_lanes(r, stride, R, m, rhs + c);
}

/* `high` rows and `wide` vectors of c. */
V_INLINE void tile(const size_t high, const size_t wide, size_t k, const double *a, size_t lda, const double *b,
                   size_t ldb, double *c, size_t ldc)
{
    vnum sum[4][4];
    for (size_t i = 0; i < high; i++)
        for (size_t j = 0; j < wide; j++)
            sum[i][j] = v_splat(0);
    for (size_t l = 0; l < k; l++)
        for (size_t i = 0; i < high; i++)
            for (size_t j = 0; j < wide; j++)
                sum[i][j] += v_load(b + l * ldb + j * VW) * a[i * lda + l];
    for (size_t i = 0; i < high; i++)
        for (size_t j = 0; j < wide; j++)
            v_store(c + i * ldc + j * VW, sum[i][j]);
}

/* `high` rows of c. The last vectors reach back over columns already done, which get the same numbers again. */
V_INLINE void band(const size_t high, size_t n, size_t k, const double *a, size_t lda, const double *b, size_t ldb,
                   double *c, size_t ldc)
{
    enum { WIDE = VW < SPAR__WIDTH ? 2 : 3 };
    size_t j = 0;
    for (; j + WIDE * VW <= n; j += WIDE * VW)
        tile(high, WIDE, k, a, lda, b + j, ldb, c + j, ldc);
    for (; j < n && n >= VW; j += VW) {
        size_t at = j + VW <= n ? j : n - VW;
        tile(high, 1, k, a, lda, b + at, ldb, c + at, ldc);
    }
    for (; j < n; j++)
        for (size_t i = 0; i < high; i++) {
            double sum = 0;
            for (size_t l = 0; l < k; l++)
                sum += b[l * ldb + j] * a[i * lda + l];
            c[i * ldc + j] = sum;
        }
}

static void product(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b, size_t ldb, double *c,
                    size_t ldc)
{
    size_t i = 0;
    for (; i + 4 <= m; i += 4)
        band(4, n, k, a + i * lda, lda, b, ldb, c + i * ldc, ldc);
    for (; i < m; i++)
        band(1, n, k, a + i * lda, lda, b, ldb, c + i * ldc, ldc);
}

V_INLINE vnum v_larger(vnum a, vnum b)
{
    return v_select((vmask)(a > b), a, b);
}

static double largest(size_t n, const double *value)
{
    enum { WIDE = 4 };
    double most = value[0], lane[VW];
    size_t i = 0;
    if (n >= WIDE * VW) {
        vnum top[WIDE];
        for (size_t q = 0; q < WIDE; q++)
            top[q] = v_load(value + q * VW);
        for (i = WIDE * VW; i + WIDE * VW <= n; i += WIDE * VW)
            for (size_t q = 0; q < WIDE; q++)
                top[q] = v_larger(v_load(value + i + q * VW), top[q]);
        v_store(lane, v_larger(v_larger(top[0], top[1]), v_larger(top[2], top[3])));
        for (size_t q = 0; q < VW; q++)
            most = lane[q] > most ? lane[q] : most;
    }
    for (; i < n; i++)
        most = value[i] > most ? value[i] : most;
    return most;
}

/* a.b of columns of r numbers in each lane, in four sums so that they need not wait for one another. */
V_INLINE void dots(size_t r, const double *a, const double *b, vnum *out)
{
    for (size_t q = 0; q < PARTS; q++) {
        vnum sum[4] = {v_splat(0), v_splat(0), v_splat(0), v_splat(0)};
        size_t i = 0;
        for (; i + 4 <= r; i += 4)
            for (size_t k = 0; k < 4; k++) {
                size_t at = (i + k) * SPAR__WIDTH + q * VW;
                sum[k] += v_load(a + at) * v_load(b + at);
            }
        for (; i < r; i++)
            sum[0] += v_load(a + i * SPAR__WIDTH + q * VW) * v_load(b + i * SPAR__WIDTH + q * VW);
        out[q] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* The modified Gram-Schmidt process. */
static void triangles(size_t r, size_t c, double *m, double *t)
{
    memset(t, 0, c * c * SPAR__WIDTH * sizeof *t);
    for (size_t k = 0; k < c; k++) {
        double *column = m + k * r * SPAR__WIDTH, *row = t + k * c * SPAR__WIDTH;
        double *length = row + k * SPAR__WIDTH, inverse[SPAR__WIDTH];
        vnum dot[PARTS];
        dots(r, column, column, dot);
        for (size_t q = 0; q < PARTS; q++)
            v_store(length + q * VW, dot[q]);
        for (size_t l = 0; l < SPAR__WIDTH; l++) {
            length[l] = sqrt(length[l]);
            inverse[l] = length[l] > 0 ? 1 / length[l] : 0;
        }
        for (size_t i = 0; i < r; i++)
            for (size_t l = 0; l < SPAR__WIDTH; l++)
                column[i * SPAR__WIDTH + l] *= inverse[l];
        for (size_t j = k + 1; j < c; j++) {
            double *other = m + j * r * SPAR__WIDTH;
            dots(r, column, other, dot);
            for (size_t q = 0; q < PARTS; q++) {
                v_store(row + j * SPAR__WIDTH + q * VW, dot[q]);
                for (size_t i = 0; i < r; i++) {
                    size_t at = i * SPAR__WIDTH + q * VW;
                    v_store(other + at, v_load(other + at) - v_load(column + at) * dot[q]);
                }
            }
        }
    }
}

const spar__linear_ops SPAR__ISA_NAME(spar__linear_ops, SPAR_ISA) = {absorb,  back,    forward,
                                                                     product, largest, triangles};

/* The array forms, compiled once per instruction set. */

#define DEFINE_ARRAY(name)                                                                                             \
    static void array_##name(double *out, const double *x, size_t n)                                                   \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (; i + VW <= n; i += VW)                                                                                   \
            v_store(out + i, v_##name(v_load(x + i)));                                                                 \
        if (i < n) {                                                                                                   \
            double rest[VW] = {0};                                                                                     \
            memcpy(rest, x + i, (n - i) * sizeof *x);                                                                  \
            v_store(rest, v_##name(v_load(rest)));                                                                     \
            memcpy(out + i, rest, (n - i) * sizeof *x);                                                                \
        }                                                                                                              \
    }
SPAR__UNARY_MAP(DEFINE_ARRAY)

#define ARRAY_MEMBER(name) .name = array_##name,
const spar__num_ops SPAR__ISA_NAME(spar__num_ops, SPAR_ISA) = {SPAR__UNARY_MAP(ARRAY_MEMBER)};
