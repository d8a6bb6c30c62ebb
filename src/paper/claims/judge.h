/* judge.h - the statistics that claims are judged by.
 *
 * In one setting runs with the same number have the same world and the same random numbers for all policies, so
 * policies are compared run by run. Standard errors are
 * those of means over runs. */
#ifndef SPAR_PAPER_CLAIMS_JUDGE_H
#define SPAR_PAPER_CLAIMS_JUDGE_H

#include "paper/paper.h"
#include "plot/frame.h"
#include "plot/plot.h"

typedef struct spar__estimate {
    double mean, se; /* se 0: of a single run, which cannot decide anything */
} spar__estimate;

/* The regrets of two policies. */
typedef struct spar__regret_comparison {
    double mean[2], median[2];   /* of both */
    spar__difference difference; /* the first minus the second, run by run */
    spar__estimate times;        /* mean[1] / mean[0]: how many times the regret of the first */
    bool beats;                  /* the first: difference below -2 standard errors, and the lower median */
    bool by_far;                 /* and times is above 1.5 by 2 standard errors of the logarithm */
} spar__regret_comparison;

/* a and b are per-run arrays (regret, per_slot) of cells with the same number of runs. Fails with SPAR_NOMEM only. */
spar_status spar__regret_compare(const spar__cell *cell, const double *a, const double *b,
                                 spar__regret_comparison *out);

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

/* Do they level off? Between b and c they must be, with 2 standard errors, less than 1.5 times as steep as between a
 * and b; over a decade that is the growth of t^0.18. False also if the errors are too large to decide. */
bool spar__cell_levels(const spar__cell *cell, uint64_t a, uint64_t b, uint64_t c);

/* Is a slope near the least possible in the long run? With 2 standard errors it must be below `times` as much, and not
 * below half of it: a much lower slope means that runs that never recover have not occurred yet. */
bool spar__slope_near(spar__estimate slope, double least, double times);

/* The mean curve's slope over the half decade up to checkpoint c. */
spar__estimate spar__cell_local_slope(const spar__cell *cell, size_t c);

/* The round after which that slope stays within a fifth of the last one. */
uint64_t spar__cell_settled(const spar__cell *cell);

/* Text as "LEAD first; second; third": LEAD before item 0, on a new sentence, and a semicolon before the others. */
void spar__finding_item(spar__buf *out, size_t item, const char *lead);

/* "2.9 to 3.8", three digits each; one number where both are the same. */
void spar__finding_range(spar__buf *out, spar__range range);

/* Ends it and sets the verdict from how many items are as claimed; no items: not judged. */
void spar__finding_close(spar__finding *out, size_t good, size_t all);

/* The line of n estimates with a band of 2 standard errors, in the colour of the policy of that label. `room` has place
 * for 3 n numbers. */
spar__series spar__estimate_series(const char *label, size_t n, const double *x, const spar__estimate *of,
                                   double *room);

/* How many runs the points of a figure have; starts as zero. */
typedef struct spar__run_count {
    size_t least, most;
} spar__run_count;

void spar__run_count_add(spar__run_count *count, const spar__cell *cell);

/* "lines: mean of 5 to 10 runs; bands: +- 2 standard errors" */
enum { SPAR__NOTE_SIZE = 96 };
const char *spar__run_count_note(const spar__run_count *count, char out[SPAR__NOTE_SIZE]);

/* d(p, q), the Kullback-Leibler divergence of coins that show heads with probability p and q. */
double spar__coin_divergence(double p, double q);

#endif
