/* spread.h - the standard deviations of all points of a product grid. */
#ifndef SPAR_POSTERIOR_GP_SPREAD_H
#define SPAR_POSTERIOR_GP_SPREAD_H

#include "posterior/gp/lattice.h"

/* sd of each of the `points` points of a lattice whose basis is kron. */
spar_status spar__grid_deviations(const spar__kron *kron, const spar__lattice *lattice, const spar__weights *w,
                                  size_t points, spar_scratch *scratch, double *sd);

#endif
