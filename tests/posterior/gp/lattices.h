/* lattices.h - product grids to try things on, with or without holes. */
#ifndef SPAR_TESTS_POSTERIOR_GP_LATTICES_H
#define SPAR_TESTS_POSTERIOR_GP_LATTICES_H

#include "base/alloc.h"
#include "posterior/gp/grid.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Axes of n values from 0 to 1, uneven if bow is not 1; about one cell in `holes` is no point (0: all are). Returns the
 * number of points. */
static inline size_t lattice_make(spar__lattice *out, size_t d, const size_t *n, double bow, size_t holes)
{
    *out = (spar__lattice){.d = d, .cells = 1};
    for (size_t a = 0; a < d; a++) {
        out->n[a] = n[a];
        out->cells *= n[a];
        out->value[a] = spar__alloc(n[a], sizeof(double));
        for (size_t i = 0; i < n[a]; i++)
            out->value[a][i] = pow((double)i / (double)(n[a] > 1 ? n[a] - 1 : 1), bow);
    }
    if (!holes)
        return out->cells;
    out->point = spar__alloc(out->cells, sizeof *out->point);
    out->cell = spar__alloc(out->cells, sizeof *out->cell);
    size_t points = 0;
    for (size_t c = 0; c < out->cells; c++) {
        bool hole = c * 2654435761u / 64 % holes == 0;
        out->point[c] = hole ? SIZE_MAX : points;
        out->cell[points] = c;
        points += !hole;
    }
    return points;
}

#endif
