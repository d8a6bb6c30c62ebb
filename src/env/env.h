/* env.h - simulated users from the inside.
 *
 * A class of environments is a const struct at the foot of its file and one line in envs.def. Its `start` fills in a
 * spar_world, which is plain data: answering a round makes no virtual call into the environment. */
#ifndef SPAR_ENV_ENV_H
#define SPAR_ENV_ENV_H

#include "base/spec.h"
#include "sampler/rng.h"
#include "types/arms.h"
#include "types/feedback.h"
#include "types/round.h"

#include <spar/env.h>

typedef enum spar__link { SPAR__LINK_LINEAR, SPAR__LINK_LOGIT, SPAR__LINK_NATURAL } spar__link;

#define SPAR__LINK_CHOICES "linear|logit|natural"

/* P(x beats y) for utilities x and y. P(x beats y) + P(y beats x) is exactly 1. */
double spar__link_prefer(spar__link link, double x, double y);

/* Why the link cannot take these utilities, or NULL when it can. */
const char *spar__link_refuses(spar__link link, const double *utility, size_t n);

typedef struct spar__phase {
    double *p;   /* n x n, P(row beats column); NULL: ask the link */
    double *tie; /* n x n, of recorded votes: the share of ties, -1 where a pair has no vote; NULL: see world->ties */
    size_t best; /* SPAR_NO_ARM: no arm beats all others */
    double *gap; /* n values: what showing each arm costs, NaN without a best one; NULL: see spar__phase_gap */
} spar__phase;

struct spar_world {
    size_t n;
    bool plain; /* utilities are mean rewards */
    spar_arms *arms;
    double *utility; /* n, or NULL */
    spar__link link;
    double ties; /* Davidson's nu */
    spar__phase *phase;
    size_t phases;
    uint64_t every; /* rounds per phase; 0: there is only one */
    spar__luck luck;
    uint64_t redrawn; /* random subsets without a Condorcet winner that were drawn before the one of this run */

    /* Where arms are rankers: */
    const struct spar__interleaving *lists; /* their data, borrowed from the environment; NULL elsewhere */
    size_t *ranker;                         /* n: which one arm i is */
    bool tie_is_half;                       /* equal credit is a tie, else missing */

    /* Where people's answers were recorded: */
    const struct spar__ballots *ballots; /* borrowed from the environment; NULL: there are none */
    size_t *recorded;                    /* n: which of their options arm i is, or which item of a custom environment */

    /* Over a box there is no list of arms: n is 0, arms is empty, and a point is worth what the environment says. */
    double (*utility_at)(const void *env, const double *x); /* NULL: a finite set of arms */
    const void *env;
    double best_utility;

    uint64_t seed, run; /* what its random numbers come from, where functions of the caller answer */
};

/* What the streams of a run are for, and what the luck of a round is for. Results depend on these numbers: never
 * change them. */
enum {
    SPAR__PURPOSE_LABELS = 0x656e7600, /* which item gets which label, and which items are in a random subset */
    SPAR__PURPOSE_UTILITIES,
    SPAR__PURPOSE_LUCK
};
enum {
    SPAR__LUCK_PAIRS,  /* duels; index of the pair of slots */
    SPAR__LUCK_SELECT, /* which slot or pair is picked */
    SPAR__LUCK_ORDER,  /* Plackett-Luce; index of the slot */
    SPAR__LUCK_COINS,  /* is a pair unseen or confused; index of the pair of slots */
    SPAR__LUCK_REWARD, /* plain bandits; index of the slot */
    SPAR__LUCK_DRAFT,  /* how lists are mixed; index of the place */
    SPAR__LUCK_CLICKS, /* what is clicked; index of the place */
    SPAR__LUCK_TASTE   /* whose taste it is: what a person thinks of an arm; index of the arm */
};

typedef struct spar__env_class {
    spar_entry entry;
    bool plain;
    bool has_utilities;
    bool has_ballots;     /* of people who order all arms, or some */
    bool has_lists;       /* arms are rankers */
    const char *feedback; /* the kind that is meant when none is named; NULL: all_pairs */
    size_t size;          /* of self, which is zeroed before init */
    spar_status (*init)(void *self, const spar__values *values, spar_error *err);
    void (*fini)(void *self); /* also after a failed init */
    /* Fills in a zeroed world; what it leaves there after a failure is freed by the caller. */
    spar_status (*start)(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err);
    bool (*has_features)(const void *self); /* NULL: never */
    const char *(*note)(const void *self);  /* NULL: nothing to say */
    const char *(*cycle)(
        const void *self); /* a clause that says where no arm beats all others; NULL: one always does */
} spar__env_class;

struct spar_env {
    const spar__env_class *cls;
    void *self;
};

typedef struct spar__feedback_class spar__feedback_class;

/* How an environment of the caller answers, if it does so itself; else NULL. */
const spar__feedback_class *spar__env_answers(const spar_env *env);

#define SPAR_ENV(name) extern const spar__env_class spar__env_##name;
#include "env/envs.def"
#undef SPAR_ENV

extern const spar__env_class *const spar__env_classes[];
extern const size_t spar__n_env_classes;

bool spar__env_has_features(const spar_env *env);

/* "cycle.txt: no arm beats all others (...)", or NULL where one does. */
const char *spar__env_cycle(const spar_env *env);

/* The kind of feedback that is meant when none is named with this environment's spec; all_pairs if it is a wrong one.
 */
const char *spar__env_feedback(const char *spec);

/* Help for `start`. The labels of a run: arm i is the item order[i]. The stream they come from is left in *rng. */
void spar__world_labels(spar_rng *rng, uint64_t seed, uint64_t run, size_t n, size_t *order);

/* Utilities of n items, each at its label; *order, as above, is the caller's to free, also after a failure. */
spar_status spar__world_set_values(spar_world *world, uint64_t seed, uint64_t run, size_t n, const double *value,
                                   size_t **order);

/* Sets n and makes the arms; arm i gets the features and the name (each may be NULL) of the item order[i]. */
spar_status spar__world_set_arms(spar_world *world, const size_t *order, size_t n, size_t dim, const double *x,
                                 char *const *names);

/* One phase that follows from utilities, link and plain. */
spar_status spar__world_set_utilities(spar_world *world);

/* A world with these utilities and the logistic link, without an environment; arm i has utility[i]. */
spar_status spar__world_of_utilities(size_t n, const double *utility, uint64_t seed, uint64_t run, spar_world **out);

/* Makes it a world over a box, where utility_at(env, x) is what a point is worth and `best` the highest there is.
 * The link is logit: nothing else is known of the utilities. env is borrowed for as long as the world lives. */
spar_status spar__world_set_box(spar_world *world, size_t n_axes, const spar__space_axis *axis,
                                double (*utility_at)(const void *env, const double *x), const void *env, double best);

/* `phases` phases with room for a matrix each; fill them, then tell the best arm of each, or SPAR_NO_ARM. */
spar_status spar__world_set_phases(spar_world *world, size_t phases, uint64_t every);
void spar__phase_set_best(spar__phase *phase, size_t n, size_t best);

static inline const spar__phase *spar__world_phase(const spar_world *world, uint64_t t)
{
    return world->every && t ? &world->phase[(t - 1) / world->every % world->phases] : world->phase;
}

static inline double spar__phase_prefer(const spar_world *world, const spar__phase *phase, size_t i, size_t j)
{
    return phase->p ? phase->p[i * world->n + j] : spar__link_prefer(world->link, world->utility[i], world->utility[j]);
}

/* What showing an arm costs. With many arms there is no table of it, as there is none of P. */
static inline double spar__phase_gap(const spar_world *world, const spar__phase *phase, size_t arm)
{
    if (phase->gap)
        return phase->gap[arm];
    double best = world->utility[phase->best], u = world->utility[arm];
    return world->plain ? best - u : spar__link_prefer(world->link, best, u) - 0.5;
}

/* Can what is shown be put in an order? */
static inline bool spar__world_has_tastes(const spar_world *world)
{
    return world->utility || world->utility_at || world->ballots;
}

/* The m slots of a round in a box as a finite world whose arms are these slots, so that the kinds of feedback
 * need not know of boxes. All in `out` is borrowed from world and round but `arm` and `utility`, m values each, to be
 * filled in here. SPAR_INVALID when a slot shows no point of the box. */
typedef struct spar__slots {
    spar_world world;
    spar_round round;
    spar_arms arms;
    spar__phase phase;
} spar__slots;

spar_status spar__slots_set(spar__slots *out, const spar_world *world, const spar_round *round, size_t *arm,
                            double *utility);

/* The whole matrix of round t, n x n. */
void spar__world_matrix(const spar_world *world, uint64_t t, double *p);

/* --- feedback ---
 *
 * How a user answers: one const struct for each kind, one line in feedbacks.def.
 *
 * Luck is keyed by round and slot, never by what was asked before: the pair of slots j < k has the index k(k-1)/2 + j
 * whatever m is, so that rounds of different size share their luck. */

struct spar__feedback_class {
    spar_entry entry;
    bool needs_tastes; /* utilities or ballots */
    bool needs_features;
    bool needs_lists; /* of rankers */
    size_t size;      /* of self, which is zeroed before init; at most SPAR__FEEDBACK_SELF */
    /* NULL: nothing to set up. May refuse the environment. */
    spar_status (*init)(void *self, const spar__values *values, const spar_env *env, spar_error *err);
    /* feedback has round->m slots, all missing; the arms are in range and the world has what the class needs. */
    spar_status (*answer)(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback);
};

enum { SPAR__FEEDBACK_SELF = 32, SPAR__MOST_SLOTS = 1 << 16 /* their pairs have 32-bit indices */ };

#define SPAR_FEEDBACK(name) extern const spar__feedback_class spar__feedback_##name;
#include "env/feedbacks.def"
#undef SPAR_FEEDBACK

extern const spar__feedback_class *const spar__feedback_classes[];
extern const size_t spar__n_feedback_classes;

/* Every pair of slots, from the luck of SPAR__LUCK_PAIRS. */
void spar__play_pairs(const spar_world *world, uint64_t t, const spar_round *round, spar_feedback *feedback);

/* A uniformly random pair of slots *j < *k out of m >= 2, and how *j did. */
spar_outcome spar__play_random_pair(const spar_world *world, uint64_t t, const spar_round *round, size_t *j, size_t *k);

/* A Gumbel variable from 64 random bits. */
double spar__gumbel(uint64_t bits);

/* One key per slot; slots in falling order of their keys are in the order of Plackett and Luce. */
void spar__plackett_luce(const spar_world *world, uint64_t t, const spar_round *round, double *key);

/* What one person thinks of what is shown: a number per slot, the same where the arm is the same. From utilities the
 * chance to be first, or second and so on, is that of Plackett and Luce. From ballots it is a ballot drawn at random,
 * with -infinity for what it does not rank. */
void spar__tastes(const spar_world *world, uint64_t t, const spar_round *round, double *key);

/* How arm a did against arm b when the luck of their duel is u. With p = P(a beats b), q = 1 - p, a tie has
 * probability nu sqrt(pq) / (1 + nu sqrt(pq)), and a win p times the rest (Davidson). */
spar_outcome spar__duel_with_ties(double nu, double p, double u);

/* The same where ties were recorded: their share, negative for a pair without votes. */
spar_outcome spar__duel_recorded(double tie, double p, double u);

static inline spar_outcome spar__duel(const spar_world *world, const spar__phase *phase, size_t a, size_t b, double u)
{
    double p = spar__phase_prefer(world, phase, a, b);
    if (phase->tie)
        return spar__duel_recorded(phase->tie[a * world->n + b], p, u);
    if (world->ties > 0)
        return spar__duel_with_ties(world->ties, p, u);
    return (spar_outcome)(SPAR_LOSS + (SPAR_WIN - SPAR_LOSS) * (u < p)); /* a branch would be guessed wrong too often */
}

/* As spar_feedback_set, for slots known to be in range. */
static inline void spar__feedback_put(spar_feedback *feedback, size_t j, size_t k, spar_outcome answer)
{
    size_t m = feedback->m;
    feedback->outcome[j * m + k] = (unsigned char)answer;
    feedback->outcome[k * m + j] = (unsigned char)((0u - (unsigned)answer) % 4); /* 0 1 2 3 -> 0 3 2 1 */
}

/* The place of the slots j < k among the pairs. */
static inline uint32_t spar__pair_index(size_t j, size_t k)
{
    return (uint32_t)(k * (k - 1) / 2 + j);
}

/* The luck of all pairs of a round; that of the first 23 slots is drawn at once, which halves its cost. */
enum { SPAR__PAIRS_AT_ONCE = 256 };

typedef struct spar__pair_luck {
    spar__luck luck;
    uint64_t t;
    uint32_t channel;
    uint64_t bits[SPAR__PAIRS_AT_ONCE];
} spar__pair_luck;

static inline void spar__pair_luck_draw(spar__pair_luck *out, const spar_world *world, uint64_t t, uint32_t channel,
                                        size_t m)
{
    size_t pairs = m ? m * (m - 1) / 2 : 0;
    out->luck = world->luck;
    out->t = t;
    out->channel = channel;
    spar__luck_fill(world->luck, t, channel, pairs < SPAR__PAIRS_AT_ONCE ? pairs : SPAR__PAIRS_AT_ONCE, out->bits);
}

static inline double spar__pair_luck_at(const spar__pair_luck *luck, uint32_t index)
{
    return index < SPAR__PAIRS_AT_ONCE ? (double)(luck->bits[index] >> 11) * 0x1p-53
                                       : spar__luck_uniform(luck->luck, luck->t, luck->channel, index);
}

/* Choice number `index` of the round: one of 0 .. n-1. */
static inline size_t spar__luck_below(spar__luck luck, uint64_t t, uint32_t index, size_t n)
{
    return (size_t)(spar__luck_uniform(luck, t, SPAR__LUCK_SELECT, index) * (double)n);
}

#endif
