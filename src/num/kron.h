/* kron.h - a separable kernel on a product grid: one basis per axis, and the products of their columns that matter.
 *
 *     phi(i_1 .. i_d) = (phi_1[i_1][j_1] ... phi_d[i_d][j_d])  for the kept (j_1 .. j_d)
 *
 * Left out are products whose largest squares, added up, stay within the tolerance. Grid points are numbered with the
 * last axis running fastest. Values of the whole grid cost n_1 .. n_d times the rank of the last axis, so a grid of a
 * million points takes milliseconds, and little memory when it is done slab by slab. */
#ifndef SPAR_NUM_KRON_H
#define SPAR_NUM_KRON_H

#include "num/basis.h"

enum { SPAR__KRON_AXES = 6 };

typedef struct spar__kron {
    size_t d;
    spar__basis axis[SPAR__KRON_AXES]; /* n points and r columns each */
    double *last;                      /* the last axis's basis by columns */
    size_t points;                     /* of the grid */
    size_t cells;                      /* product of the axes' ranks */
    size_t r;
    size_t *cell;    /* of each kept product, its place among all of them: the last axis runs fastest */
    size_t *column;  /* r x d: its columns */
    double residual; /* largest variance left out, of any point */
} spar__kron;

/* coordinate[a]: the n[a] distinct values of axis a; kernel separable, of d = kernel->dim <= SPAR__KRON_AXES. Tolerance
 * and max_rank as in basis.h. */
spar_status spar__kron_make(const spar__kernel *kernel, const size_t *n, const double *const *coordinate,
                            double tolerance, size_t max_rank, spar__kron *out);
void spar__kron_free(spar__kron *kron);

/* phi of a grid point, r values. */
void spar__kron_row(const spar__kron *kron, size_t point, double *phi);

/* The weights w[j * stride] of the products j, as a table of all cells, zero for those left out. */
void spar__kron_spread(const spar__kron *kron, const double *w, size_t stride, double *table);

/* A table in the place of an axis's basis: the values of its r columns at n places. */
typedef struct spar__kron_side {
    size_t n;
    const double *value; /* n x r; of the last axis r x n */
    size_t stride;       /* numbers from one row of it to the next */
} spar__kron_side;

/* The places from .. from + n - 1 of axis a itself. */
spar__kron_side spar__kron_part(const spar__kron *kron, size_t a, size_t from, size_t n);

/* out = phi w for all combinations of the places of d sides, the last one running fastest; `table` is w spread out. A
 * value has the same bits whichever others are computed with it. work has spar__kron_work(kron, side) places. */
void spar__kron_apply(const spar__kron *kron, const spar__kron_side *side, const double *table, double *work,
                      double *out);
size_t spar__kron_work(const spar__kron *kron, const spar__kron_side *side);

#endif
