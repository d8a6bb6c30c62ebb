/* arms.h - the inside of the arms table, its bytes, its points, and arrays that follow it. Read freely; change only
 * through the functions of <spar/arms.h>. */
#ifndef SPAR_TYPES_ARMS_H
#define SPAR_TYPES_ARMS_H

#include "base/archive.h"

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

/* The arms table to bytes and back. */

/* Loading makes *arms (NULL before); on failure it is NULL and ar->failed is set. */
void spar__arms_archive(spar_arms **arms, spar__archive *ar);

/* A table without arms, of dim features or over so many axes, which load_axis reads one by one. */
spar_arms *spar__arms_load_space(size_t dim, size_t axes, void load_axis(spar__space_axis *, spar__archive *),
                                 spar__archive *ar);

/* Where arms with features stand: their distinct points, in lexicographic order.
 *
 * What is computed in this order does not depend on how the arms are numbered. */

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

/* Arrays with one number per arm, which follow the arms table as it grows. */

typedef struct spar__per_arm {
    size_t n, capacity; /* all zero at first */
} spar__per_arm;

/* Gives each of the `count` arrays (NULL at first) a place for every arm; places of new arms hold 0. Afterwards n is
 * the number of arms. On failure everything is as usable as before. */
spar_status spar__per_arm_fit(spar__per_arm *size, const spar_arms *arms, size_t count, double **const array[]);

#endif
