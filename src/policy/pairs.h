/* pairs.h - who beat whom, and how often: the state of most dueling policies that are not made of bandits.
 *
 * W[i][j] wins of i over j, a tie half a win for each; N = W + W^T. An arm beside itself teaches nothing. */
#ifndef SPAR_POLICY_PAIRS_H
#define SPAR_POLICY_PAIRS_H

#include "policy/policy.h"

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

#endif
