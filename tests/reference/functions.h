/* functions.h - test functions to minimise, and the worlds made of them: utility = minus the function, logit link, arms
 * on a grid, features in the unit cube. */
#ifndef SPAR_TESTS_REFERENCE_FUNCTIONS_H
#define SPAR_TESTS_REFERENCE_FUNCTIONS_H

#include "reference/reference.h"

#include <gsl/gsl_rng.h>

typedef enum {
    REF_FORRESTER, /* [0, 1] */
    REF_CAMEL_UNIT,
    REF_CAMEL_STANDARD,
    REF_CAMEL_INNER, /* [0, 1]^2, [-3, 3] x [-2, 2], [-2, 2] x [-1, 1] */
    REF_BRANIN,      /* [-5, 10] x [0, 15] */
    REF_GOLDSTEIN,   /* [-2, 2]^2 */
    REF_HARTMANN6,   /* [0, 1]^6 */
    REF_ACKLEY       /* [-32.768, 32.768]^dim */
} ref_function;

/* At a point of its own domain. dim matters to ackley alone. */
double ref_function_at(ref_function f, const double *x, size_t dim);
/* From the unit cube to the domain. */
void ref_function_scale(ref_function f, const double *unit, size_t dim, double *x);

/* A world and what it is made of. */
typedef struct ref_field {
    double *x, *utility, *p;
    ref_world world;
} ref_field;

/* All points of the grid i / (points - 1) in every dimension. */
ref_field ref_field_grid(ref_function f, size_t dim, size_t points);
/* Utilities drawn from GP(0, SE) of this length and variance 1 at i / (points - 1). */
ref_field ref_field_gp(size_t points, double length, gsl_rng *rng);
void ref_field_close(ref_field *field);

#endif
