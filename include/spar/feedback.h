/* feedback.h - what came back: the paper's m x m matrix R of pairwise answers.
 *
 * Slots are the places of a round. Setting (j,k) also sets (k,j), so a matrix can not contradict itself. In a plain
 * bandit (m = 1) there is nothing to compare: the slot has a reward in [0,1] instead. */
#ifndef SPAR_FEEDBACK_H
#define SPAR_FEEDBACK_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_outcome { SPAR_MISSING = 0, SPAR_LOSS = 1, SPAR_TIE = 2, SPAR_WIN = 3 } spar_outcome;

/* Read freely (outcome[j * m + k], as spar_outcome); change through the functions below. */
typedef struct spar_feedback {
    size_t m;
    size_t capacity;
    unsigned char *outcome; /* m x m, row j: how slot j did against each slot k */
    double *reward;        /* per slot, meaningful where rewarded is set */
    bool *rewarded;
} spar_feedback;

/* Room for at least capacity slots; starts with m = capacity and everything missing. */
SPAR_API spar_status spar_feedback_new(size_t capacity, spar_feedback **out);
SPAR_API void spar_feedback_free(spar_feedback *feedback);

/* Makes `to`, which is grown when needed, the same answers as `from`. */
SPAR_API spar_status spar_feedback_copy(const spar_feedback *from, spar_feedback *to);

/* m slots, everything missing. Grows the room when needed, which is the only way it can fail. */
SPAR_API spar_status spar_feedback_reset(spar_feedback *feedback, size_t m);

/* Slot j did `outcome` against slot k, and slot k the opposite against j. Refuses j = k and slots out of range. */
SPAR_API spar_status spar_feedback_set(spar_feedback *feedback, size_t j, size_t k, spar_outcome outcome);

SPAR_API spar_outcome spar_feedback_get(const spar_feedback *feedback, size_t j, size_t k);

/* The reward of a slot of a plain bandit, in [0,1]. */
SPAR_API spar_status spar_feedback_reward(spar_feedback *feedback, size_t slot, double reward);

/* Is there anything to learn from? */
SPAR_API bool spar_feedback_empty(const spar_feedback *feedback);

#ifdef __cplusplus
}
#endif

#endif
