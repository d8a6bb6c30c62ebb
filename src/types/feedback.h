/* feedback.h - the inside of feedback, and of the counts of pairs that it is added to. Read freely; change through the
 * functions of <spar/feedback.h> and <spar/pair_counts.h>. */
#ifndef SPAR_TYPES_FEEDBACK_H
#define SPAR_TYPES_FEEDBACK_H

#include "base/archive.h"
#include "types/round.h"

#include <spar/feedback.h>
#include <spar/pair_counts.h>

struct spar_feedback {
    size_t m;
    size_t capacity;
    spar_feedback_kind kind;
    unsigned char *outcome; /* m x m spar_outcome, row j: how slot j did against each slot k */
    double *reward;         /* per slot, meaningful where rewarded is set */
    bool *rewarded;
};

/* What an outcome is worth to the side that had it: 0, 1/2 or 1. */
static inline double spar__reward(unsigned char outcome)
{
    return 0.5 * (double)(outcome - SPAR_LOSS);
}

/* The inside of the counts of pairs, for those who read them often. */

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
