#include "num/tridiagonal.h"

#include "base/alloc.h"
#include "num/blas.h"
#include "num/elementary.h"

#include <lapacke.h>
#include <limits.h>

enum { WORK = 64 }; /* numbers of working memory for each row: LAPACK's largest block, and one more for tau */

spar_status spar__tridiagonal_init(spar__tridiagonal *t, size_t n)
{
    *t = (spar__tridiagonal){.n = n};
    if (n > INT_MAX / WORK)
        return SPAR_NOMEM;
    t->diagonal = spar__alloc(n, sizeof *t->diagonal);
    t->beside = spar__alloc(n, sizeof *t->beside);
    t->u = spar__alloc(n, sizeof *t->u);
    t->m = spar__alloc(n, n * sizeof *t->m);
    t->work = spar__alloc(n, (WORK + 1) * sizeof *t->work);
    if (t->diagonal && t->beside && t->u && t->m && t->work)
        return SPAR_OK;
    spar__tridiagonal_free(t);
    return SPAR_NOMEM;
}

void spar__tridiagonal_free(spar__tridiagonal *t)
{
    spar__free(t->diagonal);
    spar__free(t->beside);
    spar__free(t->u);
    spar__free(t->m);
    spar__free(t->work);
    *t = (spar__tridiagonal){0};
}

/* The lower triangle row by row is the upper one column by column. */
void spar__tridiagonal_reduce(spar__tridiagonal *t)
{
    lapack_int n = (lapack_int)t->n;
    double *tau = t->work + t->n * WORK;
    spar__blas_enter();
    (void)LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'U', n, t->m, n, t->diagonal, t->beside, tau, t->work, WORK * n);
    (void)LAPACKE_dormtr_work(LAPACK_COL_MAJOR, 'L', 'U', 'T', n, 1, t->m, n, tau, t->u, n, t->work, WORK * n);
    spar__blas_leave();
}

void spar__tridiagonal_at(const spar__tridiagonal *t, double q, double *log_det, double *form)
{
    double pivot = 1, product = 1, rest = 0;
    *log_det = *form = 0;
    for (size_t i = 0; i < t->n; i++) {
        double beside = i ? q * t->beside[i - 1] : 0, ratio = beside / pivot;
        rest = t->u[i] - ratio * rest;
        pivot = 1 + q * t->diagonal[i] - ratio * beside;
        if (!(pivot > 0.5))
            pivot = 0.5; /* it is at least 1 but for rounding */
        *form += rest * rest / pivot;
        product *= pivot;
        if (product > 1e250) { /* a logarithm now and then */
            *log_det += spar__log(product);
            product = 1;
        }
    }
    *log_det += spar__log(product);
}
