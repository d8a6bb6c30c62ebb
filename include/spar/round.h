/* round.h - one question: the m arms shown together, and what the policy must know when the answer comes late.
 *
 * A round is plain data. A live system writes down m, arm, prob and memo (and, in a continuous space, dim and x) when
 * it asks and hands them back, with the feedback, when it learns; nothing else about the question is remembered
 * anywhere. To read one back, reserve room for m slots and fill these in. */
#ifndef SPAR_ROUND_H
#define SPAR_ROUND_H

#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPAR_MEMO = 8 };

/* The arm of a slot that shows a new point of a continuous space: it gets an index when its answer is learned. */
#define SPAR_FRESH ((size_t)-1)

typedef struct spar_round {
    size_t m;
    size_t capacity;
    size_t *arm;             /* m arms, slot by slot; an arm may stand in several slots */
    double *prob;            /* the probability with which each slot's arm was drawn; 1 where it does not matter */
    int64_t memo[SPAR_MEMO]; /* the policy's own note to itself */
    size_t dim;              /* numbers per point; 0 in a finite space */
    double *x;               /* the points of the slots, m x dim, in a continuous space */
    size_t x_room;           /* numbers that x can hold */
} spar_round;

/* Room for at least capacity slots; starts with m = 0. */
SPAR_API spar_status spar_round_new(size_t capacity, spar_round **out);

/* Room for at least capacity slots, with what is there kept; slots that are new hold arm 0 and probability 0. */
SPAR_API spar_status spar_round_reserve(spar_round *round, size_t capacity);

/* Points of dim numbers for as many slots as there is room for; what x held before is lost. 0: no points. */
SPAR_API spar_status spar_round_set_dim(spar_round *round, size_t dim);

/* Makes `to`, which is grown when needed, the same question as `from`. */
SPAR_API spar_status spar_round_copy(const spar_round *from, spar_round *to);

SPAR_API void spar_round_free(spar_round *round);

#ifdef __cplusplus
}
#endif

#endif
