/* What tests/num/weights.c and tests/num/kron.c do not use: the largest of some numbers, and triangles of many. */
#include "num/linear.h"

#include "num/elementary.h"
#include "tap.h"

static void check_largest(void)
{
    enum { N = 150 };
    double value[N];
    bool good = true;
    for (size_t n = 1; n <= N; n++)
        for (size_t at = 0; at < n; at++) {
            for (size_t i = 0; i < N; i++)
                value[i] = i < n ? -1 - (double)(i * 37 % 11) : 1; /* those beyond n do not count */
            value[at] = -0.5;
            good &= spar__largest(n, value) == -0.5;
        }
    for (size_t i = 0; i < N; i++)
        value[i] = -INFINITY;
    good &= spar__largest(N, value) == -INFINITY && spar__largest(3, value) == -INFINITY;
    ok(good, "the largest of 1 to %d numbers, wherever it is: %s", N, spar__cpu_name());
}

/* T^T T = M^T M, T is upper, and one with dependent columns is no exception. */
static void check_triangles(size_t r, size_t c)
{
    enum { L = SPAR__WIDTH };
    static double m[23 * 7 * L], t[7 * 7 * L], kept[23 * 7 * L];
    double far = 0;
    bool upper = true;
    for (size_t i = 0; i < r * c * L; i++)
        m[i] = kept[i] = sin(1 + (double)i * (double)i);
    for (size_t i = 0; c > 2 && i < r; i++) { /* in lane 3 */
        m[(r + i) * L + 3] = kept[(r + i) * L + 3] = 0;
        m[(2 * r + i) * L + 3] = kept[(2 * r + i) * L + 3] = 2 * m[i * L + 3];
    }
    spar__triangles(r, c, m, t);
    for (size_t l = 0; l < L; l++)
        for (size_t j = 0; j < c; j++)
            for (size_t k = 0; k < c; k++) {
                double sum = 0;
                for (size_t i = 0; i < r; i++)
                    sum += kept[(j * r + i) * L + l] * kept[(k * r + i) * L + l];
                for (size_t i = 0; i < c; i++)
                    sum -= t[(i * c + j) * L + l] * t[(i * c + k) * L + l];
                far = isnan(sum) ? 1 : fmax(far, fabs(sum));
                upper &= k >= j || t[(j * c + k) * L + l] == 0;
            }
    ok(far < 1e-13 && upper, "triangles of %zu x %zu: %s (%.1e)", r, c, spar__cpu_name(), far);
}

int main(void)
{
    for (int level = 0; level < SPAR__CPU_COUNT; level++) {
        if (!spar__cpu_force((spar__cpu)level))
            continue;
        check_largest();
        check_triangles(23, 7);
        check_triangles(20, 1);
        check_triangles(4, 6);
    }
    (void)spar__cpu_force(spar__cpu_choose(NULL));
    return done();
}
