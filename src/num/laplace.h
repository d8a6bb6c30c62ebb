/* laplace.h - posteriors of weights, given numbers (weights) or wins and losses (laplace). */
#ifndef SPAR_NUM_LAPLACE_H
#define SPAR_NUM_LAPLACE_H

#include "base/error.h"
#include "num/linear.h"

/* The posterior of w ~ N(0, I_r) given y = phi.w + noise, as the triangle of a QR factorisation.
 *
 *     R^T R = I + sum_i weight_i phi_i phi_i^T,     R^T z = sum_i weight_i y_i phi_i,     w ~ N(R^-1 z, (R^T R)^-1)
 *
 * where weight = n / noise variance for the mean y of n observations. Observations are turned into (R, z) by orthogonal
 * transformations. That only ever adds, so it never fails, and errors grow with cond(R), the root of the
 * condition of R^T R. The steps do not drift: after a million observations of 64 points in 19 and 64 dimensions, with
 * weights of 40 and of 1e6, mean and standard deviation differ from those of the same counts factorised at once by less
 * than 1e-13 (the latter of itself). There is nothing to refresh. */
typedef struct spar__weights {
    size_t r;
    size_t stride; /* numbers in a row of R: room for as many dimensions */
    double *R;     /* row by row; zeros below the diagonal and beyond r; its diagonal is >= 1 */
    double *z;
    double *lost; /* of each dimension, what rounding may have done: see spar__weights_add */
} spar__weights;

spar_status spar__weights_init(spar__weights *w, size_t r);
void spar__weights_free(spar__weights *w);
void spar__weights_forget(spar__weights *w); /* back to the prior */

/* Makes room for that many dimensions; as it was when memory fails. Append takes a place: one more dimension, of which
 * no observation so far depends. */
spar_status spar__weights_grow(spar__weights *w, size_t capacity);
void spar__weights_append(spar__weights *w);

/* Takes in `count` observations, best all of a round at once: phi[i] (r numbers) was seen as y[i] with weight[i]. work
 * has count x (stride + 1) places. Rounding turns each into one of a slightly different phi, whose miss y - phi.w tells
 * w something false: R^T z is off by about 1e-16 weight sqrt(|phi_j| |phi|) (y - phi.w) in dimension j (that root is
 * what fits; an element is wrong by more than its own share). lost[j] sums the squares of that without the 1e-16. */
void spar__weights_add(spar__weights *w, size_t count, const double *const *phi, const double *weight, const double *y,
                       double *work);

/* rhs <- R^-1 rhs for m right-hand sides, r x m, where m is 1 or a multiple of SPAR__WIDTH. The mean is rhs = z; a
 * draw is rhs = z + standard normals. */
void spar__weights_solve(const spar__weights *w, size_t m, double *rhs);

/* out = the mean of w, r numbers. */
void spar__weights_mean(const spar__weights *w, double *out);

/* rhs <- R^-T rhs. |R^-T phi|^2 is the variance of phi.w, and (R^-T phi).(R^-T psi) a covariance. */
void spar__weights_half(const spar__weights *w, size_t m, double *rhs);

/* Laplace's approximation of a logistic regression with a standard normal prior.
 *
 *     w ~ N(0, I_r),   row i of G (n x r) won won[i] times and lost lost[i] times, each with P(win) = sigma(G[i].w)
 *
 * is approximated by N(mode, (I + G^T W G)^-1), W = diag((won + lost) p (1 - p)) with p = sigma(G mode). Rows and
 * columns only ever come.
 *
 * The log posterior is strictly concave, so the mode is unique: Newton steps from the last mode, halved until they
 * climb, go on until they are 1e-10 of a standard deviation. The factor at hand is used as long as a step with it makes
 * the next one ten times smaller. Cost of settling: about ten products with G and one or two factorisations of n r^2
 * operations. */

typedef struct spar__laplace {
    size_t n, room;       /* rows, and how many there is room for */
    double *G;            /* n x r, root.stride numbers a row; zeros beyond what a row was given */
    double *won, *lost;   /* n */
    double *mode;         /* r = root.r */
    spar__weights root;   /* R^T R = I + G^T W G at the mode; z is 0 */
    double *f, *p;        /* n each: working memory of settling, as are */
    double *trial, *step; /* these, of r, */
    double *work;         /* and this, for the rows of a block */
} spar__laplace;

void spar__laplace_free(spar__laplace *l); /* all zero is a good beginning */

void spar__laplace_forget(spar__laplace *l); /* no rows and no columns; the room stays */

/* Room for `more` rows and columns; as it was when memory fails. */
spar_status spar__laplace_reserve(spar__laplace *l, size_t more);

/* One more row without counts, for the caller to fill: room for r + 1 numbers, all zero. One more column, which is zero
 * in all rows that were full before. */
double *spar__laplace_add_row(spar__laplace *l);
void spar__laplace_add_column(spar__laplace *l);

/* After counts changed: finds mode and root. */
void spar__laplace_settle(spar__laplace *l);

/* Makes the root for the mode that is there: the second half of settling. */
void spar__laplace_factor(spar__laplace *l);

#endif
