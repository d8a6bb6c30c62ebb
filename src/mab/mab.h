/* mab.h - a plain bandit: one arm out, one reward in.
 *
 * A bandit is a const struct of functions at the foot of its file and one line in mabs.def. pick changes nothing;
 * learn takes no rng. */
#ifndef SPAR_MAB_MAB_H
#define SPAR_MAB_MAB_H

#include "posterior/posterior.h"

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

#endif
