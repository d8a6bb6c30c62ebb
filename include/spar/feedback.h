/* feedback.h - what came back, as a policy learns it: the paper's m x m matrix R of pairwise outcomes.
 *
 * Slots are the places of a round. Setting (j,k) also sets (k,j), so a matrix cannot contradict itself. The matrix
 * remembers what kind of answer it was made from, because 'the best of four' is one choice and not three independent
 * duels. In a plain bandit (m = 1) there is nothing to compare: the slot has a reward in [0,1] instead.
 *
 * Threads: feedback may be read by several threads at once; a thread that changes it must be alone. NULL is refused
 * unless said otherwise: see status.h. */
#ifndef SPAR_FEEDBACK_H
#define SPAR_FEEDBACK_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_outcome { SPAR_MISSING = 0, SPAR_LOSS = 1, SPAR_TIE = 2, SPAR_WIN = 3 } spar_outcome;

typedef enum spar_feedback_kind {
    SPAR_FEEDBACK_PAIRS,     /* independent duels of pairs of slots */
    SPAR_FEEDBACK_WINNER,    /* one slot was chosen from all */
    SPAR_FEEDBACK_RANKING,   /* slots were ordered, all or some of them */
    SPAR_FEEDBACK_TIE,       /* all slots were called equal */
    SPAR_FEEDBACK_BEST_WORST /* one slot was chosen as the best, then one as the worst */
} spar_feedback_kind;

typedef struct spar_feedback spar_feedback;

/* m slots, everything missing. Feedback grows when needed. */
SPAR_API spar_status spar_feedback_new(size_t m, spar_feedback **out);
SPAR_API spar_status spar_feedback_dup(const spar_feedback *feedback, spar_feedback **out);
SPAR_API spar_status spar_feedback_copy(const spar_feedback *from, spar_feedback *to);
SPAR_API void spar_feedback_free(spar_feedback *feedback); /* NULL is fine */

/* m slots, everything missing, of kind PAIRS. */
SPAR_API spar_status spar_feedback_reset(spar_feedback *feedback, size_t m);

/* Slot j did `outcome` against slot k, and slot k the opposite against j. Refuses j = k and slots out of range.
 * Feedback of another kind becomes one of kind PAIRS. */
SPAR_API spar_status spar_feedback_set(spar_feedback *feedback, size_t j, size_t k, spar_outcome outcome);

/* Whole answers; what was there before is lost.
 *   winner:  the slot beats every other, nothing is known among the others.
 *   ranking: n different slots, best first; level NULL: each beats all that follow, else slots of equal level tie and a
 *            slot beats those of higher level (levels must not fall). Every ranked slot beats every unranked one; the
 *            order among the unranked is missing.
 *   best_worst: the best beats every other, and every other beats the worst; the order among the others is missing.
 *   tie:     all pairs tie. */
SPAR_API spar_status spar_feedback_winner(spar_feedback *feedback, size_t slot);
SPAR_API spar_status spar_feedback_ranking(spar_feedback *feedback, size_t n, const size_t *slot, const size_t *level);
SPAR_API spar_status spar_feedback_best_worst(spar_feedback *feedback, size_t best, size_t worst);
SPAR_API spar_status spar_feedback_tie(spar_feedback *feedback);

/* The reward of a slot of a plain bandit, in [0,1]. */
SPAR_API spar_status spar_feedback_reward(spar_feedback *feedback, size_t slot, double reward);

/* How many slots, what kind it is, and how slot j did against slot k (SPAR_MISSING out of range). */
SPAR_API size_t spar_feedback_slots(const spar_feedback *feedback);
SPAR_API spar_feedback_kind spar_feedback_kind_of(const spar_feedback *feedback);
SPAR_API spar_outcome spar_feedback_get(const spar_feedback *feedback, size_t j, size_t k);

/* Is there anything to learn from? */
SPAR_API bool spar_feedback_empty(const spar_feedback *feedback);

#ifdef __cplusplus
}
#endif

#endif
