/* least.h - the minimum of a test function over a unit cube some of whose axes have levels only. */
#ifndef SPAR_ENV_LEAST_H
#define SPAR_ENV_LEAST_H

#include "env/test_functions.h"
#include "types/arms.h"

/* axis: dim of them, ranges or levels from 0 to 1. Without levels it is the known minimum; otherwise it is searched
 * for, always in the same way. */
double spar__test_function_least(const spar__test_function *f, size_t dim, const spar__space_axis *axis);

#endif
