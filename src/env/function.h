/* function.h - the functions that function.c makes utilities of. Test functions are known to be hard to minimise, each
 * on its box.
 *
 * Points are given in the unit cube [0,1]^dim and mapped to the box of the function. */
#ifndef SPAR_ENV_FUNCTION_H
#define SPAR_ENV_FUNCTION_H

#include "num/kernel.h"
#include "sampler/rng.h"
#include "types/arms.h"

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

/* The minimum of a test function over a unit cube some of whose axes have levels only. */

/* axis: dim of them, ranges or levels from 0 to 1. Without levels it is the known minimum; otherwise it is searched
 * for, always in the same way. */
double spar__test_function_least(const spar__test_function *f, size_t dim, const spar__space_axis *axis);

/* Functions drawn from a Gaussian process on a grid of the unit interval or square: mean 0, variance 1,
 * squared exponential kernel. The same stream gives the same bits on every CPU. */

typedef struct spar__gp_draw {
    size_t points, dim;
    spar__basis basis; /* of an axis */
    double *columns;   /* the same by columns */
} spar__gp_draw;

/* points >= 2 along each of dim (1 or 2) axes. */
spar_status spar__gp_draw_init(spar__gp_draw *draw, size_t points, size_t dim, double length, spar_error *err);
void spar__gp_draw_free(spar__gp_draw *draw);

/* A draw at all points^dim points, the last axis running fastest. Fails only when out of memory. */
spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out);

#endif
