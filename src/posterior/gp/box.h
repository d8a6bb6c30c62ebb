/* box.h - the Gaussian-process belief over a continuous space, where every played point is a new arm.
 *
 * The posterior lives on a basis that grows by the points seen (growth.h): at every point of the box it is exact but
 * for what growth.h says, and the table of arms grows without rebuilding anything. The best point is the highest
 * one found on a path drawn from the posterior (paths.h, search.h).
 *
 * With r points seen, d features and F frequencies, m slots: learning a round O(m r^2); choosing O((candidates + m
 * steps) (r + F) d + m r^2), see box_best.c for the numbers. */
#ifndef SPAR_POSTERIOR_GP_BOX_H
#define SPAR_POSTERIOR_GP_BOX_H

#include "posterior/gp/gp.h"
#include "posterior/gp/growth.h"
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
spar_status spar__gp_box_draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta);
spar_status spar__gp_box_best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                              double *x);
spar_status spar__gp_box_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd);
spar_status spar__gp_box_moments_at(const spar__posterior *base, spar_scratch *scratch, const double *x, double *mean,
                                    double *sd);
spar_status spar__gp_box_peak(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *x);

/* box_duels.c: the same where duels are learned. reserve: room for a round of so many arms, whose answers take adds. */
spar_status spar__gp_duels_reserve(spar__gp_box *self, size_t arms);
void spar__gp_duels_take(spar__gp_box *self);
void spar__gp_duels_archive(spar__gp_box *self, spar__archive *ar);
spar_status spar__gp_duels_draw(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *theta);
spar_status spar__gp_duels_best(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, size_t m,
                                size_t *arm, double *x);
spar_status spar__gp_duels_peak(const spar__posterior *base, spar_scratch *scratch, spar_rng *rng, double *x);
spar_status spar__gp_duels_moments(const spar__posterior *base, spar_scratch *scratch, double *mean, double *sd);
spar_status spar__gp_duels_moments_at(const spar__posterior *base, spar_scratch *scratch, const double *x, double *mean,
                                      double *sd);

/* box_fit.c: what the duels say about lengths (dim values) and variance. */
bool spar__gp_fit_due(const spar__gp_box *self);
spar_status spar__gp_duels_fit(const spar__gp_box *self, double *length, double *variance);

/* The belief with these parameters, in *out. All but its lengths and its growth, which drop frees, is that of self. */
spar_status spar__gp_box_fitted(const spar__gp_box *self, spar__gp_box *out);
void spar__gp_box_drop(spar__gp_box *fitted);

/* Takes them over. SPAR_NOMEM: nothing has changed. If they make more functions than there may be, the old ones stay.
 */
spar_status spar__gp_box_refit(spar__gp_box *self);

#endif
