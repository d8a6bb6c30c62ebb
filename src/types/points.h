/* points.h - where arms with features stand: their distinct points, in lexicographic order.
 *
 * What is computed in this order does not depend on how the arms are numbered. */
#ifndef SPAR_TYPES_POINTS_H
#define SPAR_TYPES_POINTS_H

#include "types/arms.h"

typedef struct spar__points {
    size_t n, arms; /* points; arms that stand on them */
    double *x;      /* n x dim */
    size_t *of;     /* the point of each arm */
    size_t *first;  /* the lowest-numbered arm on each point */
} spar__points;

/* The points of a table that has features. */
spar_status spar__points_make(const spar_arms *arms, spar__points *out);
void spar__points_free(spar__points *points);

/* The first arm, from number `from` on, whose features are x to the bit; arms->n when there is none. */
size_t spar__arm_at(const spar_arms *arms, size_t from, const double *x);

#endif
