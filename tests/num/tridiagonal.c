/* log det(I + q M) and u^T (I + q M)^-1 u against elimination in long double. */
#include "num/linear.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdlib.h>

typedef long double real;

enum { MOST = 70 };

static bool rough; /* of full rank, or else of about 20 */

static double kernel(size_t i, size_t j, size_t n)
{
    double gap = ((double)i - (double)j) / (double)n;
    return exp(rough ? -8 * fabs(gap) : -gap * gap / 0.08) * (1 + (double)(i % 3)) * (1 + (double)(j % 3));
}

static void eliminate(size_t n, double q, real *log_det, real *form)
{
    static real a[MOST][MOST + 1];
    *log_det = *form = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            a[i][j] = (i == j ? 1 : 0) + (real)q * (real)kernel(i, j, n);
        a[i][n] = cosl((real)i);
    }
    for (size_t k = 0; k < n; k++) {
        *log_det += logl(a[k][k]);
        *form += a[k][n] * a[k][n] / a[k][k];
        for (size_t i = k + 1; i < n; i++) {
            real by = a[i][k] / a[k][k];
            for (size_t j = k; j <= n; j++)
                a[i][j] -= by * a[k][j];
        }
    }
}

static void compare(size_t n)
{
    static const double qs[] = {0, 1e-3, 1, 40, 1e4, 1e9};
    spar__tridiagonal t;
    if (spar__tridiagonal_init(&t, n))
        abort();
    real worst = 0;
    for (size_t i = 0; i < n; i++) {
        t.u[i] = cos((double)i);
        for (size_t j = 0; j <= i; j++)
            t.m[i * n + j] = kernel(i, j, n);
    }
    spar__tridiagonal_reduce(&t);
    for (size_t k = 0; k < sizeof qs / sizeof *qs; k++) {
        double log_det, form;
        real wanted, wanted_form;
        spar__tridiagonal_at(&t, qs[k], &log_det, &form);
        eliminate(n, qs[k], &wanted, &wanted_form);
        real scale = 1 + qs[k] * 1e-2; /* rounding of M counts q times */
        worst = fmaxl(worst, fabsl(log_det - wanted) / (1 + wanted) / scale);
        worst = fmaxl(worst, fabsl(form - wanted_form) / (1 + wanted_form) / scale);
    }
    ok(worst < 1e-12L, "size %zu: within %.0Le", n, worst);
    spar__tridiagonal_free(&t);
}

int main(void)
{
    compare(1);
    compare(2);
    compare(3);
    compare(33);
    compare(MOST);
    rough = true;
    compare(MOST); /* the determinant is beyond any double */
    bool clean = true;
    size_t k = 1;
    for (spar_status status = SPAR_NOMEM; status && k < 20; k++) {
        spar__tridiagonal t;
        spar__alloc_fail_at(k);
        status = spar__tridiagonal_init(&t, 5);
        spar__alloc_fail_at(0);
        clean &= status == SPAR_OK || (status == SPAR_NOMEM && !t.m && !t.u);
        spar__tridiagonal_free(&t);
    }
    ok(clean && k > 4 && k < 20, "each of %zu allocations fails once, cleanly", k - 2);
    return done();
}
