/* utility_gp.h - the inside of a taste: for decide, which tells it answers, and for a belief that asks for its lengths.
 */
#ifndef SPAR_NUM_UTILITY_GP_H
#define SPAR_NUM_UTILITY_GP_H

#include "num/kernel.h"
#include "num/laplace.h"

#include <spar/taste.h>

enum { SPAR__TASTE_LENGTHS = 6, SPAR__TASTE_SCALES = 4, SPAR__TASTE_CELLS = SPAR__TASTE_LENGTHS * SPAR__TASTE_SCALES };

/* A pair of points, and how often the first was preferred. */
typedef struct spar__taste_duel {
    size_t a, b;
    double won, lost;
} spar__taste_duel;

/* One length with one scale. */
typedef struct spar__taste_cell {
    double size, scale; /* length and scale */
    double *length;     /* dim values */
    double weight;      /* in the mixture; 0: left out */
    double *alpha;      /* the mean of f at x is sum_i alpha_i k(x, u_i), less: */
    double middle;      /* its mean over the points of reference */
    double *centre;     /* r: the mean of their coordinates */
    spar__newton basis;
    spar__laplace posterior;
} spar__taste_cell;

struct spar_taste {
    size_t dim, references, axes;
    size_t *axis;  /* of each of the dim numbers */
    double *shape; /* of each axis: its length is so many times that of the cell */
    size_t first;  /* the duels before it are left out */
    double told;   /* duels, by weight */
    double *x;     /* n x dim: those of reference first */
    size_t n, room;
    spar__taste_duel *duel;
    size_t duels, duel_room;
    spar__taste_cell cell[SPAR__TASTE_CELLS];
    bool computed;
};

/* The number of a point, which is added if it is new. */
spar_status spar__taste_point(spar_taste *taste, const double *x, size_t *out);

/* A point was preferred to another so many times, and the other so many times to it. */
spar_status spar__taste_duel_add(spar_taste *taste, size_t a, size_t b, double won, double lost);

/* The kernel of a cell. */
static inline spar__kernel spar__taste_kernel(const spar_taste *taste, const spar__taste_cell *cell)
{
    return (spar__kernel){SPAR__KERNEL_SE, taste->dim, cell->length, cell->scale * cell->scale};
}

#endif
