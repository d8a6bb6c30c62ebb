/* arms.h - the inside of the arms table. Read freely; change only through the functions of <spar/arms.h>. */
#ifndef SPAR_TYPES_ARMS_H
#define SPAR_TYPES_ARMS_H

#include <spar/arms.h>

typedef enum spar__space_axis_kind {
    SPAR__AXIS_RANGE,  /* any number in lo .. hi: one feature */
    SPAR__AXIS_LEVELS, /* n equally spaced numbers from lo to hi: one feature */
    SPAR__AXIS_CHOICE  /* one of n categories: n features, 0 but for the chosen one's, which is hi */
} spar__space_axis_kind;

typedef struct spar__space_axis {
    spar__space_axis_kind kind;
    double lo, hi;
    size_t n;
} spar__space_axis;

struct spar_space {
    size_t n_axes;          /* 0: a finite set of arms */
    spar__space_axis *axis; /* n_axes, in the order of their features, or NULL */
};

enum { SPAR__MOST_FEATURES = 1 << 20 }; /* of an arm */

struct spar_arms {
    size_t n;    /* arms ever made; indices are 0 .. n-1 */
    size_t live; /* how many of them are not retired */
    size_t dim;  /* features per arm, 0 for none */
    double *x;   /* n x dim features, row by row, or NULL */
    char **name; /* n names (an entry may be NULL), or NULL */
    bool *alive; /* n flags */
    size_t capacity;
    size_t turned; /* whose flag changed last: a hint for those who follow the table, so that they need not look at all
                      arms; below n, 0 at first */
    spar_space space;
};

static inline bool spar__arms_continuous(const spar_arms *arms)
{
    return arms->space.n_axes > 0;
}

/* The number of features of an axis, and level i of one with levels: lo + (hi - lo) i / (n - 1). */
size_t spar__axis_features(const spar__space_axis *axis);
double spar__axis_level(const spar__space_axis *axis, size_t i);

#endif
