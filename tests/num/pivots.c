/* Points that come one by one: G G^T is their covariance, with no more columns than it has rank. */
#include "num/pivots.h"

#include "base/alloc.h"
#include "num/kernel.h"

#include "tap.h"

enum { MOST = 60 };

static double x[MOST];

static spar__pivots grow(const spar__kernel *kernel, size_t n, double tolerance)
{
    spar__pivots p = {.tolerance = tolerance};
    double pivot_x[MOST], covariance[MOST];
    for (size_t i = 0; i < n; i++) {
        if (spar__pivots_reserve(&p))
            return p;
        spar__kernel_row(kernel, x + i, p.r, pivot_x, covariance);
        size_t r = p.r;
        bool new = spar__pivots_add(&p, covariance, spar__kernel_at(kernel, x + i, x + i));
        if (new)
            pivot_x[r] = x[i];
        if (new != (p.r == r + 1) || (new &&p.pivot[r] != i))
            printf("Bail out! pivot %zu\n", i);
    }
    return p;
}

static double worst(const spar__kernel *kernel, const spar__pivots *p)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0;
            for (size_t k = 0; k < p->r; k++)
                sum += p->G[i * p->stride + k] * p->G[j * p->stride + k];
            most = fmax(most, fabs(sum - spar__kernel_at(kernel, x + i, x + j)));
        }
    return most;
}

static void covers(double length, double tolerance, double allowed, size_t least, size_t ranks)
{
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 2};
    for (size_t i = 0; i < MOST; i++)
        x[i] = (double)(i * 17 % MOST) / MOST;
    spar__pivots p = grow(&kernel, MOST, tolerance);
    double off = worst(&kernel, &p);
    ok(p.n == MOST && off < allowed, "length %g: the covariance within %.0e", length, off);
    ok(p.r >= least && p.r <= ranks, "length %g: %zu columns", length, p.r);
    spar__pivots_free(&p);
}

static void solves(void)
{
    double length = 0.3, a[MOST], b[8 * MOST];
    spar__kernel kernel = {SPAR__KERNEL_MATERN32, 1, &length, 1};
    spar__pivots p = grow(&kernel, 20, 1e-12);
    double off = 0;
    for (size_t k = 0; k < p.r; k++)
        a[k] = b[8 * k + 3] = cos((double)k);
    for (size_t k = 0; k < p.r; k++)
        for (size_t c = 0; c < 8; c++)
            b[8 * k + c] = cos((double)k);
    spar__pivots_half(&p, 1, a);
    spar__pivots_back(&p, 1, a);
    spar__pivots_half(&p, 8, b);
    spar__pivots_back(&p, 8, b);
    for (size_t i = 0; i < p.r; i++) {
        double sum = 0, lane = 0;
        for (size_t j = 0; j < p.r; j++) {
            double k = spar__kernel_at(&kernel, x + p.pivot[i], x + p.pivot[j]);
            sum += k * a[j];
            lane += k * b[8 * j + 3];
        }
        off = fmax(off, fmax(fabs(sum - cos((double)i)), fabs(lane - cos((double)i))));
    }
    ok(p.r == 20 && off < 1e-10, "U^T U is the covariance of the pivots (%.0e)", off);
    spar__pivots_free(&p);
}

static void memory(void)
{
    double length = 0.05, covariance[MOST], pivot_x[MOST];
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 1};
    spar__pivots p = {.tolerance = 1e-12};
    size_t failed = 0;
    for (size_t i = 0; i < MOST; i++) {
        for (size_t k = 1;; k++) {
            spar__alloc_fail_at(k);
            spar_status status = spar__pivots_reserve(&p);
            spar__alloc_fail_at(0);
            if (!status)
                break;
            failed++;
        }
        spar__kernel_row(&kernel, x + i, p.r, pivot_x, covariance);
        pivot_x[p.r] = x[i];
        (void)spar__pivots_add(&p, covariance, 1);
    }
    double off = worst(&kernel, &p);
    ok(failed > 5 && off < 3e-12, "%zu failures of memory do no harm (%.0e)", failed, off);
    spar__pivots_free(&p);
}

int main(void)
{
    covers(0.01, 1e-12, 1e-14, 50, MOST);
    covers(0.2, 1e-12, 1e-10, 12, 22);
    covers(2, 1e-12, 1e-10, 5, 9);
    covers(0.2, 1e-4, 1e-3, 5, 11);
    covers(1e3, 1e-12, 2e-12, 1, 3);
    solves();
    memory();
    return done();
}
