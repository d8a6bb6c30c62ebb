/* pair_law.h - one pair of options: the evidence that one comes before the other more often than p0, and the win rates
 * that are not refuted.
 *
 *     E(p0) = integral over (p0, 1) of p^w (1-p)^l / (p0^w (1-p0)^l) under Beta(5,5) cut to (p0, 1)
 *
 * with w wins and l losses. If the one comes first with probability at most p0 whatever was seen before, E is a
 * nonnegative supermartingale that starts at 1, and ever reaches c with probability at most 1/c (Ville). Counts may be
 * fractions: an answer of weight u in (0,1], fixed beforehand, keeps this true (Hoelder). */
#ifndef SPAR_PREFER_PAIR_LAW_H
#define SPAR_PREFER_PAIR_LAW_H

/* log E(p0) for 0 < p0 < 1. */
double spar__log_evidence(double w, double l, double p0);

/* The part of it that does not depend on the counts, and the rest for half the price. */
double spar__log_evidence_start(double p0);
double spar__log_evidence_from(double start, double w, double l, double p0);

/* log E(1/2) of either against the other, for the price of one. */
void spar__log_evidence_both(double w, double l, double *first, double *second);

/* The p0 at which neither E(p0) of (w,l) nor E(1-p0) of (l,w) reaches the threshold: an interval, to about 1e-12. */
void spar__win_rate_interval(double w, double l, double log_threshold, double *low, double *high);

#endif
