/* pair_gp.h - the belief pair_gp in its parts: pair_gp.c has the class and learning, pair_gp_scores.c the answers. */
#ifndef SPAR_POSTERIOR_GP_PAIR_GP_H
#define SPAR_POSTERIOR_GP_PAIR_GP_H

#include "num/kernel.h"
#include "num/laplace.h"
#include "posterior/posterior.h"
#include "types/arms.h"

typedef struct spar__arm_pair {
    size_t first, second; /* arms, the lowest-numbered ones of their points */
} spar__arm_pair;

typedef struct spar__pair_gp {
    spar__posterior base;
    double variance;
    double *length;       /* of both arms' features */
    spar__points points;  /* of the arms */
    double *live;         /* the number of live arms on each point */
    spar__basis phi;      /* of the points, so that the product of two has the variance of f */
    double *phi_t;        /* its transpose */
    spar__arm_pair *pair; /* those that were seen: belief.n */
    size_t *member;       /* those of them in the basis: basis.r */
    size_t room;          /* of these two arrays */
    spar__newton basis;   /* of functions of a pair */
    spar__laplace belief;
    double *x;    /* features of both arms of a pair: working memory of learning */
    bool settled; /* nothing was observed since the mode was found */
} spar__pair_gp;

extern const spar__posterior_class spar__posterior_pair_gp;
extern const spar_param spar__pair_gp_params[];

/* The covariance of f, and the features of a pair of arms. */
spar__kernel spar__pair_gp_kernel(const spar__pair_gp *self);
void spar__pair_gp_features(const spar__pair_gp *self, size_t first, size_t second, double *x);

/* As in posterior.h. */
spar_status spar__pair_gp_draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta);
spar_status spar__pair_gp_best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                               double *x);
spar_status spar__pair_gp_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd);

/* The variance of P(arm beats k) for every arm k. */
spar_status spar__pair_gp_variances(const spar__posterior *base, spar_scratch *scratch, size_t arm, double *variance);

#endif
