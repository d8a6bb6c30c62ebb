/* prior.h - exact draws of a Gaussian process at all points, before anything is known of them.
 *
 * On a product grid and with a separable kernel the covariance is a product of those of the axes: a draw is normals,
 * multiplied by the triangle of one axis after the other (a million points on 1000 x 1000: two products). Otherwise all
 * points together are one axis. With axes of n_a points a draw costs n_1 .. n_d times their sum, and init the sum of
 * their cubes. */
#ifndef SPAR_POSTERIOR_GP_PRIOR_H
#define SPAR_POSTERIOR_GP_PRIOR_H

#include "posterior/gp/lattice.h"

enum { SPAR__PRIOR_AXIS = 4096, SPAR__PRIOR_CELLS = 1 << 22 }; /* at most: points of an axis; points */

typedef struct spar__prior {
    const spar__gp_model *model;
    spar__lattice lattice; /* of no axes when the points are no grid */
    size_t d;
    size_t n[SPAR__KRON_AXES];
    double *triangle[SPAR__KRON_AXES]; /* of the last axis T, of the others T transposed: see num/cholesky.h */
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
