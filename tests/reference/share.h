/* share.h - a check that a count of independent draws fits a probability. */
#ifndef SPAR_TESTS_REFERENCE_SHARE_H
#define SPAR_TESTS_REFERENCE_SHARE_H

#include "tap.h"

/* A share of n draws within 5 standard errors of p; exact when p is 0 or 1. */
static void share(size_t hits, size_t n, double p, const char *what)
{
    near((double)hits / (double)n, p, 5 * sqrt(p * (1 - p) / (double)n), "%s: share %.5f", what, p);
}

#endif
