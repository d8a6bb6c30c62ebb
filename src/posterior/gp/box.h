/* box.h - what the belief over a continuous space is made of: itself (box.c), random functions (paths.c), a search for
 * their highest points (box_best.c). */
#ifndef SPAR_POSTERIOR_GP_BOX_H
#define SPAR_POSTERIOR_GP_BOX_H

#include "base/alloc.h"
#include "num/kernel.h"
#include "num/laplace.h"
#include "posterior/gp/gp.h"
#include "sampler/rng.h"
#include "types/arms.h"

/* How often one arm was preferred to another. */
typedef struct spar__gp_duel {
    size_t a, b;
    double won, lost;
} spar__gp_duel;

typedef struct spar__gp_box {
    spar__posterior base;
    spar__kernel kernel;
    double *length; /* dim values */
    double noise;   /* variance of one answer */
    double offset;  /* y = reward - offset has mean 0 */
    double explore; /* how far draws are from the mean, in posterior standard deviations */
    double apart;   /* lengths between the points of a round; 0: none */
    size_t start;   /* duels of points all over the box before draws choose */
    spar__growth growth;
    double *count;            /* answers about each arm ... */
    double *sum;              /* ... and the sum of their rewards */
    spar__gp_pending pending; /* by arm */
    spar__per_arm size;       /* of all these counts and sums */
    size_t room;              /* of its list of those touched */
    bool duels; /* it learns duels: then the weights of growth stay as they are before anything is known */
    spar__gp_duel *duel;
    size_t n_duels, duel_room;
    size_t fit;            /* duels between fits of length and variance; 0: never */
    size_t fitted;         /* duels at the last one */
    bool behind;           /* for which there was no memory: it is to be made up for */
    double *given;         /* if there are fits: the lengths ... */
    double given_variance; /* ... and the variance as written */
} spar__gp_box;

/* Makes the belief, which is all zeros but for its base, one over a box: its class changes. Takes over length, which
 * the kernel of the model refers to. */
spar_status spar__gp_box_init(spar__posterior *base, const spar__values *values, const spar__gp_model *model,
                              double *length, spar_error *err);

/* As in posterior.h. */
spar_status spar__gp_box_draw(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, double *theta);
spar_status spar__gp_box_best(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                              double *x);
spar_status spar__gp_box_peak(const spar__gp_box *self, spar_scratch *scratch, spar_rng *rng, double *x);

/* --- paths.c: random functions with a kernel's covariance, as finite sums ---
 *
 * A stationary kernel is the mean of variance cos(omega.(x - y)) over its spectral law: SE normal, Matern nu a
 * multivariate t with 2 nu degrees of freedom, a product of Materns a t in every dimension. With a frequency omega_k
 * drawn from it and two standard normals a, b each,
 *
 *     f(x) = sqrt(variance / F) sum_k a_k cos(omega_k.x) + b_k sin(omega_k.x)
 *
 * has the kernel as its covariance when the frequencies are drawn too, exactly the kernel's variance at every x for any
 * frequencies, and tends to a Gaussian process as F grows (Rahimi and Recht, NIPS 2007). A linear kernel has the
 * coordinates as features and needs no random numbers. */

enum { SPAR__FREQUENCIES = 512 };

typedef struct spar__features {
    const spar__kernel *kernel;
    size_t n;           /* features of a point */
    size_t frequencies; /* half of them; 0 for a linear kernel */
    double amplitude;
    double *turns; /* dim x frequencies: turns per unit */
} spar__features;

/* Takes memory from the scratch, which the caller releases, and F x dim normals and the gammas of the t laws from the
 * rng. */
spar_status spar__features_draw(spar__features *features, const spar__kernel *kernel, spar_scratch *scratch,
                                spar_rng *rng);

/* The features of `count` points, count x n. */
void spar__features_at(const spar__features *features, size_t count, const double *x, double *out);

/* The value at x of the function with these weights; its gradient is added to `gradient` (dim numbers). work has n
 * places. */
double spar__features_slope(const spar__features *features, const double *weight, const double *x, double *gradient,
                            double *work);

/* --- paths.c: functions drawn from the posterior, that can be asked for their value and slope anywhere ---
 *
 * Matheron's rule, with random features for the prior (Wilson et al., ICML 2020): a function drawn from the prior, plus
 * what takes it to values drawn from the posterior at the points of the basis,
 *
 *     f(x) = prior(x) + k(x, U) T^-1 (w - T^-T prior(U)),     w ~ the posterior of the weights
 *
 * At the points of U the values have exactly their posterior law; elsewhere it is exact but for the number of
 * features. Paths drawn together share their frequencies and are independent but for these. With F features and d
 * dimensions m paths take O(m r (r + F)) operations to draw, and a value or a slope O((r + F) d). */

typedef struct spar__paths {
    const spar__kernel *kernel;
    const spar__newton *basis;
    spar__features features;
    size_t m, lanes; /* functions; columns of the tables below */
    double *weight;  /* features.n x lanes */
    double *coef;    /* r x lanes: the weight of each k(x, u) */
    double *line;    /* m x (features.n + r): weight and coef, function by function */
    double *at_u;    /* m x r: their values at the points of the basis */
    double *work;    /* of every question: paths are asked by one thread */
} spar__paths;

/* Takes memory from the scratch, which the caller releases. How far functions are from the mean is multiplied by
 * explore; 1 is the posterior. */
spar_status spar__paths_draw(spar__paths *paths, const spar__kernel *kernel, const spar__newton *basis,
                             const spar__weights *weights, double explore, size_t m, spar_scratch *scratch,
                             spar_rng *rng);

/* The posterior mean as a path, the only one: no features, the same questions. */
spar_status spar__paths_mean(spar__paths *paths, const spar__kernel *kernel, const spar__newton *basis,
                             const spar__weights *weights, spar_scratch *scratch);

/* The values of all functions at n points, n x lanes (columns beyond m have no meaning); of one, n numbers. */
void spar__paths_values(const spar__paths *paths, size_t n, const double *x, double *value);
void spar__path_values(const spar__paths *paths, size_t j, size_t n, const double *x, double *value);

/* Value and gradient (dim numbers) of function j at x. */
double spar__path_slope(const spar__paths *paths, size_t j, const double *x, double *gradient);

/* --- box_best.c: the highest point of a function over a box: where to begin, and how to climb ---
 *
 * Ranges are climbed along the slope, all at once; levels and choices by moves along one axis to the best of its
 * values, until neither helps. A climb finds the top of the hill it starts on; several starts make it likely that one
 * of them is the highest. */

/* What is climbed. values may be -INFINITY where no answer is wanted; slope gives the value too. */
typedef struct spar__surface {
    const void *self;
    void (*values)(const void *self, size_t n, const double *x, double *value);
    double (*slope)(const void *self, const double *x, double *gradient);
    double unit; /* a difference that matters: below 1e-9 of it the climb ends */
} spar__surface;

typedef struct spar__search {
    const spar_space *space;
    size_t dim;
    const double *scale; /* dim numbers: how far one has to go to see a change */
} spar__search;

/* At most n points all over the box: stratified along every axis (a Latin hypercube), or every point there is when
 * those are no more than n. Returns how many; 0 when there was no memory. */
size_t spar__search_spread(const spar__search *search, size_t n, spar_scratch *scratch, spar_rng *rng, double *x);

/* A point near x: `step` scales away on the ranges, sometimes another value on one of the other axes. */
void spar__search_nearby(const spar__search *search, const double *x, double step, spar_rng *rng, double *out);

/* Improves x; its value goes to *value. */
spar_status spar__search_climb(const spar__search *search, const spar__surface *surface, spar_scratch *scratch,
                               double *x, double *value);

#endif
