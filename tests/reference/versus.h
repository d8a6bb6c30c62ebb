/* versus.h - the library against the references. A match is one setting that both play with luck of their own; what
 * they end with (regret, and slots that showed the best arm) must be two samples of one distribution. */
#ifndef SPAR_TESTS_REFERENCE_VERSUS_H
#define SPAR_TESTS_REFERENCE_VERSUS_H

#include "reference/functions.h"

#include <stdbool.h>

enum { MOST_ARMS = 16, FEEDBACK_KINDS = REF_CONFUSABLE_COIN + 1 };

typedef enum { LINK_LINEAR, LINK_LOGIT, LINK_NATURAL, LINK_NONE } link_kind; /* NONE: a matrix from a file */

typedef ref_field draw_field(uint64_t seed);

typedef struct arena {
    const char *name;
    link_kind link;
    size_t k;
    double utility[MOST_ARMS]; /* best arm first */
    double x[MOST_ARMS];       /* one feature each */
    const char *set;           /* the library's name for these utilities, if it has one */
    const char *file;          /* of the matrix, in the folder of the tests */
    const char *env;           /* instead of all the above: as the library writes it ... */
    draw_field *draw;          /* ... and the reference's world of a run */
} arena;

typedef enum { SELF_SPARRING, SPARRING, MULTI_SBM, DOUBLER, PLAIN, DIRECT } family;

typedef struct match {
    const arena *arena; /* of a plain bandit: utilities are mean rewards */
    double ties;
    ref_feedback_kind feedback;
    double param; /* p of missing, scale of confusable */
    family family;
    size_t m, rounds, runs;
    double eta; /* self_sparring */
    ref_self_duels self_duels;
    ref_bandit bandit; /* of all other families */
    double alpha;
    ref_reward reward;  /* sparring */
    const char *spec;   /* DIRECT: as the library writes it ... */
    direct_run *direct; /* ... and the reference */
} match;

/* One sample of each kind, a value a run. */
typedef struct outcome {
    size_t runs;
    double *regret, *best_pulls;
} outcome;

outcome outcome_new(size_t runs);
void outcome_put(outcome *o, size_t run, ref_result result);
void outcome_free(outcome *o);

/* library.c and rival.c. A match that cannot be played ends the program. */
outcome play_library(const match *m);
outcome play_reference(const match *m);
void matrix_path(const arena *w, char *path, size_t size);

/* match.c */
bool feedback_possible(const arena *w, ref_feedback_kind kind);
void match_policy(const match *m, char *text, size_t size);   /* as the library writes it */
void match_env(const match *m, char *text, size_t size);      /* likewise */
void match_feedback(const match *m, char *text, size_t size); /* likewise */
uint64_t match_seed(const match *m);

/* verdict.c: two-sample KS and the z of the means, each with a bound of 5 sigma. */
void expect_same(const match *m);
/* The same comparison must fail when the two play different matches: it has the power to see that difference. */
void expect_different(const match *library, const match *reference, const char *what);
/* The library's mean regret in the first match is less than this share of that in the second. */
void expect_less(const match *less, const match *more, double share);
int verdict_done(void);

#endif
