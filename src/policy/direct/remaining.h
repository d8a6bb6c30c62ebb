/* remaining.h - the arms that remain, of a policy that eliminates.
 *
 * They are listed in the order of their indices, so that the list is a function of the set, however it came about. */
#ifndef SPAR_POLICY_REMAINING_H
#define SPAR_POLICY_REMAINING_H

#include "policy/policy.h"

#include "base/alloc.h"

#include <string.h>

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

static inline size_t spar__remaining_random(const spar__remaining *remaining, spar_rng *rng)
{
    return remaining->arm[spar_rng_below(rng, remaining->left)];
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
