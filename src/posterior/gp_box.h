/* gp_box.h - the Gaussian-process belief over a continuous space, where every played point is a new arm.
 *
 * The posterior lives on a basis that grows by the points seen (growth.h): exact at every point of the box, and the
 * table of arms grows without anything being built anew. The best point is the highest one found on a path drawn from
 * the posterior (paths.h, search.h).
 *
 * With r points seen, d features and F frequencies, m slots: learning a round O(m r^2); choosing O((candidates + m
 * steps) (r + F) d + m r^2), see gp_box.c for the numbers. */
#ifndef SPAR_POSTERIOR_GP_BOX_H
#define SPAR_POSTERIOR_GP_BOX_H

#include "posterior/growth.h"
#include "posterior/posterior.h"
#include "types/per_arm.h"

typedef struct spar__gp_box {
    const spar_arms *arms;
    const spar__kernel *kernel;
    double noise;  /* variance of one answer */
    double offset; /* y = reward - offset has mean 0 */
    spar__growth growth;
    spar__per_arm size;          /* of the next four */
    double *count, *sum;         /* the answers about each arm and their rewards */
    double *new_count, *new_sum; /* of the round that is being learned */
    size_t n_touched, room;
    size_t *touched; /* the arms of this round, with room for all */
} spar__gp_box;

/* The arms and the kernel are borrowed. A box is all zeros before; fini is fine after a failed init. */
spar_status spar__gp_box_init(spar__gp_box *box, const spar_arms *arms, const spar__kernel *kernel, double noise,
                              double offset);
void spar__gp_box_fini(spar__gp_box *box);

/* As in posterior.h, in terms of rewards. reserve: SPAR_UNSUPPORTED when there would be too many points. */
spar_status spar__gp_box_resize(spar__gp_box *box);
void spar__gp_box_forget(spar__gp_box *box);
spar_status spar__gp_box_reserve(spar__gp_box *box, size_t arms);
void spar__gp_box_observe(spar__gp_box *box, size_t arm, double reward, double weight);
void spar__gp_box_settle(spar__gp_box *box);
spar_status spar__gp_box_draw(const spar__gp_box *box, spar_scratch *scratch, spar_rng *rng, double *theta);
spar_status spar__gp_box_best(const spar__gp_box *box, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                              double *x);
spar_status spar__gp_box_moments(const spar__gp_box *box, spar_scratch *scratch, double *mean, double *sd);
void spar__gp_box_archive(spar__gp_box *box, spar__archive *ar);

#endif
