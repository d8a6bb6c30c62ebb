#include "num/weights.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

spar_status spar__weights_init(spar__weights *w, size_t r)
{
    *w = (spar__weights){0};
    spar_status status = spar__weights_grow(w, r);
    w->r = status ? 0 : r;
    spar__weights_forget(w);
    return status;
}

void spar__weights_free(spar__weights *w)
{
    spar__free(w->R);
    spar__free(w->z);
    spar__free(w->lost);
    *w = (spar__weights){0};
}

void spar__weights_forget(spar__weights *w)
{
    for (size_t i = 0; i < w->r; i++) {
        memset(w->R + i * w->stride, 0, w->stride * sizeof *w->R);
        w->R[i * w->stride + i] = 1;
        w->z[i] = w->lost[i] = 0;
    }
}

spar_status spar__weights_grow(spar__weights *w, size_t capacity)
{
    if (w->R && capacity <= w->stride)
        return SPAR_OK;
    if (capacity > SIZE_MAX / 16 || (capacity && spar__padded(capacity) > SIZE_MAX / 8 / spar__padded(capacity)))
        return SPAR_NOMEM;
    size_t stride = spar__padded(capacity);
    double *R = spar__alloc(stride * stride, sizeof *R), *z = spar__alloc(stride, sizeof *z);
    double *lost = spar__alloc(stride, sizeof *lost);
    if (!R || !z || !lost) {
        spar__free(R);
        spar__free(z);
        spar__free(lost);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < w->r; i++) {
        memcpy(R + i * stride, w->R + i * w->stride, w->r * sizeof *R);
        z[i] = w->z[i];
        lost[i] = w->lost[i];
    }
    spar__free(w->R);
    spar__free(w->z);
    spar__free(w->lost);
    w->R = R;
    w->z = z;
    w->lost = lost;
    w->stride = stride;
    return SPAR_OK;
}

void spar__weights_append(spar__weights *w)
{
    size_t i = w->r++;
    memset(w->R + i * w->stride, 0, w->stride * sizeof *w->R);
    w->R[i * w->stride + i] = 1;
    w->z[i] = w->lost[i] = 0;
}

void spar__weights_add(spar__weights *w, size_t count, const double *const *phi, const double *weight, const double *y,
                       double *work)
{
    double *target = work + count * w->stride;
    for (size_t i = 0; i < count; i++) {
        double root = sqrt(weight[i]), *row = work + i * w->stride;
        for (size_t j = 0; j < w->r; j++)
            row[j] = root * phi[i][j];
        memset(row + w->r, 0, (w->stride - w->r) * sizeof *row);
        target[i] = root * y[i];
    }
    spar__triangle_absorb(w->r, w->stride, w->R, w->z, count, work, target);
    for (size_t i = 0; i < count; i++) { /* what is left of the target is root times the miss */
        double size = weight[i] * (target[i] * target[i]), square = 0;
        for (size_t j = 0; j < w->r; j++)
            square += phi[i][j] * phi[i][j];
        size *= sqrt(square);
        for (size_t j = 0; j < w->r; j++)
            w->lost[j] += size * fabs(phi[i][j]);
    }
}

void spar__weights_solve(const spar__weights *w, size_t m, double *rhs)
{
    spar__triangle_back(w->r, w->stride, w->R, m, rhs);
}

void spar__weights_mean(const spar__weights *w, double *out)
{
    memcpy(out, w->z, w->r * sizeof *out);
    spar__weights_solve(w, 1, out);
}

void spar__weights_half(const spar__weights *w, size_t m, double *rhs)
{
    spar__triangle_forward(w->r, w->stride, w->R, m, rhs);
}
