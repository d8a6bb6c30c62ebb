/* subset.h - the arms of a run that come from a matrix: a fresh random subset in which one beats all others, or all. */
#ifndef SPAR_ENV_SUBSET_H
#define SPAR_ENV_SUBSET_H

#include "env/env.h"
#include "env/matrix_read.h"

/* The arms of a run: k of the matrices' arms, one phase a matrix, drawn from (seed, run). Where a `winner` is wanted
 * they are drawn until each matrix has a Condorcet winner; world->redrawn counts the others. order, with room for all
 * arms, says which arm of the matrices each of the k is. `what` is for the sentence that gives up. */
spar_status spar__subset_start(const spar__matrix *matrix, size_t matrices, size_t k, uint64_t every, uint64_t seed,
                               uint64_t run, bool winner, const char *what, size_t *order, spar_world *world,
                               spar_error *err);

/* The share of all subsets of k arms that have a Condorcet winner: a subset has when the winner's company is k - 1 of
 * the w arms that it beats, so that the share is the sum over arms of C(w, k - 1) / C(n, k). */
double spar__subset_share(const spar__matrix *matrix, size_t k);

/* Where no arm beats all others: a clause that says so and names the top cycle, which the caller frees; else NULL. */
spar_status spar__cycle_text(const char *what, const spar__matrix *matrix, char **out, spar_error *err);

#endif
