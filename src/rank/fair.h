/* fair.h - the linear programme of optimised interleaving. */
#ifndef SPAR_RANK_FAIR_H
#define SPAR_RANK_FAIR_H

#include <spar/status.h>

#include <stddef.h>

/* Weights p of n >= 1 columns, p >= 0 and of sum 1, for which the bias sum_c |sum_l a[c n + l] p_l| over the rows is
 * smallest, and among those sum_l cost_l p_l is smallest. *bias is what is left of it. */
spar_status spar__fair_weights(size_t rows, size_t n, const double *a, const double *cost, double *p, double *bias);

#endif
