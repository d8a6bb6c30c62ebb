/* arms.h - the options being compared.
 *
 * An arm has a stable index: the table can grow, an arm can retire, and the index of a retired arm is never reused.
 * Features and names are optional. A space is a finite set of arms, or a box in R^dim, all or some of whose axes are
 * continuous, to which every played point is appended as an arm. */
#ifndef SPAR_ARMS_H
#define SPAR_ARMS_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_space_kind { SPAR_SPACE_FINITE, SPAR_SPACE_BOX } spar_space_kind;

typedef enum spar_axis_kind {
    SPAR_AXIS_RANGE,  /* any number in lo .. hi: one feature */
    SPAR_AXIS_LEVELS, /* n >= 2 equally spaced numbers from lo to hi: one feature */
    SPAR_AXIS_CHOICE  /* one of n categories: n features, 0 but for the chosen one's, which is hi */
} spar_axis_kind;

typedef struct spar_axis {
    spar_axis_kind kind;
    double lo, hi;
    size_t n;
} spar_axis;

typedef struct spar_space {
    spar_space_kind kind;
    size_t n_axes;   /* of a box, else 0 */
    spar_axis *axis; /* n_axes, in the order of their features, or NULL */
} spar_space;

/* Read freely; change only through the functions below. */
typedef struct spar_arms {
    size_t n;     /* arms ever made; indices are 0 .. n-1 */
    size_t live;  /* how many of them are not retired */
    size_t dim;   /* features per arm, 0 for none */
    double *x;    /* n x dim features, row by row, or NULL */
    char **name;  /* n names (an entry may be NULL), or NULL */
    bool *alive;  /* n flags */
    size_t capacity;
    spar_space space;
} spar_arms;

/* n live arms; x (n x dim) and names (n) are copied, each may be NULL (x must be NULL exactly when dim is 0). */
SPAR_API spar_status spar_arms_new(size_t n, size_t dim, const double *x, const char *const *names, spar_arms **out);

/* An empty table over the box lo..hi in R^dim, and over one with axes of several kinds. */
SPAR_API spar_status spar_arms_new_box(size_t dim, const double *lo, const double *hi, spar_arms **out);
SPAR_API spar_status spar_arms_new_space(size_t n_axes, const spar_axis *axis, spar_arms **out);

/* The number of features of an axis, and level i of one with levels: lo + (hi - lo) i / (n - 1). */
SPAR_API size_t spar_axis_features(const spar_axis *axis);
SPAR_API double spar_axis_level(const spar_axis *axis, size_t i);

/* Is this a point of the space: finite, and, in a box, in range on every axis? */
SPAR_API bool spar_arms_admit(const spar_arms *arms, const double *x);

SPAR_API spar_status spar_arms_copy(const spar_arms *arms, spar_arms **out);

/* Appends a live arm; x has dim values (NULL when dim is 0) and is a point of the space, name may be NULL. Its index
 * goes to *index if not NULL. */
SPAR_API spar_status spar_arms_add(spar_arms *arms, const double *x, const char *name, size_t *index);

/* Retires an arm for good. */
SPAR_API spar_status spar_arms_retire(spar_arms *arms, size_t index);

SPAR_API void spar_arms_free(spar_arms *arms);

#ifdef __cplusplus
}
#endif

#endif
