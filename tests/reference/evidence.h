/* evidence.h - what may be concluded from answers, from the definitions alone: every quantity over every ordered pair,
 * from every answer since the first, E by numerical integration. It shares no code with the library.
 *
 * Options are numbered in the order in which they were added. */
#ifndef SPAR_TESTS_REFERENCE_EVIDENCE_H
#define SPAR_TESTS_REFERENCE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REF_OPTIONS = 16, REF_SLOTS = 6 };

/* As the verdicts are listed: the first that holds. */
typedef enum {
    REF_VERDICT_NONE,
    REF_VERDICT_EARLY,
    REF_VERDICT_BEST,
    REF_VERDICT_EQUAL,
    REF_VERDICT_PRACTICAL,
    REF_VERDICT_NO_SCALE,
    REF_VERDICT_OPEN
} ref_verdict;

typedef enum { REF_EVENT_ANSWER, REF_EVENT_ADD, REF_EVENT_RETIRE } ref_event_kind;

typedef struct ref_event {
    ref_event_kind kind;
    size_t option; /* which one is retired */
    size_t m, slot[REF_SLOTS];
    int outcome[REF_SLOTS][REF_SLOTS]; /* 0 missing, 1 loss, 2 tie, 3 win: the row against the column */
    bool duels;                        /* independent duels */
    uint64_t voter, item;              /* 0: unknown, none */
    double weight;
} ref_event;

typedef struct ref_rules {
    size_t options; /* at the beginning */
    double delta, eps;
    bool live, first; /* delta0 = 0.8 delta; only a voter's first answer on each pair counts */
} ref_rules;

typedef struct ref_conclusion {
    size_t n; /* options ever */
    ref_verdict verdict;
    size_t option; /* the one that best or practical names, else REF_OPTIONS */
    bool alive[REF_OPTIONS], running[REF_OPTIONS];
    double w[REF_OPTIONS][REF_OPTIONS];       /* the row before the column */
    double log_e[REF_OPTIONS][REF_OPTIONS];   /* at 1/2, from the present counts */
    double log_m[REF_OPTIONS][REF_OPTIONS];   /* the largest so far, at 1/2 */
    double log_eps[REF_OPTIONS][REF_OPTIONS]; /* and at 1 / (1 + e^eps) */
    double threshold[REF_OPTIONS][REF_OPTIONS];
} ref_conclusion;

/* log E(p0) with w wins and l losses. */
double ref_log_e(double w, double l, double p0);

/* What may be concluded after `count` events. */
void ref_conclude(const ref_rules *rules, size_t count, const ref_event *event, ref_conclusion *out);

/* The interval of the win rate, with the threshold 2 pairs / delta. */
void ref_interval(double w, double l, double threshold, double *low, double *high);

#endif
