/* click.h - simulated clicks on a list of graded documents.
 *
 * The user goes down the list. At place r (0 is the top) a document of grade g is clicked with probability
 * examine[r] click[g], and after a click the user leaves with probability stop[g]. Given that the user gets there, the
 * places are independent.
 *
 * perfect, navigational and informational are the cascades used with LETOR data: every place is examined. There are
 * tables for 3 grades and for 5; the smaller one that has all grades is used.
 *
 * position(...): examination falls with the place, as (r + 1)^-eta or gamma^r. click= and stop= give a number for each
 * grade; without them click[g] = noise + (1 - noise) (2^g - 1) / (2^(grades - 1) - 1), and stop[g] = 0. */
#ifndef SPAR_RANK_CLICK_H
#define SPAR_RANK_CLICK_H

#include "base/spec.h"
#include "base/error.h"
#include "sampler/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPAR__GRADES = 32 };

typedef struct spar__click {
    unsigned grades; /* 0 .. grades - 1 */
    size_t top;      /* places */
    double click[SPAR__GRADES], stop[SPAR__GRADES];
    double *examine; /* top */
} spar__click;

/* For documents of grades 0 .. grades - 1 in lists of at most `top`. */
spar_status spar__click_new(const char *spec, unsigned grades, size_t top, spar__click **out, spar_error *err);
void spar__click_free(spar__click *click);

/* The clicks on n <= top documents, from one uniform number in [0,1) for each place; draw takes n from the rng. */
void spar__click_simulate(const spar__click *click, size_t n, const uint8_t *grade, const double *u, bool *clicked);
void spar__click_draw(const spar__click *click, size_t n, const uint8_t *grade, spar_rng *rng, bool *clicked);

/* The models by number; NULL behind the last. */
const spar_entry *spar__click_entry(size_t index);

#endif
