/* axes.h - the inside of the axes of a space. */
#ifndef SPAR_SESSION_AXES_H
#define SPAR_SESSION_AXES_H

#include "base/error.h"

#include <spar/axes.h>

enum {
    SPAR__AXES_MOST = 16,
    SPAR__AXES_WORDS = 64,        /* levels or choices of an axis */
    SPAR__AXES_CHARACTERS = 40,   /* of a name, a unit, a choice */
    SPAR__AXES_BYTES = 8192,      /* of the text */
    SPAR__AXES_VALUE = 4 * 40 + 1 /* bytes that a value needs as text, with the zero at its end */
};

/* The feature of a choice that is chosen. It is in the log of every experiment with a choice: it cannot change. Two
 * choices are as alike as two values of a range that are 0.42 of it apart. */
#define SPAR__AXES_ON 0.3

typedef struct spar__dial {
    spar_axis_kind kind;
    char *name, *unit; /* unit may be NULL */
    size_t n;          /* values */
    double lo, hi;     /* limits of a range */
    double span;       /* of a range with log: log(hi / lo) */
    long first;        /* of a range: its first value, as a multiple of 10^power or (log) a place among all numbers of
                          3 digits */
    int power;
    char **word;   /* of levels and choices */
    double *level; /* of levels */
} spar__dial;

struct spar_axes {
    char *text;
    spar__dial *axis;
    size_t n, dim;
};

/* The point goes to the nearest value of each axis. */
void spar__axes_round(const spar_axes *axes, double *x);

/* Another point that is none of the n points (n x dim) before: a single axis changes by as little as possible. False:
 * there are no more than n. */
bool spar__axes_separate(const spar_axes *axes, size_t n, const double *before, double *x);

#endif
