/* pairs.h - who beat whom, and how often: the state of most dueling policies that are not made of bandits.
 *
 * W[i][j] wins of i over j, a tie half a win for each; N = W + W^T. An arm beside itself teaches nothing. */
#ifndef SPAR_POLICY_PAIRS_H
#define SPAR_POLICY_PAIRS_H

#include "policy/policy.h"

#include <math.h>

typedef struct spar__pairs {
    size_t n;
    double *w; /* n x n */
} spar__pairs;

spar_status spar__pairs_init(spar__pairs *pairs, size_t n, spar_error *err);
void spar__pairs_fini(spar__pairs *pairs);

/* Adds every answered pair of a round, each worth `weight`. */
void spar__pairs_learn(spar__pairs *pairs, const spar_round *round, const spar_feedback *feedback, double weight);

void spar__pairs_archive(spar__pairs *pairs, spar__archive *ar);

/* For every arm, how many others it has beaten more often than not; even or unplayed pairs count half. */
void spar__pairs_score(const spar__pairs *pairs, double *score);

static inline double spar__pairs_won(const spar__pairs *pairs, size_t i, size_t j)
{
    return pairs->w[i * pairs->n + j];
}

static inline double spar__pairs_played(const spar__pairs *pairs, size_t i, size_t j)
{
    return pairs->w[i * pairs->n + j] + pairs->w[j * pairs->n + i];
}

/* The upper confidence bound W/N + sqrt(x/N) with x = alpha log t; 1/2 against itself, 2 for an unplayed pair. */
static inline double spar__pairs_upper(const spar__pairs *pairs, size_t i, size_t j, double x)
{
    double n = spar__pairs_played(pairs, i, j);
    return i == j ? 0.5 : n > 0 ? spar__pairs_won(pairs, i, j) / n + sqrt(x / n) : 2;
}

/* How clearly i is behind j: its upper bound is >= 1/2 iff x >= this, > 1/2 iff x > this (and the lower bound of j
 * over i is <= 1/2 iff x >= this). That is (N/2 - W)^2 / N when i is behind, 0 when they are even, -1 when i is ahead
 * or the pair unplayed. Only for i != j. */
static inline double spar__pairs_behind(const spar__pairs *pairs, size_t i, size_t j)
{
    double won = spar__pairs_won(pairs, i, j), lost = spar__pairs_won(pairs, j, i), gap = 0.5 * (lost - won);
    return gap > 0 ? gap * gap / (won + lost) : gap < 0 || won == 0 ? -1 : 0;
}

/* The largest of these over all opponents of i, -1 without one: all its upper bounds are >= 1/2 iff x >= this. */
double spar__pairs_most_behind(const spar__pairs *pairs, size_t i);
void spar__pairs_most_behind_all(const spar__pairs *pairs, double *most); /* of every arm */

/* The same, given what it was before the pair of i and j changed, and what spar__pairs_behind was: only if that was the
 * largest and has become less do the others matter. */
static inline double spar__pairs_most_behind_now(const spar__pairs *pairs, size_t i, size_t j, double old, double most)
{
    double now = spar__pairs_behind(pairs, i, j);
    return now >= most ? now : old < most ? most : spar__pairs_most_behind(pairs, i);
}

#endif
