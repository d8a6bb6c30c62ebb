/* subset.h - arms of which one beats all others: a fresh random subset in every run, or all of them. */
#ifndef SPAR_ENV_SUBSET_H
#define SPAR_ENV_SUBSET_H

#include "env/env.h"
#include "env/matrix_read.h"

/* The arms of a run: k of the matrices' arms with a Condorcet winner in each matrix, one phase a matrix. Subsets are
 * drawn from (seed, run) until one has; world->redrawn counts the others. order, with room for all arms, says which arm
 * of the matrices each of the k is. `what` is for the sentence that gives up. */
spar_status spar__subset_start(const spar__matrix *matrix, size_t matrices, size_t k, uint64_t every, uint64_t seed,
                               uint64_t run, const char *what, size_t *order, spar_world *world, spar_error *err);

/* The share of all subsets of k arms that have a Condorcet winner: a subset has when the winner's company is k - 1 of
 * the w arms that it beats, so that the share is the sum over arms of C(w, k - 1) / C(n, k). */
double spar__subset_share(const spar__matrix *matrix, size_t k);

/* No arm beats all others: says so, and names those that beat everyone else. */
spar_status spar__refuse_cycle(const char *what, const spar__matrix *matrix, spar_error *err);

#endif
