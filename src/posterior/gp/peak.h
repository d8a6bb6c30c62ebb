/* peak.h - the largest value of phi w on a large product grid, without evaluating all of it. */
#ifndef SPAR_POSTERIOR_GP_PEAK_H
#define SPAR_POSTERIOR_GP_PEAK_H

#include "posterior/gp/lattice.h"

/* An axis in blocks: block b has the places edge[b] .. edge[b + 1] - 1, the last one also edge[blocks]. */
typedef struct spar__peak_axis {
    size_t blocks;
    size_t widest; /* places of the largest block */
    size_t *edge;
    double *corner;     /* the basis at the edges */
    double *low, *high; /* of each block: see peak.c */
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

/* `table` is w spread out (kron.h). The largest among the open points goes to *max, which is new. `found`
 * becomes false, and *max stays as it was, when too few points can be left out for this to pay. */
spar_status spar__peak_find(const spar__peak *peak, spar_scratch *scratch, spar_rng *rng, const double *table,
                            const bool *open, spar__gp_max *max, bool *found);

#endif
