/* pair_counts.h - the inside of the counts of pairs, for those who read them often. */
#ifndef SPAR_TYPES_PAIR_COUNTS_H
#define SPAR_TYPES_PAIR_COUNTS_H

#include "base/archive.h"
#include "types/feedback.h"
#include "types/round.h"

#include <spar/pair_counts.h>

/* All zero: no arms. */
struct spar_pair_counts {
    size_t n;
    size_t stride; /* numbers per row: at least n, a multiple of SPAR__PAIR_BLOCK */
    double *won;   /* n rows */
};

enum { SPAR__PAIR_BLOCK = 8 };

/* Makes them n arms, of which the new ones have played nothing; fewer than before only if those that go have played
 * nothing. The stride at least doubles when it must grow, so that adding arms one by one costs O(n) each. On failure
 * everything is as before. */
spar_status spar__pair_counts_fit(spar_pair_counts *counts, size_t n);
void spar__pair_counts_fini(spar_pair_counts *counts);

/* The same as the public one, of a round that is known to fit. */
void spar__pair_counts_learn(spar_pair_counts *counts, const spar_round *round, const spar_feedback *feedback,
                             double weight);

void spar__pair_counts_archive(spar_pair_counts *counts, spar__archive *ar); /* the number of arms is not saved */

static inline double spar__won(const spar_pair_counts *counts, size_t i, size_t j)
{
    return counts->won[i * counts->stride + j];
}

static inline double spar__played(const spar_pair_counts *counts, size_t i, size_t j)
{
    return counts->won[i * counts->stride + j] + counts->won[j * counts->stride + i];
}

#endif
