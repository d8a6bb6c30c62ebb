/* pair_gp.h - a Gaussian process over ordered pairs of arms, seen through duels.
 *
 *     P(x beats x') = sigma(f(x, x')),   f ~ GP(0, k)
 *     k((x, x'), (y, y')) = variance exp(-(|x - y|^2 + |x' - y'|^2) / (2 length^2))
 *
 * A duel is one observation of its ordered pair; an arm beside itself is a pair like any other. The posterior of f is
 * Laplace's approximation. Of the p distinct pairs seen, r enter a basis (num/newton.h), and the posterior is that of r
 * weights (num/laplace.h): each pair's coordinates are a row of its G.
 *
 * A draw over all pairs needs no factor of their covariance. With phi phi^T the covariance of the n points, phi Z phi^T
 * is a draw of the prior for Z of standard normals, and what the weights say moves it by phi C phi^T for some C
 * (Matheron's rule).
 *
 * What was learned is about features: arms on one point share it, and new arms only mean more points. */
#ifndef SPAR_POSTERIOR_GP_PAIR_GP_H
#define SPAR_POSTERIOR_GP_PAIR_GP_H

#include "base/archive.h"
#include "base/scratch.h"
#include "num/basis.h"
#include "num/laplace.h"
#include "num/newton.h"
#include "types/points.h"

#include <spar/rng.h>

typedef struct spar__pair {
    size_t first, second; /* arms, the lowest-numbered ones of their points */
} spar__pair;

typedef struct spar__pair_gp {
    const spar_arms *arms; /* with features; borrowed */
    double variance;
    double *length;      /* of both arms' features */
    spar__points points; /* of the arms */
    spar__basis phi;     /* of the points, so that the product of two has the variance of f */
    double *phi_t;       /* its transpose */
    spar__pair *pair;    /* those that were seen: belief.n */
    size_t *member;      /* those of them in the basis: basis.r */
    size_t room;         /* of these two arrays */
    spar__newton basis;  /* of functions of a pair */
    spar__laplace belief;
    double *x; /* features of both arms of a pair: working memory of learning */
} spar__pair_gp;

spar_status spar__pair_gp_init(spar__pair_gp *self, const spar_arms *arms, double length, double variance);
void spar__pair_gp_free(spar__pair_gp *self);          /* also after a failed init */
spar_status spar__pair_gp_resize(spar__pair_gp *self); /* an arm came or retired */

/* Room for one more duel; then what it was: won is 1, 1/2 or 0 for the first arm. O(p r^2). */
spar_status spar__pair_gp_reserve(spar__pair_gp *self);
void spar__pair_gp_learn(spar__pair_gp *self, size_t first, size_t second, double won);

/* f[i][j] for all points i, j: a draw of the posterior. Leaves its memory on the scratch. O(n^2 q + r^2) with q columns
 * of phi. */
spar_status spar__pair_gp_draw(const spar__pair_gp *self, spar_scratch *scratch, spar_rng *rng, double *f);

/* Mean and variance of sigma(f) for one point beside each of all, and what it takes to find them. */
typedef struct spar__outlook {
    double *mean, *variance;
    double *x;    /* features of the pairs */
    double *g;    /* their coordinates, a column each: r x lanes */
    size_t lanes; /* points, rounded up */
} spar__outlook;

bool spar__pair_gp_outlook(const spar__pair_gp *self, spar_scratch *scratch, spar__outlook *o); /* false: no memory */
void spar__pair_gp_look(const spar__pair_gp *self, size_t point, spar__outlook *o);             /* O(n r^2) */

void spar__pair_gp_archive(spar__pair_gp *self, spar__archive *ar);

#endif
