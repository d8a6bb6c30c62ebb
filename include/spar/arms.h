/* arms.h - the options being compared.
 *
 * An arm has a stable index: the table can grow, an arm can retire, and the index of a retired arm is never reused.
 * Features and names are optional. A space is a finite set of arms, or a box in R^dim to which every played point is
 * appended as an arm. */
#ifndef SPAR_ARMS_H
#define SPAR_ARMS_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_space_kind { SPAR_SPACE_FINITE, SPAR_SPACE_BOX } spar_space_kind;

typedef struct spar_space {
    spar_space_kind kind;
    double *lo, *hi; /* dim values each for a box, else NULL */
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

/* An empty table over the box lo..hi in R^dim. */
SPAR_API spar_status spar_arms_new_box(size_t dim, const double *lo, const double *hi, spar_arms **out);

SPAR_API spar_status spar_arms_copy(const spar_arms *arms, spar_arms **out);

/* Appends a live arm; x has dim values (NULL when dim is 0) and lies in the box if there is one, name may be NULL. Its
 * index goes to *index if not NULL. */
SPAR_API spar_status spar_arms_add(spar_arms *arms, const double *x, const char *name, size_t *index);

/* Retires an arm for good. */
SPAR_API spar_status spar_arms_retire(spar_arms *arms, size_t index);

SPAR_API void spar_arms_free(spar_arms *arms);

#ifdef __cplusplus
}
#endif

#endif
