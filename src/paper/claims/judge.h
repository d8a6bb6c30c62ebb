/* judge.h - the statistics that claims are judged by.
 *
 * Policies of one setting play the same worlds with the same luck, so they are compared run by run. Standard errors are
 * those of means over runs. */
#ifndef SPAR_PAPER_CLAIMS_JUDGE_H
#define SPAR_PAPER_CLAIMS_JUDGE_H

#include "paper/paper.h"

typedef struct spar__estimate {
    double mean, se; /* se 0: of a single run, which decides nothing */
} spar__estimate;

/* How one policy does beside another. */
typedef struct spar__comparison {
    double mean[2], median[2];  /* the costs of both */
    spar_difference difference; /* the first minus the second, run by run */
    spar__estimate times;       /* mean[1] / mean[0]: how many times more the second pays */
    bool beats;                 /* the first: difference below -2 standard errors, and the lower median */
    bool by_far;                /* and the second pays half as much again, by 2 standard errors of the logarithm */
} spar__comparison;

/* a and b are per-run arrays (regret, per_slot) of cells with as many runs. Fails only for want of memory. */
spar_status spar__comparison_make(const spar__cell *cell, const double *a, const double *b, spar__comparison *out);

/* All good: holds; some: in part; none, or nothing to judge by: does not hold. */
spar__verdict spar__verdict_of(size_t good, size_t all);

/* The mean over runs of n numbers, `stride` apart. */
spar__estimate spar__mean_of(const double *x, size_t n, size_t stride);

/* The exponent b of y ~ x^b: least squares in logarithms, every point counting the same. Its error follows from those
 * of the points, as if they were independent (worlds that several points share change it by some percent). */
spar__estimate spar__fit_power(size_t n, const double *x, const spar__estimate *y);

/* d regret / d ln t of the curves between two rounds (checkpoints), and how much steeper they are between b and c than
 * between a and b. */
spar__estimate spar__cell_slope(const spar__cell *cell, uint64_t from, uint64_t to);
spar__estimate spar__cell_steepening(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c);

/* Do they level off? Between b and c they are, with 2 standard errors, less than half steeper than between a and b: so
 * much over a decade is t^0.18. Where nothing is sure, they do not. */
bool spar__cell_levels(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c);

/* Is a slope near the least possible in the long run: with 2 standard errors below `times` as much, and not as surely
 * below half? What pays much less than that has not met the runs that never recover. */
bool spar__slope_near(spar__estimate slope, double least, double times);

/* The mean curve's slope over the half decade up to checkpoint c. */
double spar__cell_local_slope(const spar__cell *cell, size_t c);

/* The round after which that slope stays within a fifth of the last one. */
uint64_t spar__cell_settled(const spar__cell *cell);

/* Text as "LEAD first; second; third": LEAD before item 0, on a new sentence, and a semicolon before the others. */
void spar__finding_item(spar__buf *out, size_t item, const char *lead);

/* Ends it, and says how many items were as claimed; none at all: not judged. */
void spar__finding_close(spar__finding *out, size_t good, size_t all);

/* d(p, q), the Kullback-Leibler divergence of coins that show heads with probability p and q. */
double spar__coin_divergence(double p, double q);

#endif
