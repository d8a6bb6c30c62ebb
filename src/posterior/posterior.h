/* posterior.h - a belief about the arms, updated by (arm, reward) or by whole rounds.
 *
 * A belief is a const struct of functions at the foot of its file and one line in posteriors.def. Functions that
 * answer questions take the belief as const: only observe, settle, forget and resize change it. */
#ifndef SPAR_POSTERIOR_POSTERIOR_H
#define SPAR_POSTERIOR_POSTERIOR_H

#include "base/alloc.h"
#include "base/archive.h"
#include "base/spec.h"
#include "sampler/rng.h"
#include "types/arms.h"
#include "types/feedback.h"
#include "types/round.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct spar__posterior_class spar__posterior_class;

typedef struct spar__posterior {
    const spar__posterior_class *cls;
    const spar_arms *arms; /* the policy's table; borrowed */
    bool distinct;         /* best_distinct will be asked, not best: what is kept for speed may be laid out for that */
} spar__posterior;

struct spar__posterior_class {
    spar_entry entry;
    size_t size;     /* of the belief's own struct, whose first member is a spar__posterior */
    bool box;        /* can serve a continuous space */
    bool linear;     /* knows only values that are linear in the features */
    bool any_arms;   /* its resize fails for lack of memory only */
    bool recomputed; /* what loading computes again, where there is no cache, differs by rounding */
    bool unit;       /* an answer is one observation: weights other than 1 make no sense */

    spar_status (*init)(spar__posterior *self, const spar__values *values, spar_error *err);
    void (*fini)(spar__posterior *self);
    spar_status (*resize)(spar__posterior *self); /* an arm came, retired, or was taken back */
    void (*forget)(spar__posterior *self);        /* back to the prior */

    /* A round is learned in three steps: room for what a round of that many slots may need, which may fail and changes
     * nothing that can be seen; the observations; and what is best done once for all of them, for example one
     * update for the several observations of an arm. Questions are asked of a settled belief only. reserve and settle
     * may be NULL. */
    spar_status (*reserve)(spar__posterior *self, size_t slots);

    /* A class has one of these two; the other is NULL. observe: a reward in [0,1] of one arm, counted weight times.
     * observe_round: for a belief that must know who met whom, all answers of a round at once, each counted weight
     * times. The round and the feedback fit each other and the arms. */
    void (*observe)(spar__posterior *self, size_t arm, double reward, double weight);
    void (*observe_round)(spar__posterior *self, const spar_round *round, const spar_feedback *feedback, double weight);

    void (*settle)(spar__posterior *self);

    /* One joint sample of all arms' values, theta[arms->n]; what retired arms get has no meaning. */
    spar_status (*draw)(const spar__posterior *self, spar_scratch *scratch, spar_rng *rng, double *theta);

    /* The law of m independent draws, each followed by the argmax over live arms, however it is computed. In a box the
     * argmax is over the whole box and goes to x (m x dim), with SPAR_FRESH for arms; else x is NULL. */
    spar_status (*best)(const spar__posterior *self, spar_scratch *scratch, spar_rng *rng, size_t m, size_t *arm,
                        double *x);

    /* m different arms, at most as many as live: each the argmax of an independent draw over the live arms that stand
     * in no slot before it. NULL: the caller may do it with draw. */
    spar_status (*best_distinct)(const spar__posterior *self, spar_scratch *scratch, spar_rng *rng, size_t m,
                                 size_t *arm);

    /* Mean and standard deviation of every arm; either may be NULL. */
    spar_status (*moments)(const spar__posterior *self, spar_scratch *scratch, double *mean, double *sd);

    /* The value of one arm less that of each, which may be retired: mean and variance, arms->n of both. NULL: not
     * known.
     */
    spar_status (*gaps)(const spar__posterior *self, spar_scratch *scratch, size_t arm, double *mean, double *variance);

    /* In a continuous space: the same at any point, and the point of highest mean. NULL where box is false. */
    spar_status (*moments_at)(const spar__posterior *self, spar_scratch *scratch, const double *x, double *mean,
                              double *sd);
    spar_status (*peak)(const spar__posterior *self, spar_scratch *scratch, spar_rng *rng, double *x);

    /* About how far mean and sd may be from their exact values, beyond a few units of rounding. NULL: not at all. */
    double (*accuracy)(const spar__posterior *self);

    void (*archive)(spar__posterior *self, spar__archive *ar);
};

/* No observed count is near this: a saved one beyond it is damage, and some samplers would never return from it. */
#define SPAR__LARGEST_COUNT 0x1p+500

extern const spar__posterior_class *const spar__posterior_classes[];
extern const size_t spar__n_posterior_classes;

const spar__posterior_class *spar__posterior_find(const char *name); /* NULL: no such belief */

spar_status spar__posterior_new(const spar__posterior_class *cls, const spar__values *values, const spar_arms *arms,
                                spar__posterior **out, spar_error *err);
void spar__posterior_free(spar__posterior *posterior);

/* The index of the largest value, ties broken uniformly by the rng that is handed in. */

static inline size_t spar__argmax(spar_rng *rng, size_t n, const double *value)
{
    size_t best = 0, ties = 1;
    for (size_t i = 1; i < n; i++) {
        if (value[i] > value[best]) {
            best = i;
            ties = 1;
        } else if (value[i] == value[best]) {
            ties++;
        }
    }
    if (ties == 1)
        return best;
    size_t skip = (size_t)spar_rng_below(rng, ties), at = best;
    while (skip) {
        at++;
        skip -= value[at] == value[best];
    }
    return at;
}

/* The same among the open indices (there is at least one), with values that differ by at most `tie` from the largest
 * counting as equal to it. */
static inline size_t spar__argmax_within(spar_rng *rng, size_t n, const double *value, const bool *open, double tie)
{
    double top = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (open[i] && value[i] > top)
            top = value[i];
    size_t ties = 0;
    for (size_t i = 0; i < n; i++)
        ties += open[i] && !(value[i] < top - tie);
    size_t skip = ties > 1 ? (size_t)spar_rng_below(rng, ties) : 0;
    for (size_t i = 0; i < n; i++)
        if (open[i] && !(value[i] < top - tie) && skip-- == 0)
            return i;
    return 0;
}

#endif
