/* round.h - one question: the m arms shown together, and what the policy must know when the answer comes late.
 *
 * A round is plain data. A live system writes it down when it asks and hands it back, with the feedback, when it
 * learns; nothing else about the question is remembered anywhere. */
#ifndef SPAR_ROUND_H
#define SPAR_ROUND_H

#include <spar/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPAR_MEMO = 8 };

typedef struct spar_round {
    size_t m;
    size_t capacity;
    size_t *arm;             /* m arms, slot by slot; an arm may stand in several slots */
    double *prob;            /* the probability with which each slot's arm was drawn; 1 where it does not matter */
    int64_t memo[SPAR_MEMO]; /* the policy's own note to itself */
} spar_round;

SPAR_API spar_status spar_round_new(size_t capacity, spar_round **out);
SPAR_API spar_status spar_round_reserve(spar_round *round, size_t capacity);
SPAR_API void spar_round_free(spar_round *round);

#ifdef __cplusplus
}
#endif

#endif
