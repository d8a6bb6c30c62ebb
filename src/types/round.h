/* round.h - the inside of a round. */
#ifndef SPAR_TYPES_ROUND_H
#define SPAR_TYPES_ROUND_H

#include <spar/round.h>

#include <stdint.h>

enum { SPAR__MEMO = 8 };

struct spar_round {
    size_t m;
    size_t capacity;
    size_t *arm;              /* m arms, slot by slot; an arm may stand in several slots */
    double *prob;             /* the probability with which each slot's arm was drawn; 1 where it does not matter */
    int64_t memo[SPAR__MEMO]; /* the policy's own note to itself; all 0 in a round that no policy asked */
    size_t dim;               /* numbers per point; 0 in a finite space */
    double *x;                /* the points of the slots, m x dim, in a continuous space */
    size_t x_room;            /* numbers that x can hold */
    bool asked;               /* a policy chose it */
};

/* Room for at least capacity slots, with what is there kept; slots that are new hold arm 0 and probability 0. */
spar_status spar__round_reserve(spar_round *round, size_t capacity);

/* Points of dim numbers for as many slots as there is room for; what x held before is lost. 0: no points. */
spar_status spar__round_set_dim(spar_round *round, size_t dim);

#endif
