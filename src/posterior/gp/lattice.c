#include "posterior/gp/lattice.h"

#include "base/alloc.h"
#include "base/order.h"

#include <stdint.h>
#include <stdlib.h>

/* The distinct values of a feature, sorted. They are collected in a table that loses its doubles whenever it is full,
 * and grows when that does not help: most often they are few. */
static spar_status find_values(const spar__gp_points *points, size_t d, size_t *n, double **out)
{
    size_t count = 0, room = 1024;
    double *value = spar__alloc(room, sizeof *value);
    for (size_t i = 0; value && i < points->n; i++) {
        value[count++] = points->x[i * points->dim + d];
        if (count < room)
            continue;
        count = spar__distinct(count, value);
        if (count > room / 2) {
            double *larger = spar__realloc(value, count, 2 * room, sizeof *value);
            if (!larger)
                spar__free(value);
            value = larger;
            room *= 2;
        }
    }
    *out = value;
    *n = value ? spar__distinct(count, value) : 0;
    return value ? SPAR_OK : SPAR_NOMEM;
}

static spar_status find_axes(const spar__gp_points *points, spar__lattice *out)
{
    out->d = points->dim;
    out->cells = 1;
    if (points->dim > SPAR__KRON_AXES)
        return SPAR_UNSUPPORTED;
    for (size_t d = 0; d < points->dim; d++) {
        spar_status status = find_values(points, d, &out->n[d], &out->value[d]);
        if (status)
            return status;
        if (out->n[d] > 2 * points->n / out->cells)
            return SPAR_UNSUPPORTED;
        out->cells *= out->n[d];
    }
    return SPAR_OK;
}

static size_t cell_of(const spar__lattice *a, size_t dim, const double *x)
{
    size_t cell = 0;
    for (size_t d = 0; d < dim; d++) {
        const double *at = bsearch(x + d, a->value[d], a->n[d], sizeof *x, spar__by_value);
        cell = cell * a->n[d] + (size_t)(at - a->value[d]);
    }
    return cell;
}

/* Points are sorted as the cells of a complete grid are numbered. */
static spar_status number_cells(spar__lattice *self, const spar__gp_points *points)
{
    if (self->cells == points->n)
        return SPAR_OK;
    self->cell = spar__alloc(points->n, sizeof *self->cell);
    self->point = spar__alloc(self->cells, sizeof *self->point);
    if (!self->cell || !self->point)
        return SPAR_NOMEM;
    for (size_t c = 0; c < self->cells; c++)
        self->point[c] = SIZE_MAX;
    for (size_t p = 0; p < points->n; p++) {
        self->cell[p] = cell_of(self, points->dim, points->x + p * points->dim);
        self->point[self->cell[p]] = p;
    }
    return SPAR_OK;
}

spar_status spar__lattice_find(const spar__gp_points *points, spar__lattice *out)
{
    *out = (spar__lattice){0};
    spar_status status = find_axes(points, out);
    if (!status)
        status = number_cells(out, points);
    if (status)
        spar__lattice_free(out);
    return status;
}

void spar__lattice_free(spar__lattice *lattice)
{
    for (size_t d = 0; d < SPAR__KRON_AXES; d++)
        spar__free(lattice->value[d]);
    spar__free(lattice->cell);
    spar__free(lattice->point);
    *lattice = (spar__lattice){0};
}
