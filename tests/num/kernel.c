/* Against the formulas in long double, derivatives against differences. */
#include "num/kernel.h"

#include "base/spec.h"
#include "tap.h"

#include <float.h>
#include <stdint.h>

enum { KINDS = SPAR__KERNEL_LINEAR + 1, N = 300 };

static const char *const names[KINDS] = {"se",    "matern32", "matern52", "product_matern32", "product_matern52",
                                         "linear"};

static uint64_t seed = 3;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

static long double matern(int twice, long double s)
{
    long double a = sqrtl((long double)twice) * s;
    return (twice == 3 ? 1 + a : 1 + a + a * a / 3) * expl(-a);
}

static long double formula(const spar__kernel *k, const double *x, const double *y)
{
    long double squares = 0, dot = 0, product3 = 1, product5 = 1;
    for (size_t d = 0; d < k->dim; d++) {
        long double l = (long double)k->length[d], s = fabsl((long double)x[d] - (long double)y[d]) / l;
        squares += s * s;
        dot += (long double)x[d] * (long double)y[d] / (l * l);
        product3 *= matern(3, s);
        product5 *= matern(5, s);
    }
    long double value[KINDS] = {
        expl(-squares / 2), matern(3, sqrtl(squares)), matern(5, sqrtl(squares)), product3, product5, dot};
    return (long double)k->variance * value[k->kind];
}

/* The derivatives of k(x, y) by x. */
static void gradient(const spar__kernel *k, const double *x, const double *y, double *out)
{
    static const double one = 1;
    memset(out, 0, k->dim * sizeof *out);
    (void)spar__kernel_slope(k, x, 1, y, &one, out);
}

static void check_values(spar__kernel_kind kind, size_t dim)
{
    static const double scale[] = {1e-3, 0.2, 1, 1e3};
    double worst = 0, worst_slope = 0, x[4], y[N * 4], row[N], slope[4];
    bool same = true, finite = true;
    for (size_t s = 0; s < 4; s++) {
        double length[4] = {scale[s], scale[s] * 1.5, scale[s] * 0.7, scale[s]};
        spar__kernel k = {kind, dim, length, 1.7};
        for (size_t i = 0; i < 4; i++)
            x[i] = uniform();
        for (size_t i = 0; i < N * 4; i++)
            y[i] = i % 7 ? uniform() : x[i % dim] + 1e-9 * uniform();
        spar__kernel_row(&k, x, N, y, row);
        for (size_t i = 0; i < N; i++) {
            const double *at = y + i * dim;
            long double wanted = formula(&k, x, at);
            double size = kind == SPAR__KERNEL_LINEAR ? 1.7 / (scale[s] * scale[s]) : 1.7;
            worst = fmax(worst, (double)fabsl((long double)row[i] - wanted) / size);
            same &= spar__kernel_at(&k, x, at) == row[i];
            gradient(&k, x, at, slope);
            for (size_t d = 0; d < dim; d++) { /* a difference of the long double formula: exact to about 1e-10 */
                double step = 1e-5 * length[d], ahead[4], behind[4];
                memcpy(ahead, x, sizeof x);
                memcpy(behind, x, sizeof x);
                ahead[d] += step;
                behind[d] -= step;
                long double run = (long double)ahead[d] - (long double)behind[d];
                long double difference = (formula(&k, ahead, at) - formula(&k, behind, at)) / run;
                double error = fabs(slope[d] - (double)difference) * length[d] / size;
                if (fabs(x[d] - at[d]) > 2 * step || kind == SPAR__KERNEL_SE)
                    worst_slope = fmax(worst_slope, error);
                finite &= isfinite(slope[d]) && isfinite(row[i]);
            }
        }
    }
    ok(worst < 4e-15 && same && finite, "%s in %zu-D (%.1e)", names[kind], dim, worst);
    ok(worst_slope < 1e-8, "%s in %zu-D: derivatives (%.1e)", names[kind], dim, worst_slope);
}

static void check_far_away(void)
{
    double length[] = {1e-6, 1e6}, x[] = {-1e300, 1}, y[] = {1e300, 1}, zero[] = {0, 0}, slope[2];
    bool good = true;
    for (int kind = 0; kind < SPAR__KERNEL_LINEAR; kind++) {
        spar__kernel k = {(spar__kernel_kind)kind, 2, length, 1e6};
        good &= spar__kernel_at(&k, x, y) == 0 && spar__kernel_at(&k, x, x) == 1e6;
        gradient(&k, x, y, slope);
        good &= slope[0] == 0 && slope[1] == 0;
        gradient(&k, zero, zero, slope);
        good &= slope[0] == 0 && slope[1] == 0;
    }
    ok(good, "far away there is nothing, and at the point itself the variance");
}

/* In many dimensions the factor of a product is beyond all doubles long before the value is beyond notice. */
static void check_many_dimensions(void)
{
    enum { DIM = 1000 };
    static double length[DIM], x[DIM], y[DIM], slope[DIM];
    for (int kind = SPAR__KERNEL_PRODUCT_MATERN32; kind <= SPAR__KERNEL_PRODUCT_MATERN52; kind++) {
        double worst = 0;
        bool finite = true;
        for (double far = 1e-3; far < 1e9; far *= 10) {
            for (size_t d = 0; d < DIM; d++) {
                length[d] = 1;
                y[d] = far;
            }
            spar__kernel k = {(spar__kernel_kind)kind, DIM, length, 1};
            long double wanted = formula(&k, x, y);
            double row, value = spar__kernel_at(&k, x, y);
            spar__kernel_row(&k, x, 1, y, &row);
            gradient(&k, x, y, slope);
            worst = fmax(worst, fabs(value - (double)wanted) + fabs(row - (double)wanted));
            if (wanted > 1e-250L)
                worst = fmax(worst, fabs((double)(value / wanted) - 1));
            for (size_t d = 0; d < DIM; d++)
                finite &= isfinite(slope[d]) != 0;
        }
        ok(worst < 1e-11 && finite, "%s of %d dimensions (%.1e)", names[kind], DIM, worst);
    }
}

static void check_axes(void)
{
    double length[] = {0.3, 0.7, 2}, x[] = {0.1, 0.9, 0.4}, y[] = {0.2, 0.5, 1};
    for (int kind = 0; kind < KINDS; kind++) {
        spar__kernel k = {(spar__kernel_kind)kind, 3, length, 2.5}, one = {(spar__kernel_kind)kind, 1, length, 2.5};
        bool wanted =
            kind == SPAR__KERNEL_SE || kind == SPAR__KERNEL_PRODUCT_MATERN32 || kind == SPAR__KERNEL_PRODUCT_MATERN52;
        double product = 1;
        for (size_t d = 0; d < 3; d++) {
            spar__kernel axis = spar__kernel_axis(&k, d);
            product *= spar__kernel_at(&axis, x + d, y + d);
        }
        bool equal = fabs(product - spar__kernel_at(&k, x, y)) < 1e-15;
        ok(spar__kernel_separable(&k) == wanted && equal == wanted && spar__kernel_separable(&one),
           "%s is %sa product of its axes", names[kind], wanted ? "" : "not ");
        size_t index = 99;
        ok(spar__choice_find(SPAR__KERNEL_CHOICES, names[kind], &index) && index == (size_t)kind, "%s by name",
           names[kind]);
    }
}

int main(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t dim = 1; dim <= 3; dim++)
            check_values((spar__kernel_kind)kind, dim);
    check_far_away();
    check_many_dimensions();
    check_axes();
    return done();
}
