/* evidence.h - what answers prove about options, whatever policy chose the screens and however often one looks.
 *
 * E_Xj is the evidence that X comes before j more often than not, M_Xj the largest it has been after any
 * answer. With a threshold for each pair, K / delta in the plainest case:
 *
 *     X is best              every live rival j:  M_Xj >= threshold
 *     X is practically best  the same with p0 = 1 / (1 + e^eps) in place of 1/2
 *     j is out               some live rival X:   M_Xj >= threshold; all others are in the running
 *     practically equal      at least two are in the running, and every ordered pair of them has
 *                            M_Xj(1 / (1 + e^eps)) >= (n - 1) x threshold, n options ever
 *
 * Each statement is false with probability at most delta over the whole experiment. An answer costs O(m^2), a
 * statement O(n), a change of the options O(n + pairs with answers). Undoing an answer is folding the others again. */
#ifndef SPAR_PREFER_EVIDENCE_H
#define SPAR_PREFER_EVIDENCE_H

#include "base/archive.h"
#include "base/order.h"

/* One pair of options: the evidence that one comes before the other more often than p0, and the win rates
 * that are not refuted.
 *
 *     E(p0) = integral over (p0, 1) of p^w (1-p)^l / (p0^w (1-p0)^l) under Beta(5,5) cut to (p0, 1)
 *
 * with w wins and l losses. If the one comes first with probability at most p0 whatever was seen before, E is a
 * nonnegative supermartingale that starts at 1, and ever reaches c with probability at most 1/c (Ville). Counts may be
 * fractions: an answer of weight u in (0,1], fixed beforehand, keeps this true (Hoelder). */

/* log E(p0) for 0 < p0 < 1. */
double spar__log_evidence(double w, double l, double p0);

/* The part of it that does not depend on the counts. */
double spar__log_evidence_start(double p0);

/* log E(1/2) of either against the other, for the price of one. */
void spar__log_evidence_both(double w, double l, double *first, double *second);

/* The p0 at which neither E(p0) of (w,l) nor E(1-p0) of (l,w) reaches the threshold: an interval, to about 1e-12. */
void spar__win_rate_interval(double w, double l, double log_threshold, double *low, double *high);

/* What is known of each pair of options that an answer has spoken of; other pairs take no room. */

/* Options a < b. Arrays of two: [0] a over b, [1] b over a. */
typedef struct spar__pair_row {
    uint32_t a, b;
    double won[2]; /* how often the one came before the other */
    double ties;
    double log_e[2];    /* E at 1/2, from these counts */
    double log_max[2];  /* the largest it has been, 0 at first */
    double log_near[2]; /* the largest E at 1 / (1 + e^eps) */
} spar__pair_row;

typedef struct spar__pair_table { /* all zero: empty */
    spar__pair_row *row;          /* in the order of their first answer */
    size_t count, room;
    spar__key_table keys; /* a and b; the number is the row's */
} spar__pair_table;

void spar__pair_table_fini(spar__pair_table *table);

/* Room for `more` new rows. */
spar_status spar__pair_table_reserve(spar__pair_table *table, size_t more);

/* The row of two different options in either order; NULL when there is none. */
spar__pair_row *spar__pair_find(const spar__pair_table *table, size_t x, size_t y);

/* The same, added when missing, for which room must have been reserved. */
spar__pair_row *spar__pair_get(spar__pair_table *table, size_t x, size_t y);

/* What one answer says about pairs of options.
 *
 * An answer is a matrix over the m slots of a screen: 0 missing, 1 loss, 2 tie, 3 win of the row's slot against the
 * column's. Where a person chose, a pair counts only if each of the two options stands in one slot: choices among
 * copies say less than they seem to. Independent duels all count, but for those of an option with itself. */

/* Options a < b. */
typedef struct spar__stated {
    size_t a, b;
    double won[2]; /* a before b, b before a: the weight of the answer, times the duels */
    double ties;
} spar__stated;

/* Of all that it says about the pair. */
static inline double spar__stated_weight(const spar__stated *s)
{
    return s->won[0] + s->won[1] + s->ties;
}

/* Each pair once, in no special order. `out` has room for m (m - 1) / 2. */
size_t spar__stated_of(size_t m, const size_t *arm, const unsigned char *outcome, bool independent, double weight,
                       spar__stated *out);

#define SPAR__NO_OPTION ((size_t)-1)

typedef struct spar__option_evidence {
    bool live;
    double log_threshold; /* of the pairs in which it is the later one */
    double won, lost;     /* against live rivals */
    size_t over, under;   /* live rivals with M of it over them, of them over it, at the threshold */
    size_t near, level;   /* with M at 1 / (1 + e^eps) of it over them at the threshold, at n - 1 times that */
} spar__option_evidence;

typedef struct spar__evidence {
    double delta, delta0, eps;
    double p_near;        /* 1 / (1 + e^eps) */
    double near_start;    /* spar__log_evidence_start(p_near) */
    double log_level;     /* log(n - 1), n options ever */
    size_t n, room, live; /* options in the table, alive */
    bool started, raised; /* there was an answer; one in the running was retired after it */
    bool unordered;       /* the order of the answers is not that of time: M is E at the present counts, at least 1 */
    size_t first, first_n,
        raised_n; /* live options and options in the table at the first answer; n at that retirement */
    spar__option_evidence *option;
    spar__pair_table pairs;
    double total;         /* the weight of all that was stated, ties too */
    spar__stated *stated; /* scratch of an answer */
    size_t stated_room;
} spar__evidence;

/* The part of delta for the pairs of options that are there at the first answer: in a live experiment others may come,
 * and have the rest. */
static inline double spar__delta_of_first(double delta, bool live)
{
    return live ? 0.8 * delta : delta;
}

/* n live options; delta0 as above. eps 0: nothing is asked about what is practically best or equal. */
spar_status spar__evidence_init(spar__evidence *ev, size_t n, double delta, double delta0, double eps);
void spar__evidence_fini(spar__evidence *ev);

/* The same options and thresholds without answers. On failure `out` needs no fini. */
spar_status spar__evidence_blank(const spar__evidence *ev, spar__evidence *out);

/* With the answers, too: from there on the two go their own ways. */
spar_status spar__evidence_copy(const spar__evidence *ev, spar__evidence *out);

/* A new option, number n; and one that is no rival from now on. */
spar_status spar__evidence_add(spar__evidence *ev);
void spar__evidence_retire(spar__evidence *ev, size_t option);

/* One answer, whole or not at all: SPAR_INVALID for an option that is not there. */
spar_status spar__evidence_answer(spar__evidence *ev, size_t m, const size_t *arm, const unsigned char *outcome,
                                  bool independent);

/* The same in two steps, for what is not to count in full: spar__stated_of into this scratch for m slots (NULL when out
 * of memory), then each pair at most once. */
spar__stated *spar__evidence_scratch(spar__evidence *ev, size_t m);
spar_status spar__evidence_learn(spar__evidence *ev, size_t count, const spar__stated *stated);

/* What is known of x over another option j. */
typedef struct spar__against {
    double won, lost, ties;
    double log_e, log_max, log_near;
    bool settled, near; /* log_max, log_near reach the threshold */
} spar__against;

spar__against spar__evidence_against(const spar__evidence *ev, size_t x, size_t j);

/* The logarithm of the threshold of a pair; infinity before the first answer. */
double spar__evidence_threshold(const spar__evidence *ev, size_t x, size_t j);

/* The same for the two ends of an interval: over all pairs and both ends, now and later, they come to delta. */
double spar__evidence_interval_threshold(const spar__evidence *ev, size_t x, size_t j);

/* The best option, if one is shown to be; of several (which has probability at most delta) the one with the largest
 * least M. SPAR__NO_OPTION when there is none or no rival. */
size_t spar__evidence_best(const spar__evidence *ev);
size_t spar__evidence_practical(const spar__evidence *ev);
bool spar__evidence_equal(const spar__evidence *ev);
bool spar__evidence_running(const spar__evidence *ev, size_t option);
size_t spar__evidence_running_count(const spar__evidence *ev);

/* The options, thresholds and pairs; delta and eps are the owner's. Loading needs an initialised object. */
void spar__evidence_archive(spar__evidence *ev, spar__archive *ar);

#endif
