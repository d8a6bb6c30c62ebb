/* round.h - one question: the arms shown together, and what the policy must know when the answer comes late.
 *
 * Slots are the places of a round, 0 .. m - 1; an arm may stand in several. Beside the arms a round holds the
 * probability with which each was drawn and a note of the policy to itself. A live system saves the round when it asks
 * and loads it when the answer comes; nothing else about the question is remembered anywhere. An answer to a question
 * that no policy asked (an imported vote) is a round made by spar_round_set: its probabilities are 1 and its note is
 * empty.
 *
 * Threads: a round may be read by several threads at once; a thread that changes it must be alone. NULL is refused
 * unless said otherwise: see status.h. */
#ifndef SPAR_ROUND_H
#define SPAR_ROUND_H

#include <spar/arms.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_round spar_round;

/* The arm of a slot that shows a new point of a continuous space: it gets an index when its answer is learned. */
#define SPAR_FRESH ((size_t)-1)

/* Starts with m = 0. capacity is a hint: rounds grow when needed. */
SPAR_API spar_status spar_round_new(size_t capacity, spar_round **out);
SPAR_API spar_status spar_round_dup(const spar_round *round, spar_round **out);
SPAR_API spar_status spar_round_copy(const spar_round *from, spar_round *to); /* makes `to` the same question */
SPAR_API void spar_round_free(spar_round *round);                             /* NULL is fine */

/* A question that no policy asked: m arms, slot by slot. */
SPAR_API spar_status spar_round_set(spar_round *round, size_t m, const size_t *arm);

/* The same in a continuous space: m points of dim numbers each. */
SPAR_API spar_status spar_round_set_points(spar_round *round, size_t m, size_t dim, const double *x);

SPAR_API size_t spar_round_slots(const spar_round *round); /* m */

/* Of one slot: its arm (SPAR_FRESH for a new point, SPAR_NO_ARM for a slot out of range), the probability with which it
 * was drawn (1 where that does not matter), its point in a continuous space or NULL. */
SPAR_API size_t spar_round_arm(const spar_round *round, size_t slot);
SPAR_API double spar_round_prob(const spar_round *round, size_t slot);
SPAR_API const double *spar_round_point(const spar_round *round, size_t slot);
SPAR_API size_t spar_round_dim(const spar_round *round); /* numbers per point, 0 in a finite space */

/* Did a policy choose it? */
SPAR_API bool spar_round_asked(const spar_round *round);

/* The whole round as bytes (free with spar_bytes_free), and back. */
SPAR_API spar_status spar_round_save(const spar_round *round, unsigned char **bytes, size_t *length);
SPAR_API spar_status spar_round_load(const unsigned char *bytes, size_t length, spar_round **out, spar_error *err);

#ifdef __cplusplus
}
#endif

#endif
