/* per_arm.h - arrays with one number per arm, which follow the arms table as it grows. */
#ifndef SPAR_TYPES_PER_ARM_H
#define SPAR_TYPES_PER_ARM_H

#include "types/arms.h"

typedef struct spar__per_arm {
    size_t n, capacity; /* all zero at first */
} spar__per_arm;

/* Gives each of the `count` arrays (NULL at first) a place for every arm; places of new arms hold 0. Afterwards n is
 * the number of arms. On failure everything is as usable as before. */
spar_status spar__per_arm_fit(spar__per_arm *size, const spar_arms *arms, size_t count, double **const array[]);

#endif
