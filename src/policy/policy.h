/* policy.h - what a policy class is made of.
 *
 * A policy is a const struct of functions at the foot of its file and one line in policies.def. The frame (policy.c)
 * owns the arms and the players, checks rounds and feedback before they reach the class, counts rounds, and saves and
 * loads; the class holds only what its rule needs.
 *
 * Two laws: choose changes nothing (it gets a const policy), learn takes no rng. */
#ifndef SPAR_POLICY_POLICY_H
#define SPAR_POLICY_POLICY_H

#include "base/buf.h"
#include "base/spec.h"
#include "mab/mab.h"

#include <spar/policy.h>

typedef struct spar__policy_class spar__policy_class;

/* The bandits, or the other policy, that a policy is made of. */
typedef enum spar__players {
    SPAR__PLAYERS_NONE,    /* the policy keeps its own counts */
    SPAR__PLAYERS_ONE,     /* self-sparring */
    SPAR__PLAYERS_M,       /* sparring: one per slot */
    SPAR__PLAYERS_PER_ARM, /* MultiSBM */
    SPAR__PLAYERS_POLICY   /* one inner policy, which shares the arms and m */
} spar__players;

/* Arms came and went. Compared with a policy that only ever had those that are live, and with the same luck, the
 * choices of a class are */
typedef enum spar__after_change {
    SPAR__SAME_LAW,   /* drawn from the same law */
    SPAR__SAME_INDEX, /* the very same, if the arms have the same indices */
    SPAR__SAME_RANK   /* the very same, if only the order of the indices is the same */
} spar__after_change;

/* More rounds are refused: up to here, 8.8e12, every answer still changes counts that are doubles. */
#define SPAR__MOST_ROUNDS (UINT64_C(1) << 43)

struct spar_policy {
    const spar__policy_class *cls;
    char *spec;      /* as it was written */
    spar_arms *arms; /* shared with the players and the inner policy */
    bool borrows;    /* the arms: this is an inner policy */
    bool distinct;   /* never shows an arm twice in a round; set by init, kept by choose */
    size_t m;
    uint64_t horizon; /* 0: unknown */
    uint64_t key;     /* given at birth; random orders are derived from it */
    uint64_t learned; /* rounds so far: t = learned + 1 is the current round */
    spar_round *told; /* in a continuous space: the round being learned, its fresh points made arms */
    spar_round *pair; /* one pair of a larger round, for a policy of two slots; made when first needed */
    spar_feedback *pair_feedback;
    size_t n_players;
    spar__mab **player;
    spar__mab_recipe recipe; /* of the players */
    spar_policy *inner;      /* owned; NULL unless the class is made of a policy */
};

struct spar__policy_class {
    spar_entry entry;
    size_t size; /* of the policy's own struct, whose first member is a spar_policy */
    spar__players players;
    const char *standard_mab; /* what is meant when the spec names no bandit; NULL: must be named */
    size_t min_m, max_m;      /* slots; max_m 0: any number */
    bool own_size;            /* chooses the size of its set; m does not bind it */
    bool live_arms;           /* arms may come and go */
    bool refuses_arms;        /* its resize may fail for other reasons than memory */
    bool pairs;               /* keeps something for every pair of arms */
    size_t counts;            /* where its spar_pair_counts are in its struct; only spar__counts_score reads this */
    bool box;                 /* can serve a continuous space, if its bandits can */
    bool needs_horizon;
    bool plain;        /* learns rewards, not duels */
    bool rounds;       /* can hand whole rounds to a bandit whose belief observes them */
    bool randomised;   /* needs a randomised bandit */
    bool differences;  /* needs a belief that knows the variance of differences of arms */
    bool features;     /* what it learns of an arm says something about others, by their features */
    bool recomputed;   /* what loading computes again, where there is no cache, differs by rounding */
    bool baseline;     /* does not try to find the best arm */
    double best_share; /* least share of all slots that the best of a few easy arms has in the long run; 0: 0.8, or
                          that of one slot where arms are distinct */
    spar__after_change after_change;
    const char *asked_only; /* why it learns only rounds that it chose itself; NULL: it learns any */

    /* Followed by resize. NULL: nothing to do. */
    spar_status (*init)(spar_policy *self, const spar__values *values, spar_error *err);
    void (*fini)(spar_policy *self);

    /* An arm came or retired, or all are new; the players know already. Fails for lack of memory only, unless the class
     * says refuses_arms; then the change is undone, and this is called once more. NULL: nothing to do. */
    spar_status (*resize)(spar_policy *self, spar_error *err);

    /* Fills arm, prob and memo of a round with room for m slots (all live arms when own_size); m, prob = 1 and memo = 0
     * are set before. */
    spar_status (*choose)(const spar_policy *self, spar_scratch *scratch, spar_rng *rng, spar_round *out);

    /* Room for what learning this round may need: learn cannot fail. A policy of two slots may be given a larger round,
     * whose pairs are learned one by one. May fail; changes nothing that can be seen. NULL: nothing is needed. */
    spar_status (*reserve)(spar_policy *self, const spar_round *round);

    /* The round and the feedback fit each other and the arms; something was answered, or an own_size policy showed one
     * arm alone. Of a policy with max_m = 2 the round has two slots; of one with a bandit per slot, at most m. Of a
     * round that this policy did not choose prob is 1 and memo is 0. */
    void (*learn)(spar_policy *self, const spar_round *round, const spar_feedback *feedback);

    spar_status (*score)(const spar_policy *self, spar_scratch *scratch, double *score);

    /* Of a policy that is given by functions, instead of choose and learn: with reasons of their own. */
    const struct spar__outside *outside;

    void (*archive)(spar_policy *self, spar__archive *ar); /* the class's own state; NULL: none */
};

/* What a policy does whose functions are the caller's (custom.c). */
typedef struct spar__outside {
    spar_status (*choose)(const spar_policy *self, spar_rng *rng, spar_round *out, spar_error *err);
    spar_status (*learn)(spar_policy *self, const spar_round *round, const spar_feedback *feedback, spar_error *err);
} spar__outside;

/* Can nothing but memory keep the policy from taking one more arm, or one less while there are others? */
bool spar__policy_takes_arms(const spar_policy *self);

extern const spar__policy_class *const spar__policy_classes[];
extern const size_t spar__n_policy_classes;

const spar__policy_class *spar__policy_find(const char *name);

/* Names that stand for a whole path; entry.brief is that path. */
extern const spar_entry spar__policy_aliases[];
extern const size_t spar__n_policy_aliases;

/* A spec resolved into classes and values. */
typedef struct spar__stack {
    const spar__policy_class *policy;
    spar__values values;
    spar__mab_recipe mab;      /* cls is NULL where the policy has no players */
    struct spar__stack *inner; /* NULL where the policy holds no other */
} spar__stack;

spar_status spar__stack_resolve(const char *spec, spar__stack *out, spar_error *err);
void spar__stack_free(spar__stack *stack);

/* Can this stack serve these arms and m slots? Refuses with a sentence that says why not. */
spar_status spar__stack_check(const spar__stack *stack, const char *spec, const spar_arms *arms, size_t m,
                              uint64_t horizon, spar_error *err);

/* spar_policy_new with the private key given: what loading needs. */
spar_status spar__policy_build(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon, uint64_t key,
                               spar_policy **out, spar_error *err);

/* What the class of an outer policy calls in its own learn: room for the round was made before, so this cannot fail. */
void spar__policy_learn_inner(spar_policy *inner, const spar_round *round, const spar_feedback *feedback);

/* The score of a policy with one bandit: what that thinks of the arms. */
spar_status spar__player_score(const spar_policy *self, spar_scratch *scratch, double *score);

/* A uniformly random live arm. */
size_t spar__random_arm(const spar_arms *arms, spar_rng *rng);

/* A stream for the policy's private random orders; `purpose` tells them apart. */
spar_rng spar__policy_stream(const spar_policy *policy, uint64_t purpose);

/* One parameter of a policy, to be set to one value after the other. */

enum { SPAR__KNOB_STAGES = 8 };

typedef struct spar__knob {
    const spar_param *param;                 /* what the registry says of it */
    spar__spec spec;                         /* the policy without it */
    size_t stage;                            /* where it goes; may lie behind the stages that were written */
    const char *standard[SPAR__KNOB_STAGES]; /* names of the stages, written or not */
} spar__knob;

/* The parameter is that of the first stage of the path that knows the name, as with an alias. Refuses a policy that can
 * not be, a name that no stage knows (naming the nearest that one does) and a parameter that is given already. */
spar_status spar__knob_new(const char *policy, const char *name, spar__knob *out, spar_error *err);
void spar__knob_free(spar__knob *knob);

/* Appends the policy with the parameter at a value: "ind_self_sparring(eta=2.5)". */
void spar__knob_write(const spar__knob *knob, double value, spar__buf *out);

#endif
