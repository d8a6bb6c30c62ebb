/* phi phi^T against the kernel, element by element, within the residual that the basis states. */
#include "num/kernel.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

enum { N = 90, KINDS = SPAR__KERNEL_LINEAR + 1 };

static uint64_t seed = 5;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-53;
}

typedef struct verdict {
    double off;      /* largest |K - phi phi^T| */
    double left_out; /* largest of K - phi phi^T on the diagonal */
    double most;     /* largest k(x, x) */
    bool finite;
} verdict;

static verdict judge(const spar__kernel *k, const double *x, const spar__basis *b)
{
    verdict v = {0, 0, 0, true};
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j <= i; j++) {
            long double sum = 0;
            for (size_t c = 0; c < b->r; c++)
                sum += (long double)b->phi[i * b->r + c] * (long double)b->phi[j * b->r + c];
            double wanted = spar__kernel_at(k, x + i * k->dim, x + j * k->dim);
            double rest = (double)((long double)wanted - sum);
            v.finite &= isfinite(rest);
            v.off = fmax(v.off, fabs(rest));
            if (i == j) {
                v.left_out = fmax(v.left_out, rest);
                v.most = fmax(v.most, wanted);
            }
        }
    return v;
}

/* kind of point set: 0 a grid, 1 random, 2 random with repeated and nearly repeated points */
static void make_points(int set, size_t dim, double *x)
{
    for (size_t i = 0; i < N * dim; i++)
        x[i] = set == 0 ? (double)(dim == 1 ? i : i % 2 ? i / 2 % 9 : i / 18) / (dim == 1 ? N : 9) : uniform();
    for (size_t i = 10; set == 2 && i < N; i++)
        for (size_t d = 0; d < dim; d++)
            x[i * dim + d] = x[i % 10 * dim + d] + (i % 3 ? 0 : 1e-10 * (double)i);
}

static void check(int kind, size_t dim)
{
    static const double lengths[] = {1e-3, 0.05, 0.2, 1, 10, 1e3};
    double x[2 * N], worst = 0, worst_ratio = 0;
    bool good = true;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int set = 0; set < 3; set++)
            for (double tolerance = 1e-14; tolerance < 1e-3; tolerance *= 1e5) {
                double length[] = {lengths[l], lengths[l] * 1.3};
                spar__kernel k = {(spar__kernel_kind)kind, dim, length, 2};
                spar__basis b;
                make_points(set, dim, x);
                good &= spar__basis_make(&k, N, x, tolerance, N, &b) == SPAR_OK;
                verdict v = judge(&k, x, &b);
                good &= v.finite && b.residual <= tolerance * v.most && v.left_out <= b.residual + 1e-14 * v.most &&
                        v.off <= b.residual + 1e-14 * v.most;
                worst = fmax(worst, (v.off - b.residual) / v.most);
                worst_ratio = fmax(worst_ratio, b.residual / (v.left_out + 1e-15 * v.most));
                spar__basis_free(&b);
            }
    ok(good, "kernel %d in %zu-D: K within the residual and %.1e", kind, dim, fmax(worst, 0));
    ok(worst_ratio < 20, "kernel %d in %zu-D: the residual is what was left out (%.2g times)", kind, dim, worst_ratio);
}

static void check_columns(void)
{
    double x[N], length = 0.2;
    for (size_t i = 0; i < N; i++)
        x[i] = (double)i / (N - 1);
    spar__kernel k = {SPAR__KERNEL_SE, 1, &length, 1};
    spar__basis b;
    if (spar__basis_make(&k, N, x, 1e-14, N, &b))
        abort();
    ok(b.r >= 17 && b.r <= 21, "length 0.2 takes %zu columns", b.r);
    double worst = 0, last = INFINITY;
    bool falling = true;
    for (size_t p = 0; p < b.r; p++)
        for (size_t q = p; q < b.r; q++) {
            double dot = 0;
            for (size_t i = 0; i < N; i++)
                dot += b.phi[i * b.r + p] * b.phi[i * b.r + q];
            if (p == q) {
                falling &= dot <= last * (1 + 1e-9) + 1e-14;
                last = dot;
            } else {
                worst = fmax(worst, fabs(dot));
            }
        }
    ok(falling && worst < 1e-13, "columns are orthogonal with falling norms (%.1e)", worst);
    spar__basis_free(&b);
    ok(spar__basis_make(&k, N, x, 1e-14, 12, &b) == SPAR_UNSUPPORTED && !b.phi, "12 columns are too few for it");
    spar_status status = spar__basis_make(&k, N, x, 1e-3, 12, &b);
    ok(status == SPAR_OK && b.r <= 8 && b.r > 3, "but not for a coarse one (%zu)", b.r);
    spar__basis_free(&b);
}

static void check_edges(void)
{
    double x[] = {0, 0, 0}, length = 1;
    spar__kernel k = {SPAR__KERNEL_LINEAR, 1, &length, 1};
    spar__basis b;
    ok(spar__basis_make(&k, 3, x, 1e-14, 10, &b) == SPAR_OK && b.r == 0 && b.residual == 0,
       "nothing varies: no columns");
    spar__basis_free(&b);
    k.kind = SPAR__KERNEL_SE;
    ok(spar__basis_make(&k, 3, x, 1e-14, 10, &b) == SPAR_OK && b.r == 1 && fabs(fabs(b.phi[2]) - 1) < 1e-15,
       "one point three times: one column");
    spar__basis_free(&b);
    ok(spar__basis_make(&k, 1, x, 1e-14, 10, &b) == SPAR_OK && b.r == 1, "one point");
    spar__basis_free(&b);
}

static void check_memory(void)
{
    double x[N], length = 0.02;
    for (size_t i = 0; i < N; i++)
        x[i] = (double)i / (N - 1);
    spar__kernel k = {SPAR__KERNEL_SE, 1, &length, 1};
    spar__basis b;
    spar__alloc_fail_at(0);
    bool good = spar__basis_make(&k, N, x, 1e-14, N, &b) == SPAR_OK;
    size_t calls = spar__alloc_count();
    spar__basis_free(&b);
    for (size_t c = 1; c <= calls; c++) {
        spar__alloc_fail_at(c);
        good &= spar__basis_make(&k, N, x, 1e-14, N, &b) == SPAR_NOMEM && !b.phi;
    }
    spar__alloc_fail_at(0);
    ok(good && calls > 8, "each of %zu allocations may fail", calls);
}

int main(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t dim = 1; dim <= 2; dim++)
            check(kind, dim);
    check_columns();
    check_edges();
    check_memory();
    return done();
}
