/* focus.h - focus over IndSelfSparring with distinct arms, transcribed from its definition: tables of all pairs, looked
 * through again for every screen. Random numbers, Beta variates and the incomplete Beta function are GSL's. */
#ifndef SPAR_TESTS_REFERENCE_FOCUS_H
#define SPAR_TESTS_REFERENCE_FOCUS_H

#include "reference/parts.h"

enum { REF_FOCUS_ARMS = 16 };

typedef struct ref_focus {
    size_t k;
    double p, delta;
    double won[REF_FOCUS_ARMS], lost[REF_FOCUS_ARMS]; /* of the Beta beliefs */
    double w[REF_FOCUS_ARMS][REF_FOCUS_ARMS];         /* how often the row came before the column */
    double log_e[REF_FOCUS_ARMS][REF_FOCUS_ARMS];
    double log_m[REF_FOCUS_ARMS][REF_FOCUS_ARMS]; /* the largest log_e after any answer, 0 at first */
} ref_focus;

/* The arms of the next screen go to round->arm. */
void ref_focus_choose(const ref_focus *focus, ref_round *round, gsl_rng *rng);

/* The arms of the round differ. */
void ref_focus_learn(ref_focus *focus, const ref_round *round);

/* The arm that is shown to be best, or k. */
size_t ref_focus_best(const ref_focus *focus);

/* Screens until an arm is shown to be best in a world with answers as given, at most `most`; which one goes to *best.
 */
size_t ref_focus_run(const ref_world *world, size_t m, double p, double delta, size_t most, uint64_t seed,
                     size_t *best);

#endif
