/* pl.h - what the beliefs pl and linear_pl share: the answers, and a normal belief about r parameters.
 *
 *     log posterior = -|w|^2 / (2 sd^2) + sum over the choices of eta (theta_chosen - log sum_A exp(theta))
 *
 * where w are the strengths theta themselves (pl), or theta = x.w with the features x of an arm (linear_pl). The belief
 * is N(mean, (R^T R)^-1). A round is learned in one of two ways, see pl.c:
 *
 *     refit     mean = the mode, R^T R = the curvature there: a function of the answers alone
 *     online    R^T R += the curvature of the new choices at the old mean, and one Newton step with it
 *
 * An arm has a position from its first answer on. Arms without answers have none: their strengths are N(0, sd^2) and
 * independent of all others, and cost nothing. Positions, not arm numbers, order all sums, so renamed arms get the same
 * numbers to the last bit. */
#ifndef SPAR_POSTERIOR_PL_PL_H
#define SPAR_POSTERIOR_PL_PL_H

#include "num/choices.h"
#include "posterior/posterior.h"

typedef struct spar__pl {
    spar__posterior base;
    double sd;
    bool linear;
    size_t seen, r;          /* positions; parameters: seen, or the features */
    size_t stride;           /* room for parameters, and numbers in a row of R */
    size_t arms_room;        /* of position */
    size_t seen_room;        /* of arm */
    uint32_t *position;      /* of an arm, from 1; 0: no answer yet */
    size_t *arm;             /* of a position */
    double *R;               /* upper triangle */
    double *mean;            /* r */
    double *step, *spare;    /* r, r: of a search */
    double *strength, *pull; /* seen, seen: of linear_pl */
    double *curvature;       /* r x stride */
    double *work;            /* of factorising */
    double *rows, *target;   /* observations of a round */
    size_t rows_room;
    size_t slots_room; /* of a round */
    uint32_t *option;
    unsigned *level;
    double *screen;       /* slots_room x (slots_room + 1) */
    spar__choices done;   /* answers up to the last refit */
    spar__choices recent; /* and since */
    spar__choices round;  /* of the round being learned */
    uint64_t rounds, refitted;
    bool online; /* R is not that of a refit */
} spar__pl;

/* The mode and its curvature from all answers, which are in `done`; for tests. */
void spar__pl_refit(spar__pl *self);

#endif
