/* gp.h - the belief gp, a Gaussian process over the features of the arms: what it is, the ways to hold it, the files.
 *
 * C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006; for bandits:
 * Srinivas, Krause, Kakade, Seeger, ICML 2010; as KernelSelfSparring: Sui, Zhuang, Burdick, Yue, UAI 2017.
 *
 *     f ~ GP(0, kernel),  reward - mean - centre/2 = f(x) + e,  e ~ N(0, noise)
 *
 * Arms with equal features are one point. Of the answers about a point the number and the sum are kept, so that cost
 * does not grow with the rounds, and a round's answers are one weighted update for each point they touch. gp.c keeps
 * these, maps points to arms, fits the parameters, and bounds the error; how the posterior itself is held is the
 * business of a backing.
 *
 * A backing is a const struct of functions (spar__gp_backing below) at the foot of its file and one row of the table
 * `backings` in gp.c. It is made from a model (kernel, noise, points), learns (point, weight, mean of the answers), and
 * answers four questions: a draw at all points; where each of m draws is largest; means and deviations; covariances
 * with one point. All backings give the same posterior, up to rounding that accuracy() bounds and tests compare; they
 * differ in what they cost. All but dense write f as a sum of r functions, f = phi w with w ~ N(0, I), and keep the
 * posterior of the weights w by orthogonal updates, which do not drift (num/laplace.h). What they share of that is the
 * first part of basis.c.
 *
 *     basis      phi from a pivoted Cholesky factor of the kernel at all n points. r is what the kernel needs: about 20
 *                for a smooth function of one number, n for a rough one. A round costs O(r^2) for each point touched
 *                and each draw, and O(r n) to evaluate a draw.
 *     grid       the same for points on a product grid and a kernel that is a product: phi is a product of small bases,
 *                one an axis, and is never stored. grid.c finds the grid and all standard deviations, grid_argmax.c
 *                the maximum of a draw without evaluating all of it.
 *     matheron   functions for the points played only (gp_incremental.c), which are few. A draw is one from the prior
 *                at all points, corrected at those played. For rough kernels and many points.
 *     dense      mean and covariance of all points, always up to date: for gp_ucb over tens of arms. Only on request.
 *
 * auto takes, for kernels with few functions (se, linear), grid if there are at least two features, 64 points and a
 * grid, and else basis. Rough ones (matern) need about as many functions as there are points: from 128 points on they
 * take matheron. If the first choice cannot serve, the next one is tried. Measured with length 0.2 at 2.8 GHz,
 * microseconds of a round of 4 draws and 4 points learned, and of asking for all moments:
 *
 *     se              30 on a line    1000 on a line    8 x 8      30 x 30        100 x 100      1000 x 1000
 *     dense           9 + 0.5         3600 + 10         90 + 0.7   32000 + 12     -              -
 *     basis           3 + 3           10 + 70           8 + 25     270 + 5000     6500 + 80000   -
 *     grid            3 + 3           10 + 90           6 + 25     85 + 2600      135 + 6000     450 + 180000
 *
 * and milliseconds of a round, on average over the rounds said:
 *
 *     matern32                              30 x 30     44 x 44     64 x 64
 *     basis                                 2.7         13          -
 *     matheron, 200, 100 and 100 rounds     1.3         7           49
 *
 *     product_matern32                      30 x 30     44 x 44     300 x 300      1000 x 1000
 *     basis, grid                           2.8         6.9         -              -
 *     matheron, 200, 100, 50 and 20 rounds  0.2         0.4         18             470
 *
 * In a continuous space (a box) every point played becomes an arm, and the points are not known beforehand. So box.c is
 * a belief of its own, which gp becomes there: it keeps the posterior on the points played (gp_incremental.c again)
 * and, with duels=1, that of a logistic law; box_best.c draws functions (paths.c) and climbs them to their highest
 * points.
 *
 * pair_gp.c is another belief, a Gaussian process over pairs of arms, with a logistic likelihood. */
#ifndef SPAR_POSTERIOR_GP_GP_H
#define SPAR_POSTERIOR_GP_GP_H

#include "base/alloc.h"
#include "base/archive.h"
#include "num/kernel.h"
#include "num/laplace.h"
#include "posterior/posterior.h"

/* Answers that were observed but are not learned yet. */
typedef struct spar__gp_pending {
    double *count;   /* of each point, how many there are ... */
    double *sum;     /* ... and the sum of their rewards */
    size_t *touched; /* the points that have some, with room for all */
    size_t n_touched;
} spar__gp_pending;

void spar__gp_pending_add(spar__gp_pending *pending, size_t point, double reward, double weight);
void spar__gp_pending_clear(spar__gp_pending *pending);

/* What was ever observed of n points: adds what is pending; and all of it is to be learned again. */
void spar__gp_pending_count(const spar__gp_pending *pending, double *count, double *sum);
void spar__gp_pending_all(spar__gp_pending *pending, size_t n, const double *count, const double *sum);
void spar__gp_pending_free(spar__gp_pending *pending);

/* The places of the arms. Points are sorted by their features, so that renaming the arms changes no bit of what is
 * believed of them. */
typedef struct spar__gp_points {
    size_t n, dim;
    double *x;     /* n x dim */
    double *count; /* answers about each point ... */
    double *sum;   /* ... and the sum of their rewards */
    size_t n_arms; /* of the arms table when this was made */
    size_t *point; /* n_arms: the point of each arm */
    size_t *arm;   /* the live arms, point by point: those of point p are arm[first[p]] .. arm[first[p + 1] - 1] */
    size_t *first; /* n + 1 */
    bool *open;    /* n: has it a live arm? */
    spar__gp_pending pending;
} spar__gp_points;

spar_status spar__gp_points_make(const spar_arms *arms, spar__gp_points *out);
void spar__gp_points_free(spar__gp_points *points);

/* What is believed before anything is seen, and of what. Borrowed by a backing for its whole life. */
typedef struct spar__gp_model {
    spar__kernel kernel;
    double noise;  /* variance of one answer */
    double offset; /* y = reward - offset has mean 0 */
    const spar__gp_points *points;
} spar__gp_model;

/* A way to hold the posterior. The state is memory of `size` bytes, zero before init. Numbers that go in and out are
 * y: without the offset. */
typedef struct spar__gp_backing {
    const char *name;
    size_t size;

    /* The prior. SPAR_UNSUPPORTED, with a sentence, when it cannot serve these points or this kernel. */
    spar_status (*init)(void *self, const spar__gp_model *model, spar_error *err);
    void (*fini)(void *self); /* also after a failed init */
    void (*forget)(void *self);

    /* Room to learn about that many points that were not seen before; SPAR_UNSUPPORTED when they are too many. NULL:
     * there always is. */
    spar_status (*reserve)(void *self, size_t points);

    /* weight[i] / noise more answers about point[i], whose mean was y[i]; each point at most once. They are already
     * counted in model->points. */
    void (*learn)(void *self, size_t count, const size_t *point, const double *weight, const double *y);

    spar_status (*draw)(const void *self, spar_scratch *scratch, spar_rng *rng, double *value); /* points->n values */

    /* Where each of m independent draws is largest among the open points; ties at random. */
    spar_status (*best)(const void *self, spar_scratch *scratch, spar_rng *rng, size_t m, const bool *open,
                        size_t *point);

    spar_status (*moments)(const void *self, spar_scratch *scratch, double *mean, double *sd); /* either may be NULL */
    /* The covariances of all points with point p, and about how far rounding may have moved p's mean. */
    spar_status (*row)(const void *self, spar_scratch *scratch, size_t p, double *out, double *leak);
    double (*residual)(const void *self); /* the largest variance of a point that is left out */

    void (*archive)(void *self, spar__archive *ar); /* what learn changes; loading follows init for the same model */
} spar__gp_backing;

enum { SPAR__GP_BATCH = 16 }; /* points learned at a time */

/* The backing learns what is pending, which is then cleared; not if there is no room. */
spar_status spar__gp_pending_learn(spar__gp_pending *pending, double noise, double offset, const spar__gp_backing *cls,
                                   void *backing);

extern const spar__gp_backing spar__gp_dense, spar__gp_basis, spar__gp_grid, spar__gp_matheron;

#define SPAR__GP_BACKINGS "auto|dense|basis|grid|matheron"

/* Refuses a point where the prior's variance is too large for a double: that of a linear kernel grows with x. */
spar_status spar__gp_check_size(const spar__kernel *kernel, const double *x, spar_error *err);

/* The largest of the values seen so far, which come in pieces; ties at random. */
typedef struct spar__gp_max {
    double value;
    size_t index;
    size_t ties;
} spar__gp_max;

/* n values of the indices from `start` on; index i is point map[i] (SIZE_MAX: none; map NULL: i itself). */
void spar__gp_max_add(spar__gp_max *max, spar_rng *rng, size_t n, const double *value, size_t start, const size_t *map,
                      const bool *open);

/* A basis has at most this many functions: 30 MB and some milliseconds a round. */
enum { SPAR__GP_RANK = 2048 };
#define SPAR__GP_LARGEST 1e150   /* no saved mean or weight is larger, no variance than its square */
#define SPAR__GP_TOLERANCE 2e-15 /* of the variance that may be left out */

/* --- basis.c: backings with a fixed basis, f = phi w ---
 *
 * The first member of the state of basis, grid and dense. What they have to say is phi at a point, and phi w at all. */
typedef struct spar__gp_fixed {
    const spar__gp_model *model;
    spar__weights w;
    double residual;     /* the largest variance of a point that phi leaves out */
    double *rows, *work; /* of learn */
    void (*phi)(const struct spar__gp_fixed *self, size_t point, double *out);
    spar_status (*evaluate)(const struct spar__gp_fixed *self, spar_scratch *scratch, const double *w, double *value);
} spar__gp_fixed;

/* r functions; model, residual, phi and evaluate are the caller's to set. */
spar_status spar__gp_fixed_init(spar__gp_fixed *self, size_t r);
void spar__gp_fixed_fini(spar__gp_fixed *self);

/* As in spar__gp_backing; mean is the first half of its moments. */
void spar__gp_fixed_forget(void *state);
void spar__gp_fixed_learn(void *state, size_t count, const size_t *point, const double *weight, const double *y);
spar_status spar__gp_fixed_draw(const void *state, spar_scratch *scratch, spar_rng *rng, double *value);
spar_status spar__gp_fixed_mean(const void *state, spar_scratch *scratch, double *mean);
spar_status spar__gp_fixed_row(const void *state, spar_scratch *scratch, size_t p, double *out, double *leak);
double spar__gp_fixed_residual(const void *state);
void spar__gp_fixed_archive(void *state, spar__archive *ar);

/* With a basis that is stored, of at most `rank` functions. */
typedef struct spar__gp_stored {
    spar__gp_fixed fixed;
    spar__basis basis; /* n x r */
    double *columns;   /* r x n: the same by columns */
} spar__gp_stored;

spar_status spar__gp_stored_init(spar__gp_stored *self, const spar__gp_model *model, size_t rank);
void spar__gp_stored_fini(void *state);

enum { SPAR__GP_ROWS = 8 }; /* observations that the weights take in together */

/* m draws of w, one after the other, r numbers each. */
spar_status spar__gp_draw_weights(const spar__weights *w, spar_scratch *scratch, spar_rng *rng, size_t m, double *out);
void spar__gp_archive_weights(spar__weights *w, spar__archive *ar);

/* phi becomes the weights whose values are the covariances with phi.w; leak as in row. */
void spar__gp_weigh(const spar__weights *w, double *phi, double *leak);

/* The standard deviations of phi.w for `count` of SPAR__WIDTH columns phi (r x SPAR__WIDTH), which are used up. */
void spar__gp_lengths(const spar__weights *w, double *phi, size_t count, double *sd);

/* Can these be the numbers of answers about n points, and the sums of their rewards? */
bool spar__gp_sound(size_t n, const double *count, const double *sum);

/* Better values for the parameters that were given, from what was observed (given->points): a common factor of all
 * lengths, the variance and, if fit_noise, the noise. Deterministic. SPAR_UNSUPPORTED when there is too little to go
 * by; the outputs are as they were when it fails. */
spar_status spar__gp_fit(const spar__gp_model *given, bool fit_noise, double *length, double *variance, double *noise);

/* For tests: which backing serves, and the covariance of two arms. */
const char *spar__gp_backing_name(const spar__posterior *base);
spar_status spar__gp_covariance(const spar__posterior *base, spar_scratch *scratch, size_t arm, size_t other,
                                double *out);

/* --- gp_incremental.c: the posterior on a basis that grows with the points seen ---
 *
 * Points have keys 0, 1, ... and stand in a table x that the caller keeps (keys x dim). A point enters the basis
 * (num/kernel.h) when it is first seen; the weights (num/laplace.h) learn what is seen of it. So nothing is
 * ever rebuilt, and the cost depends on the r points seen, not on all points: O(r^2) an observation. */

enum { SPAR__GROWTH_MOST = 4096 }; /* dimensions: 270 MB, and tenths of a second a round */

typedef struct spar__growth {
    const spar__kernel *kernel;
    spar__newton basis;
    spar__weights weights;
    size_t *owner;     /* the key of each point of the basis */
    size_t keys, room; /* points; how many `place` can hold */
    size_t *place;     /* of each, its number in the basis, or one of: */
    size_t seen;       /* points that are in the basis or merged */
    double lost;       /* by merging: the variance left out times the weight of the answers, added up */
    double *work;      /* of learn */
} spar__growth;

#define SPAR__GROWTH_UNSEEN ((size_t)-1)
#define SPAR__GROWTH_MERGED ((size_t)-2) /* so close to others that it needs no dimension of its own */

/* The kernel is borrowed; tolerance as in num/kernel.h. A growth is all zeros before; fini is fine after a failed init.
 */
spar_status spar__growth_init(spar__growth *growth, const spar__kernel *kernel, double tolerance, size_t keys);
void spar__growth_fini(spar__growth *growth);
void spar__growth_forget(spar__growth *growth);

/* There are now that many keys; those that were removed were never seen. */
spar_status spar__growth_resize(spar__growth *growth, size_t keys);

/* Room to learn about `more` points not seen so far. SPAR_UNSUPPORTED: that may be more than SPAR__GROWTH_MOST. */
spar_status spar__growth_reserve(spar__growth *growth, size_t more);

/* Answers about the point key[i] had the mean y[i]; weight[i] is their number over the variance of one. */
void spar__growth_learn(spar__growth *growth, const double *x, size_t count, const size_t *key, const double *weight,
                        const double *y);

/* The means at the points of the basis, r numbers; work has as many places. */
void spar__growth_means(const spar__growth *growth, double *work, double *mean);

/* Of every key; either may be NULL. */
spar_status spar__growth_moments(const spar__growth *growth, const double *x, spar_scratch *scratch, double *mean,
                                 double *sd);

/* About how far means and standard deviations may be off because points were merged. */
double spar__growth_accuracy(const spar__growth *growth);

/* What learn changes; loading follows init for the same keys. */
void spar__growth_archive(spar__growth *growth, const double *x, spar__archive *ar);

/* --- pair_gp.c --- */

extern const spar__posterior_class spar__posterior_pair_gp;
extern const spar_param spar__pair_gp_params[];

/* The variance of P(arm beats k) for every arm k. */
spar_status spar__pair_gp_variances(const spar__posterior *base, spar_scratch *scratch, size_t arm, double *variance);

#endif
