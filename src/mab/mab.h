/* mab.h - a plain bandit: one arm out, one reward in.
 *
 * A bandit is a const struct of functions at the foot of its file and one line in mabs.def. pick changes nothing;
 * learn takes no rng. */
#ifndef SPAR_MAB_MAB_H
#define SPAR_MAB_MAB_H

#include "posterior/posterior.h"
#include "sampler/rng.h"
#include "types/arms.h"

#include <spar/status.h>

typedef struct spar__mab_class spar__mab_class;

typedef struct spar__mab {
    const spar__mab_class *cls;
    const spar_arms *arms;      /* the policy's table; borrowed */
    uint64_t horizon;           /* rounds to come, 0 when unknown */
    spar__posterior *posterior; /* its belief, or NULL; owned */
} spar__mab;

/* NULL where there is nothing to do: init, fini, resize, forget, settle and archive. */
struct spar__mab_class {
    spar_entry entry;
    size_t size;
    bool wants_posterior;
    const char *standard_posterior; /* used when the spec names none */
    bool randomised;                /* several picks without learning in between differ */
    bool distinct;                  /* pick can be told to give m different arms */
    bool each_duel;                 /* under sparring, learns every duel by default, not their mean */
    bool box;                       /* can pick points of a continuous space, if its belief can */

    spar_status (*init)(spar__mab *self, const spar__values *values, spar_error *err);
    void (*fini)(spar__mab *self);
    spar_status (*resize)(spar__mab *self); /* an arm came, retired, or was taken back */
    void (*forget)(spar__mab *self);        /* back to the initial state (the caller resets the belief) */

    /* m live arms by m independent picks, with the probability of each where learn needs it (else 1). distinct: each
     * pick takes its best arm not yet picked. In a box the picks are points and go to x (m x dim), else NULL. */
    spar_status (*pick)(const spar__mab *self, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                        size_t *arm, double *prob, double *x);

    /* Reward in [0,1] of weight `weight`; prob is what pick said. learn_round is called instead, once, where the belief
     * observes whole rounds; NULL: the bandit cannot have such a belief. */
    void (*learn)(spar__mab *self, size_t arm, double reward, double weight, double prob);
    void (*learn_round)(spar__mab *self, const spar_round *round, const spar_feedback *feedback, double weight);

    void (*settle)(spar__mab *self); /* the round is learned; the belief is settled already */

    spar_status (*score)(const spar__mab *self, spar_scratch *scratch, double *score); /* arms->n, higher is better */
    void (*archive)(spar__mab *self, spar__archive *ar);
};

extern const spar__mab_class *const spar__mab_classes[];
extern const size_t spar__n_mab_classes;

const spar__mab_class *spar__mab_find(const char *name); /* NULL: no such bandit */

/* A bandit and its belief, as the spec says; several players are made from one recipe. */
typedef struct spar__mab_recipe {
    const spar__mab_class *cls;
    spar__values values;
    const spar__posterior_class *posterior; /* NULL where the bandit keeps its own counts */
    spar__values posterior_values;
} spar__mab_recipe;

spar_status spar__mab_new(const spar__mab_recipe *recipe, const spar_arms *arms, uint64_t horizon, spar__mab **out,
                          spar_error *err);
void spar__mab_free(spar__mab *mab);

/* The bandit's own state and its belief's. */
spar_status spar__mab_resize(spar__mab *mab);
void spar__mab_forget(spar__mab *mab);
spar_status spar__mab_reserve(spar__mab *mab, size_t slots); /* see posterior.h */
void spar__mab_settle(spar__mab *mab);
void spar__mab_archive(spar__mab *mab, spar__archive *ar);

/* The highest of many lines a + b w while w grows and now and then one line is replaced.
 *
 * A kinetic tournament (Basch, Guibas, Hershberger, Data structures for mobile data, J. Algorithms 1999). The leaves of
 * a binary tree are blocks of lines; a node keeps a line that none below it exceeds, and the w until which this is
 * sure. A change walks one path to the root, and on the way renews the expired nodes beside it: O(log n) and, averaged
 * over many changes, a few renewals.
 *
 * Lines stand for values that are computed exactly elsewhere and differ from a + b w by rounding. A line that is higher
 * by more than that is certainly the higher one; where lines are closer, the exact values are compared. So the pick
 * depends on exact values alone, never on the history of the tree. */

typedef struct spar__lines {
    size_t n;
    double *a, *b; /* of line i; a = INFINITY (with b = 0): above all others, -INFINITY: never picked */
    double w;
    size_t room;   /* lines that there is memory for */
    size_t leaves; /* blocks, a power of two */
    struct spar__lines_node
        *node; /* 2 leaves: the children of i are 2 i and 2 i + 1, the root is 1; NULL for one leaf */
} spar__lines; /* zeroed at first */

/* The exact value of line i: within 2^-42 of a + b w, relatively; equal for equal a and b. Neither is negative. */
typedef double spar__line_value(void *context, size_t i);

/* Room for n lines; those that are new are at -INFINITY. On failure everything is as before. *moved says whether they
 * have to be built afterwards, which costs O(n): seldom when one line comes at a time. */
spar_status spar__lines_fit(spar__lines *lines, size_t n, bool *moved);
void spar__lines_free(spar__lines *lines);

/* After a and b were filled in. */
void spar__lines_build(spar__lines *lines, double w);

/* Line i becomes a + b w; w is not smaller than before. */
void spar__lines_move(spar__lines *lines, size_t i, double a, double b, double w);

/* The highest line, ties broken uniformly: by one draw below their number, in the order of the lines. Without ties
 * there is no draw, except among those at INFINITY. Values are computed only where lines are close. */
size_t spar__lines_pick(const spar__lines *lines, spar_rng *rng, spar__line_value *value, void *context);

/* A tree of sums over weights: draws an arm by its share in O(log n).
 *
 * A node is the sum of its two children, a leaf the sum of a block of weights. A change computes all sums on the path
 * to the root again, so that no error accumulates and the tree is a function of the weights alone. */

typedef struct spar__shares {
    const double *weight;  /* of each arm, >= 0; borrowed */
    const spar_arms *arms; /* retired ones have no share; borrowed, as a table: its flags may move */
    size_t n;
    size_t leaves; /* blocks, a power of two */
    double *sum;   /* 2 leaves: the children of i are 2 i and 2 i + 1, the root is 1 */
    size_t *live;  /* arms alive below each node */
} spar__shares;    /* zeroed at first */

/* Room for n arms; on failure everything is as before. Build afterwards. */
spar_status spar__shares_fit(spar__shares *shares, size_t n);
void spar__shares_free(spar__shares *shares);

void spar__shares_build(spar__shares *shares, size_t n, const double *weight, const spar_arms *arms);

/* The weight of arm i has changed. */
void spar__shares_change(spar__shares *shares, size_t i);

static inline double spar__shares_total(const spar__shares *shares)
{
    return shares->sum[1];
}

/* The arm at u, 0 <= u < total, when the weights of the live arms are laid side by side. */
size_t spar__shares_at(const spar__shares *shares, double u);

/* Live arm number `place`. */
size_t spar__shares_live(const spar__shares *shares, size_t place);

#endif
