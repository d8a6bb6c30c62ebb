/* pair_counts.h - who beat whom, and how often: the counts that most dueling policies and all evidence are made of.
 *
 * won(i, j) is the weight of the duels that arm i won against arm j, a tie being half a win for each of the two;
 * played(i, j) = won(i, j) + won(j, i). An arm beside itself teaches nothing. Memory is quadratic in the number of
 * arms. What would make a count larger than 2^53, or be lost in it, is refused (SPAR_UNSUPPORTED).
 *
 * Threads: counts may be read by several threads at once; a thread that changes them must be alone. NULL is refused
 * unless said otherwise: see status.h. */
#ifndef SPAR_PAIR_COUNTS_H
#define SPAR_PAIR_COUNTS_H

#include <spar/feedback.h>
#include <spar/round.h>
#include <spar/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_pair_counts spar_pair_counts;

/* n arms, nothing played. */
SPAR_API spar_status spar_pair_counts_new(size_t n, spar_pair_counts **out);
SPAR_API spar_status spar_pair_counts_dup(const spar_pair_counts *counts, spar_pair_counts **out);
SPAR_API spar_status spar_pair_counts_copy(const spar_pair_counts *from, spar_pair_counts *to);
SPAR_API void spar_pair_counts_free(spar_pair_counts *counts); /* NULL is fine */

SPAR_API size_t spar_pair_counts_count(const spar_pair_counts *counts); /* arms */

/* Makes them n arms; nothing is known of the new ones. Refuses fewer than there are. */
SPAR_API spar_status spar_pair_counts_grow(spar_pair_counts *counts, size_t n);

/* One duel: arm i did `outcome` against arm j. A missing outcome, or i = j, changes nothing. The weight must be
 * positive and finite. After a failure nothing has changed. */
SPAR_API spar_status spar_pair_counts_add(spar_pair_counts *counts, size_t i, size_t j, spar_outcome outcome,
                                          double weight);

/* Every answered pair of a round, each of this weight. Refuses a round that does not fit the feedback or the arms. */
SPAR_API spar_status spar_pair_counts_learn(spar_pair_counts *counts, const spar_round *round,
                                            const spar_feedback *feedback, double weight);

/* 0 for an index out of range. */
SPAR_API double spar_pair_counts_won(const spar_pair_counts *counts, size_t i, size_t j);
SPAR_API double spar_pair_counts_played(const spar_pair_counts *counts, size_t i, size_t j);

#ifdef __cplusplus
}
#endif

#endif
