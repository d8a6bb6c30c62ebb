/* feedback.h - how a user answers: one const struct for each kind, one line in feedbacks.def.
 *
 * Luck is keyed by round and slot, never by what was asked before: the pair of slots j < k has the index k(k-1)/2 + j
 * whatever m is, so that rounds of different size share their luck. */
#ifndef SPAR_ENV_FEEDBACK_FEEDBACK_H
#define SPAR_ENV_FEEDBACK_FEEDBACK_H

#include "env/env.h"
#include "sampler/rng.h"

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
