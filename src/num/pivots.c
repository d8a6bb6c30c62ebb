#include "num/pivots.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void spar__pivots_free(spar__pivots *p)
{
    spar__free(p->G);
    spar__free(p->U);
    spar__free(p->pivot);
    *p = (spar__pivots){.tolerance = p->tolerance};
}

/* The same rows, further apart; NULL when memory fails. */
static double *respaced(const double *rows, size_t n, size_t r, size_t stride, size_t room, size_t new_stride)
{
    double *out = room <= SIZE_MAX / new_stride ? spar__alloc(room * new_stride, sizeof *out) : NULL;
    for (size_t i = 0; out && i < n; i++)
        memcpy(out + i * new_stride, rows + i * stride, r * sizeof *out);
    return out;
}

static spar_status more_columns(spar__pivots *p)
{
    size_t stride = spar__lanes(2 * p->r + 1), room = p->room > p->n ? p->room : spar__lanes(2 * p->n + 1);
    size_t *pivot = spar__realloc(p->pivot, p->stride, stride, sizeof *pivot);
    if (!pivot)
        return SPAR_NOMEM;
    p->pivot = pivot;
    double *U = respaced(p->U, p->r, p->r, p->stride, stride, stride);
    double *G = respaced(p->G, p->n, p->r, p->stride, room, stride);
    if (!U || !G) {
        spar__free(U);
        spar__free(G);
        return SPAR_NOMEM;
    }
    spar__free(p->U);
    spar__free(p->G);
    p->U = U;
    p->G = G;
    p->stride = stride;
    p->room = room;
    return SPAR_OK;
}

spar_status spar__pivots_reserve(spar__pivots *p)
{
    if (p->r == p->stride)
        return more_columns(p);
    if (p->n < p->room)
        return SPAR_OK;
    size_t room = 2 * p->room;
    double *G =
        room <= SIZE_MAX / p->stride ? spar__realloc(p->G, p->room * p->stride, room * p->stride, sizeof *G) : NULL;
    if (!G)
        return SPAR_NOMEM;
    p->G = G;
    p->room = room;
    return SPAR_OK;
}

bool spar__pivots_add(spar__pivots *p, double *covariance, double variance)
{
    spar__pivots_half(p, 1, covariance);
    double *row = p->G + p->n * p->stride, left = variance;
    for (size_t k = 0; k < p->r; k++) {
        row[k] = covariance[k];
        left -= row[k] * row[k];
    }
    size_t at = p->n++;
    if (!(left > p->tolerance))
        return false;
    row[p->r] = sqrt(left);
    for (size_t k = 0; k <= p->r; k++)
        p->U[k * p->stride + p->r] = row[k];
    p->pivot[p->r++] = at;
    return true;
}

void spar__pivots_half(const spar__pivots *p, size_t m, double *rhs)
{
    spar__triangle_forward(p->r, p->stride, p->U, m, rhs);
}

void spar__pivots_back(const spar__pivots *p, size_t m, double *rhs)
{
    spar__triangle_back(p->r, p->stride, p->U, m, rhs);
}
