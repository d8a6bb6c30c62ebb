/* lattice.h - points on a product grid: some values for each feature, and at least half of their combinations. */
#ifndef SPAR_POSTERIOR_GP_LATTICE_H
#define SPAR_POSTERIOR_GP_LATTICE_H

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

/* spread.c: the standard deviation of each of the `points` points of a lattice whose basis is kron. */
spar_status spar__grid_deviations(const spar__kron *kron, const spar__lattice *lattice, const spar__weights *w,
                                  size_t points, spar_scratch *scratch, double *sd);

#endif
