/* laplace.h - Laplace's approximation of a logistic regression with a standard normal prior.
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
#ifndef SPAR_NUM_LAPLACE_H
#define SPAR_NUM_LAPLACE_H

#include "num/weights.h"

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
