/* shares.h - a tree of sums over weights: draws an arm by its share in O(log n).
 *
 * A node is the sum of its two children, a leaf the sum of a block of weights. A change computes all sums on the path
 * to the root again, so that no error accumulates and the tree is a function of the weights alone. */
#ifndef SPAR_MAB_SHARES_H
#define SPAR_MAB_SHARES_H

#include "types/arms.h"

#include <stddef.h>

typedef struct spar__shares {
    const double *weight;  /* of each arm, >= 0; borrowed */
    const spar_arms *arms; /* retired ones have no share; borrowed, as a table: its flags may move */
    size_t n;
    size_t leaves; /* blocks, a power of two */
    double *sum;   /* 2 leaves: the children of i are 2 i and 2 i + 1, the root is 1 */
    size_t *live;  /* arms alive below each node */
} spar__shares;    /* zeroed at first */

/* Room for n arms; on failure everything is as before. Build afterwards. */
spar_status spar__shares_fit(spar__shares *shares, size_t n);
void spar__shares_free(spar__shares *shares);

void spar__shares_build(spar__shares *shares, size_t n, const double *weight, const spar_arms *arms);

/* Arm i, of n by now, came or retired, and there is room: as if all were built again. */
void spar__shares_follow(spar__shares *shares, size_t n, size_t i);

/* The weight of arm i has changed. */
void spar__shares_change(spar__shares *shares, size_t i);

static inline double spar__shares_total(const spar__shares *shares)
{
    return shares->sum[1];
}

/* The arm at u, 0 <= u < total, when the weights of the live arms are laid side by side. */
size_t spar__shares_at(const spar__shares *shares, double u);

/* Live arm number `place`. */
size_t spar__shares_live(const spar__shares *shares, size_t place);

#endif
