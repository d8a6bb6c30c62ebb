#include "num/newton.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

spar_status spar__newton_grow(spar__newton *basis, size_t dim, size_t capacity)
{
    if (basis->T && capacity <= basis->stride)
        return SPAR_OK;
    if (capacity > SIZE_MAX / 16 || (capacity && spar__padded(capacity) > SIZE_MAX / 8 / spar__padded(capacity)))
        return SPAR_NOMEM;
    size_t stride = spar__padded(capacity);
    double *T = spar__alloc(stride * stride, sizeof *T);
    double *u = T ? spar__realloc(basis->u, basis->r * dim, stride * dim, sizeof *u) : NULL;
    if (!u) {
        spar__free(T);
        return SPAR_NOMEM;
    }
    for (size_t i = 0; i < basis->r; i++)
        memcpy(T + i * stride, basis->T + i * basis->stride, basis->r * sizeof *T);
    spar__free(basis->T);
    basis->T = T;
    basis->u = u;
    basis->stride = stride;
    return SPAR_OK;
}

void spar__newton_free(spar__newton *basis)
{
    spar__free(basis->T);
    spar__free(basis->u);
    *basis = (spar__newton){.tolerance = basis->tolerance};
}

void spar__newton_forget(spar__newton *basis)
{
    for (size_t i = 0; i < basis->r; i++)
        memset(basis->T + i * basis->stride, 0, basis->r * sizeof *basis->T);
    basis->r = 0;
}

double spar__newton_at(const spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi)
{
    spar__kernel_row(kernel, x, basis->r, basis->u, phi);
    spar__triangle_forward(basis->r, basis->stride, basis->T, 1, phi);
    double rest = spar__kernel_at(kernel, x, x);
    for (size_t i = 0; i < basis->r; i++)
        rest -= phi[i] * phi[i];
    return fmax(rest, 0);
}

void spar__newton_columns(const spar__newton *basis, const spar__kernel *kernel, size_t n, const double *x, double *phi,
                          double *rest)
{
    size_t lanes = spar__padded(n);
    for (size_t i = 0; i < basis->r; i++) {
        spar__kernel_row(kernel, basis->u + i * kernel->dim, n, x, phi + i * lanes);
        memset(phi + i * lanes + n, 0, (lanes - n) * sizeof *phi);
    }
    spar__triangle_forward(basis->r, basis->stride, basis->T, lanes, phi);
    for (size_t j = 0; rest && j < n; j++) {
        rest[j] = spar__kernel_at(kernel, x + j * kernel->dim, x + j * kernel->dim);
        for (size_t i = 0; i < basis->r; i++)
            rest[j] -= phi[i * lanes + j] * phi[i * lanes + j];
        rest[j] = fmax(rest[j], 0);
    }
}

void spar__newton_values(const spar__newton *basis, size_t m, const double *w, double *value)
{
    spar__product(m, basis->r, basis->r, w, basis->r, basis->T, basis->stride, value, basis->r);
}

double spar__newton_append(spar__newton *basis, const spar__kernel *kernel, const double *x, double *phi)
{
    double whole = spar__kernel_at(kernel, x, x), rest = spar__newton_at(basis, kernel, x, phi);
    if (rest <= basis->tolerance * whole)
        return rest;
    size_t r = basis->r++;
    phi[r] = sqrt(rest + SPAR__NEWTON_NUGGET * whole);
    for (size_t i = 0; i <= r; i++)
        basis->T[i * basis->stride + r] = phi[i];
    memcpy(basis->u + r * kernel->dim, x, kernel->dim * sizeof *x);
    return 0;
}
