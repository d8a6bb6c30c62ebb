#include "num/linear.h"

#include "base/alloc.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>

static uint64_t seed = 9;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

/* Largest of |A v - l v| and |v_i . v_j - (i == j)|, relative to the largest element. */
static double fault(size_t r, const double *a, const double *done, const double *v)
{
    double worst = 0, most = 1e-300;
    for (size_t i = 0; i < r * r; i++)
        most = fmax(most, fabs(a[i]));
    for (size_t j = 0; j < r; j++) {
        for (size_t i = 0; i < r; i++) {
            double sum = 0, dot = 0;
            for (size_t k = 0; k < r; k++) {
                sum += a[i * r + k] * v[j * r + k];
                dot += v[i * r + k] * v[j * r + k];
            }
            worst = fmax(worst, fabs(sum - done[j * r + j] * v[j * r + i]) / most);
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    }
    return worst;
}

static void check(size_t r, int kind, const char *what)
{
    double *a = spar__alloc(r * r, sizeof *a), *done = spar__alloc(r * r, sizeof *a), *v = spar__alloc(r * r, sizeof *a);
    for (size_t i = 0; i < r; i++)
        for (size_t j = 0; j <= i; j++) {
            double d = (double)(i - j) / 8;
            a[i * r + j] = a[j * r + i] = kind == 0   ? 2 * uniform() - 1
                                          : kind == 1 ? exp(-d * d)
                                          : kind == 2 ? (i == j)
                                          : kind == 3 ? pow(10, -(double)(i + j) / 2) * (1 + 0.1 * uniform())
                                                      : 0;
        }
    for (size_t i = 0; i < r * r; i++)
        done[i] = a[i];
    spar__eigen(r, done, v);
    double off = fault(r, a, done, v);
    ok(off < 1e-13, "%s, %zu x %zu: vectors and values (%.0e)", what, r, r, off);
    spar__free(a);
    spar__free(done);
    spar__free(v);
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 3, 19, 64, 96};
    for (size_t i = 0; i < 6; i++) {
        check(sizes[i], 0, "any matrix");
        check(sizes[i], 1, "a smooth kernel");
        check(sizes[i], 2, "the identity");
        check(sizes[i], 3, "a graded one");
        check(sizes[i], 4, "zero");
    }
    double nothing[4] = {NAN, 1, 1, NAN}, v[4];
    spar__eigen(2, nothing, v);
    ok(true, "nonsense ends");
    return done();
}
