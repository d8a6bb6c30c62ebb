/* direct.h - what policies with their own counts share: confidence bounds and scores from counts of pairs, the arms
 * that remain of a policy that eliminates, and eight 16-bit numbers at a time.
 *
 * W wins, N = W + W^T duels. x is alpha log t, or whatever a rule puts into the root. Only live arms are opponents:
 * `alive` has a flag for every arm of the counts. */
#ifndef SPAR_POLICY_DIRECT_DIRECT_H
#define SPAR_POLICY_DIRECT_DIRECT_H

#include "base/alloc.h"
#include "policy/policy.h"
#include "sampler/rng.h"
#include "types/feedback.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The upper confidence bound W/N + sqrt(x/N); 1/2 against itself, 2 for an unplayed pair. */
static inline double spar__upper_bound(const spar_pair_counts *counts, size_t i, size_t j, double x)
{
    double n = spar__played(counts, i, j);
    return i == j ? 0.5 : n > 0 ? spar__won(counts, i, j) / n + sqrt(x / n) : 2;
}

/* How clearly i is behind j: its upper bound is >= 1/2 iff x >= this, > 1/2 iff x > this (and the lower bound of j
 * over i is <= 1/2 iff x >= this). That is (N/2 - W)^2 / N when i is behind, 0 when they are even, -1 when i is ahead
 * or the pair unplayed. Only for i != j. */
static inline double spar__behind(const spar_pair_counts *counts, size_t i, size_t j)
{
    double won = spar__won(counts, i, j), lost = spar__won(counts, j, i), gap = 0.5 * (lost - won);
    return gap > 0 ? gap * gap / (won + lost) : gap < 0 || won == 0 ? -1 : 0;
}

/* The largest of these over all live opponents of i, -1 without one: all its upper bounds are >= 1/2 iff x >= this. */
double spar__most_behind(const spar_pair_counts *counts, const bool *alive, size_t i);

/* Of every arm; infinite for a retired one. */
void spar__most_behind_all(const spar_pair_counts *counts, const bool *alive, double *most);

/* The same after arm i came, retired or returned: the others matter only to an arm that was most behind i. */
void spar__most_behind_follow(const spar_pair_counts *counts, const bool *alive, size_t i, double *most);

/* The same after the pair of the live arms i and j has changed, given what it was before, and what spar__behind was:
 * only if that was the largest and has become less do the others matter. */
static inline double spar__most_behind_now(const spar_pair_counts *counts, const bool *alive, size_t i, size_t j,
                                           double old, double most)
{
    double now = spar__behind(counts, i, j);
    return now >= most ? now : old < most ? most : spar__most_behind(counts, alive, i);
}

/* For every arm, how many live others it has beaten more often than not; even or unplayed pairs count half. */
void spar__copeland_score(const spar_pair_counts *counts, const bool *alive, double *score);

/* The same as the score of a policy, whose class says where its counts are. */
spar_status spar__counts_score(const spar_policy *self, spar_scratch *scratch, double *score);

/* --- The arms that remain, of a policy that eliminates ---
 *
 * They are listed in the order of their indices, so that the list is a function of the set, however it came about. */

typedef struct spar__remaining {
    size_t left, *arm; /* those that remain */
    bool *in;          /* of every arm: does it remain? */
} spar__remaining;

static inline void spar__remaining_list(spar__remaining *remaining, size_t n)
{
    remaining->left = 0;
    for (size_t i = 0; i < n; i++)
        if (remaining->in[i])
            remaining->arm[remaining->left++] = i;
}

/* All live arms. */
static inline spar_status spar__remaining_init(spar__remaining *remaining, const spar_arms *arms, spar_error *err)
{
    remaining->arm = spar__alloc(arms->n, sizeof *remaining->arm);
    remaining->in = spar__alloc(arms->n, sizeof *remaining->in);
    if (!remaining->arm || !remaining->in)
        return spar__fail_memory(err);
    memcpy(remaining->in, arms->alive, arms->n * sizeof *remaining->in);
    spar__remaining_list(remaining, arms->n);
    return SPAR_OK;
}

static inline void spar__remaining_fini(spar__remaining *remaining)
{
    spar__free(remaining->arm);
    spar__free(remaining->in);
}

static inline void spar__remaining_remove(spar__remaining *remaining, size_t arm)
{
    size_t k = 0;
    while (remaining->arm[k] != arm)
        k++;
    memmove(remaining->arm + k, remaining->arm + k + 1, (remaining->left - k - 1) * sizeof *remaining->arm);
    remaining->left--;
    remaining->in[arm] = false;
}

static inline void spar__remaining_archive(spar__remaining *remaining, const spar_arms *arms, spar__archive *ar)
{
    spar__archive_bools(ar, remaining->in, arms->n);
    if (!ar->loading)
        return;
    for (size_t i = 0; i < arms->n; i++)
        spar__archive_check(ar, arms->alive[i] || !remaining->in[i]);
    spar__remaining_list(remaining, arms->n);
    spar__archive_check(ar, remaining->left > 0);
}

#endif
