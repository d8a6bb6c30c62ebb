/* steps.h - the part of each rule without chance: which choices a table of wins allows next, and how likely they are.
 * w[i * k + j] are the wins of i over j (ties are halves; the diagonal is not read), t >= 1 the round to choose for.
 * Pairs are k * k, at first * k + second. Every probability is exact up to rounding. */
#ifndef SPAR_TESTS_REFERENCE_STEPS_H
#define SPAR_TESTS_REFERENCE_STEPS_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>

/* mean +- sqrt(spread / n), spread being alpha log t; 1/2 for i = j; 2 and 0 for an unplayed pair */
double ref_upper(size_t k, const double *w, size_t i, size_t j, double spread);
double ref_lower(size_t k, const double *w, size_t i, size_t j, double spread);

/* remembered is the best of the round before or -1 for none; gives the best (or -1) to remember from now on. */
int ref_step_rucb(size_t k, const double *w, double t, double alpha, int remembered, double *prob);

/* batch (k): the arms of the visited batch; those that leave now are taken out. */
void ref_step_merge_rucb(size_t k, const double *w, double t, double alpha, double c, bool *batch, double *prob);

/* Merges n batches, smallest with largest, second smallest with second largest, ... (ties at random; an odd one stays):
 * batch b becomes part of the new batch into[b]. Gives the number of new batches. */
size_t ref_merge_batches(size_t n, const size_t *size, size_t *into, gsl_rng *rng);

/* first (k) is C; second (k * k): the arms allowed against each first arm, in C or not. */
void ref_step_dts(size_t k, const double *w, double t, double alpha, bool *first, bool *second);

/* The whole choice, with its chance (dts.c). */
void ref_draw_dts(size_t k, const double *w, double t, double alpha, size_t *first, size_t *second, gsl_rng *rng);

/* information (k): I; best (k): the argmins of I, all i* in a tie (sums within 1e-9); opponent (k * k): row i has the
 * probabilities of the opponents of i when i is next in the list; likely (k): I_j - min I <= log t + f k^power. Every
 * pair must have been played. */
void ref_step_rmed1(size_t k, const double *w, double t, double f, double power, double *information, bool *best,
                    double *opponent, bool *likely);

/* remaining (k): those that leave now are taken out. allowed (k * k): the pairs in a tie for the next duel, in both
 * orders; the pair (a, a) when a alone remains. */
void ref_step_savage(size_t k, const double *w, double horizon, bool *remaining, bool *allowed);

/* narrow, wide, played (k): E, F and the arms shown. */
void ref_step_mdb(size_t k, const double *w, double t, double alpha, double beta, bool *narrow, bool *wide,
                  bool *played);

#endif
