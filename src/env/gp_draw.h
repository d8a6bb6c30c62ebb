/* gp_draw.h - functions drawn from a Gaussian process on a grid of the unit interval or square: mean 0, variance 1,
 * squared exponential kernel. The same stream gives the same bits on every CPU. */
#ifndef SPAR_ENV_GP_DRAW_H
#define SPAR_ENV_GP_DRAW_H

#include "num/kernel.h"
#include "sampler/rng.h"

typedef struct spar__gp_draw {
    size_t points, dim;
    spar__basis basis; /* of an axis */
    double *columns;   /* the same by columns */
} spar__gp_draw;

/* points >= 2 along each of dim (1 or 2) axes. */
spar_status spar__gp_draw_init(spar__gp_draw *draw, size_t points, size_t dim, double length, spar_error *err);
void spar__gp_draw_free(spar__gp_draw *draw);

/* A draw at all points^dim points, the last axis running fastest. Fails only when out of memory. */
spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out);

#endif
