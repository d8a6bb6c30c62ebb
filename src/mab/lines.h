/* lines.h - the highest of many lines a + b w while w grows and now and then one line is replaced.
 *
 * A kinetic tournament (Basch, Guibas, Hershberger, Data structures for mobile data, J. Algorithms 1999). The leaves of
 * a binary tree are blocks of lines; a node keeps a line that none below it exceeds, and the w until which this is
 * sure. A change walks one path to the root, and on the way renews the expired nodes beside it: O(log n) and, averaged
 * over many changes, a few renewals.
 *
 * Lines stand for values that are computed exactly elsewhere and differ from a + b w by rounding. A line that is higher
 * by more than that is certainly the higher one; where lines are closer, the exact values are compared. So the pick
 * depends on exact values alone, never on the history of the tree. */
#ifndef SPAR_MAB_LINES_H
#define SPAR_MAB_LINES_H

#include "sampler/rng.h"

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct spar__lines {
    size_t n;
    double *a, *b; /* of line i; a = INFINITY (with b = 0): above all others, -INFINITY: never picked */
    double w;
    size_t room;   /* lines that there is memory for */
    size_t leaves; /* blocks, a power of two */
    struct spar__lines_node
        *node; /* 2 leaves: the children of i are 2 i and 2 i + 1, the root is 1; NULL for one leaf */
} spar__lines; /* zeroed at first */

/* The exact value of line i: within 2^-42 of a + b w, relatively; equal for equal a and b. Neither is negative. */
typedef double spar__line_value(void *context, size_t i);

/* Room for n lines; those that are new are at -INFINITY. On failure everything is as before. *moved says whether they
 * have to be built afterwards, which costs O(n): seldom when one line comes at a time. */
spar_status spar__lines_fit(spar__lines *lines, size_t n, bool *moved);
void spar__lines_free(spar__lines *lines);

/* After a and b were filled in. */
void spar__lines_build(spar__lines *lines, double w);

/* Line i becomes a + b w; w is not smaller than before. */
void spar__lines_move(spar__lines *lines, size_t i, double a, double b, double w);

/* The highest line, ties broken uniformly: by one draw below their number, in the order of the lines. Without ties
 * there is no draw, except among those at INFINITY. Values are computed only where lines are close. */
size_t spar__lines_pick(const spar__lines *lines, spar_rng *rng, spar__line_value *value, void *context);

#endif
