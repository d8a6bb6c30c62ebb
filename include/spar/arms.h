/* arms.h - the options being compared.
 *
 * An arm has a stable index 0, 1, 2, ...: the table can grow, an arm can retire, and the index of a retired arm is
 * never reused. Features and names are optional. The table describes a finite set of arms, or a continuous space (a box
 * in R^dim, some of whose axes may have levels or categories), to which every played point is appended as an arm.
 *
 * Threads: a table may be read by several threads at once; a thread that changes it must be alone. NULL is refused
 * unless said otherwise: see status.h. */
#ifndef SPAR_ARMS_H
#define SPAR_ARMS_H

#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_arms spar_arms;
typedef struct spar_space spar_space;

/* No arm: what a search by name gives when there is none. */
#define SPAR_NO_ARM ((size_t)-2)

/* A continuous space, axis by axis. A new one has no axes. */
SPAR_API spar_status spar_space_new(spar_space **out);
SPAR_API void spar_space_free(spar_space *space); /* NULL is fine */

/* Any number in lo .. hi: one feature. */
SPAR_API spar_status spar_space_add_range(spar_space *space, double lo, double hi);

/* n >= 2 equally spaced numbers from lo to hi, level i being lo + (hi - lo) i / (n - 1): one feature. */
SPAR_API spar_status spar_space_add_levels(spar_space *space, double lo, double hi, size_t n);

/* One of n >= 1 categories: n features, all 0 but the one of the chosen category, which is `on` (not 0). */
SPAR_API spar_status spar_space_add_choice(spar_space *space, size_t n, double on);

/* n live arms; x (n x dim) and names (n) are copied, each may be NULL (x must be NULL exactly when dim is 0). */
SPAR_API spar_status spar_arms_new(size_t n, size_t dim, const double *x, const char *const *names, spar_arms **out);

/* An empty table over the box lo..hi in R^dim, or over any space, which is copied. */
SPAR_API spar_status spar_arms_new_box(size_t dim, const double *lo, const double *hi, spar_arms **out);
SPAR_API spar_status spar_arms_new_space(const spar_space *space, spar_arms **out);

SPAR_API spar_status spar_arms_dup(const spar_arms *arms, spar_arms **out); /* a new table with the same arms */
SPAR_API void spar_arms_free(spar_arms *arms);                              /* NULL is fine */

SPAR_API size_t spar_arms_count(const spar_arms *arms);    /* arms ever made; indices are 0 .. count - 1 */
SPAR_API size_t spar_arms_live(const spar_arms *arms);     /* how many of them are not retired */
SPAR_API size_t spar_arms_dim(const spar_arms *arms);      /* features per arm, 0 for none */
SPAR_API bool spar_arms_continuous(const spar_arms *arms); /* is it a box, rather than a list? */

/* Of one arm: is it live; its name or NULL; its features or NULL. False or NULL for an index out of range. Borrowed
 * until the table changes. */
SPAR_API bool spar_arms_alive(const spar_arms *arms, size_t index);
SPAR_API const char *spar_arms_name(const spar_arms *arms, size_t index);
SPAR_API const double *spar_arms_features(const spar_arms *arms, size_t index);

/* The first arm of this name, retired or not, or SPAR_NO_ARM. */
SPAR_API size_t spar_arms_find(const spar_arms *arms, const char *name);

/* Is x (dim numbers) a point of the space: finite, and, in a continuous space, in range on every axis? */
SPAR_API bool spar_arms_admit(const spar_arms *arms, const double *x);

/* Appends a live arm; x has dim values (NULL when dim is 0) and is a point of the space, name may be NULL. Its index
 * goes to *index if that is not NULL. */
SPAR_API spar_status spar_arms_add(spar_arms *arms, const double *x, const char *name, size_t *index);

/* Retires an arm for good. */
SPAR_API spar_status spar_arms_retire(spar_arms *arms, size_t index);

#ifdef __cplusplus
}
#endif

#endif
