/* stats.h - sums without loss, summaries and comparisons of runs, and the rounds at which curves are kept. */
#ifndef SPAR_SIM_STATS_H
#define SPAR_SIM_STATS_H

#include "sim/sim.h"

#include <stddef.h>
#include <stdint.h>

/* A compensated sum: what each addition rounds away is kept aside exactly (Knuth's two-sum) and added at the end, so
 * that 1e9 additions are as good as one. */
typedef struct spar__sum {
    double high, low;
} spar__sum;

static inline void spar__sum_add(spar__sum *sum, double x)
{
    double high = sum->high + x;
    double part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (x - part);
    sum->high = high;
}

static inline double spar__sum_value(spar__sum sum)
{
    return sum.high + sum.low;
}

/* The p-quantile of n > 0 sorted values, linear between the order statistics at 0, 1/(n-1), ..., 1 (type 7). */
double spar__quantile(const double *sorted, size_t n, double p);

/* Sorts the values. sd and se are 0 for one value; everything is 0 for none. */
void spar__summarize(double *values, size_t n, spar__summary *out);

/* How much larger a[i] is than b[i], over the n pairs in which neither is NaN. */
void spar__compare(const double *a, const double *b, size_t n, spar__difference *out);

/* Is the difference above two of its standard errors, and not of one pair alone? Else it may be chance. */
bool spar__difference_sure(const spar__difference *difference);

/* Fills out (when not NULL) with the checkpoints of a simulation of that many rounds, and returns how many there are:
 * strictly increasing from 1 to rounds, 16 to a decade, with 100, 1000, 5000, 10000 and 20000 among them. */
size_t spar__checkpoints(uint64_t rounds, uint64_t *out);

#endif
