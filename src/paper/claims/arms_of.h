/* arms_of.h - the preferences of an environment's arms, best arm first where there is an order. */
#ifndef SPAR_PAPER_CLAIMS_ARMS_OF_H
#define SPAR_PAPER_CLAIMS_ARMS_OF_H

#include <spar/env.h>

/* The matrix of its first world, n x n, the caller's to free, and the best arm. */
spar_status spar__arms_of(const char *env, size_t *n, double **p, size_t *best, spar_error *err);

/* What at least must be paid for each unit of ln T by whoever shows two arms a round and finds the best one in all such
 * problems: sum over arms i of the least (phi(1,i) + phi(1,j)) / d(P_ij, 1/2) over arms j that beat i. (Komiyama,
 * Honda, Kashima, Nakagawa 2015; there a round costs the mean of its two slots, here their sum.) */
double spar__duel_bound(size_t n, const double *p, size_t best);

#endif
