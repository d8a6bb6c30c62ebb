/* test_functions.h - functions that are known to be hard to minimise, each on its box.
 *
 * Points are given in the unit cube [0,1]^dim and mapped to the box of the function. */
#ifndef SPAR_ENV_TEST_FUNCTIONS_H
#define SPAR_ENV_TEST_FUNCTIONS_H

#include <stddef.h>

#define SPAR__TEST_FUNCTIONS "forrester|camel|branin|goldstein|hartmann6|ackley"
#define SPAR__CAMEL_DOMAINS "unit|standard|inner"

enum {
    SPAR__TEST_FORRESTER,
    SPAR__TEST_CAMEL,
    SPAR__TEST_BRANIN,
    SPAR__TEST_GOLDSTEIN,
    SPAR__TEST_HARTMANN6,
    SPAR__TEST_ACKLEY,
    SPAR__TEST_COUNT
};

enum { SPAR__TEST_MOST_DIM = 20 };

typedef struct spar__test_function {
    size_t dim;          /* inputs; 0: any number */
    double lo[2], hi[2]; /* of the box; inputs from the third on are as the second */
    double (*at)(size_t dim, const double *z);
    double least;    /* its minimum over the box */
    double where[6]; /* a minimiser, in the unit cube; of ackley its first input, which all others are like */
} spar__test_function;

/* `domain` counts the words of SPAR__CAMEL_DOMAINS and is ignored for the others. */
const spar__test_function *spar__test_function_of(size_t name, size_t domain);

/* Its value at a point of the unit cube. */
double spar__test_function_at(const spar__test_function *f, size_t dim, const double *x);

/* The same at the point step[d] / steps of a grid, for steps >= 1. Points that mirror each other in the middle of the
 * box are mapped to exact mirror images. */
double spar__test_function_on_grid(const spar__test_function *f, size_t dim, const size_t *step, size_t steps);

#endif
