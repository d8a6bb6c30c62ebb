/* grid.h - points on a product grid: some values for each feature, and at least half of their combinations. */
#ifndef SPAR_POSTERIOR_GP_GRID_H
#define SPAR_POSTERIOR_GP_GRID_H

#include "num/kernel.h"
#include "posterior/gp/gp.h"

typedef struct spar__lattice {
    size_t d;                       /* axes */
    size_t n[SPAR__KRON_AXES];      /* values of each ... */
    double *value[SPAR__KRON_AXES]; /* ... and which, rising */
    size_t cells;                   /* combinations, numbered with the last axis running fastest */
    size_t *cell;                   /* of each point ... */
    size_t *point; /* ... and of each cell, SIZE_MAX where there is none; both NULL when the grid is complete */
} spar__lattice;

/* SPAR_UNSUPPORTED when the points are on no such grid. */
spar_status spar__lattice_find(const spar__gp_points *points, spar__lattice *out);
void spar__lattice_free(spar__lattice *lattice);

/* The standard deviation of each of the `points` points of a lattice whose basis is kron. */
spar_status spar__grid_deviations(const spar__kron *kron, const spar__lattice *lattice, const spar__weights *w,
                                  size_t points, spar_scratch *scratch, double *sd);

/* The largest value of phi w on a large product grid, without evaluating all of it. */

/* An axis in blocks: block b has the places edge[b] .. edge[b + 1] - 1, the last one also edge[blocks]. */
typedef struct spar__peak_axis {
    size_t blocks;
    size_t widest; /* places of the largest block */
    size_t *edge;
    double *corner;     /* the basis at the edges */
    double *low, *high; /* of each block: see grid_argmax.c */
} spar__peak_axis;

typedef struct spar__peak {
    const spar__kron *kron;
    const spar__lattice *lattice;
    spar__peak_axis axis[SPAR__KRON_AXES];
    size_t corners, blocks; /* of the grid; no blocks: evaluating all points is as fast */
    double rounding;        /* relative to the sum of the sizes of what is added */
} spar__peak;

/* For a basis and its grid, which are borrowed. Width: places of a block; 0 chooses, and may choose no blocks. */
spar_status spar__peak_make(const spar__kron *kron, const spar__lattice *lattice, size_t width, spar__peak *out);
void spar__peak_free(spar__peak *peak);

/* `table` is w spread out (num/kernel.h). The largest among the open points goes to *max, which is new. `found`
 * becomes false, and *max stays as it was, when too few points can be left out for this to pay. */
spar_status spar__peak_find(const spar__peak *peak, spar_scratch *scratch, spar_rng *rng, const double *table,
                            const bool *open, spar__gp_max *max, bool *found);

/* Exact draws of a Gaussian process at all points, before anything is known of them.
 *
 * On a product grid and with a separable kernel the covariance is a product of those of the axes: a draw is normals,
 * multiplied by the triangle of one axis after the other (a million points on 1000 x 1000: two products). Otherwise all
 * points together are one axis. With axes of n_a points a draw costs n_1 .. n_d times their sum, and init the sum of
 * their cubes. */

enum { SPAR__PRIOR_AXIS = 4096, SPAR__PRIOR_CELLS = 1 << 22 }; /* at most: points of an axis; points */

typedef struct spar__prior {
    const spar__gp_model *model;
    spar__lattice lattice; /* of no axes when the points are no grid */
    size_t d;
    size_t n[SPAR__KRON_AXES];
    double *triangle[SPAR__KRON_AXES]; /* of the last axis T, of the others T transposed: see num/kernel.h */
    size_t cells;                      /* product of n: points, and holes of the grid */
    size_t near, far;                  /* cells = near x far: those of the first axes, and of the others */
    size_t split;                      /* how many axes are the first ones */
} spar__prior;

/* SPAR_UNSUPPORTED, with a sentence, when there are too many points. fini is fine after a failure. */
spar_status spar__prior_init(spar__prior *prior, const spar__gp_model *model, spar_error *err);
void spar__prior_fini(spar__prior *prior);

static inline size_t spar__prior_cell(const spar__prior *prior, size_t point)
{
    return prior->lattice.cell ? prior->lattice.cell[point] : point;
}

/* One draw at every cell; work has as many places. */
void spar__prior_draw(const spar__prior *prior, spar_rng *rng, double *value, double *work);

/* k(u, cell) = near[i] far[j] for cell i x far + j. */
void spar__prior_reach(const spar__prior *prior, const double *u, double *near, double *far);

#endif
