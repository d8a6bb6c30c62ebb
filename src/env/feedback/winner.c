/* winner - one slot beats each other slot; nothing is known among the others. The slot is found by
 *
 *     most_wins  playing all pairs out: most wins, a tie being half a win to each side; equal ones at random
 *     pair       one pair of slots, uniformly at random: the winner of its duel (of a tie, one of the two at random)
 *     luce       probability proportional to exp(utility), slot by slot
 *     voter      one person's taste: as luce, but an arm in several slots is liked the same in all of them, and is
 *                chosen no more often than in one; of its slots one at random. Where ballots were recorded, it is the
 *                first on one of them; nothing is chosen from a screen that the ballot does not rank */
#include "env/env.h"

#include <math.h>
#include <string.h>

enum { MOST_WINS, PAIR, LUCE, VOTER };

typedef struct winner {
    size_t rule;
} winner;

static const spar_param params[] = {
    {"rule", SPAR_PARAM_CHOICE, "most_wins", 0, 0, "most_wins|pair|luce|voter", "how the winner is found"},
    {0},
};

static spar_status init(void *self, const spar__values *values, const spar_env *env, spar_error *err)
{
    winner *w = self;
    w->rule = spar__choice(values, "rule");
    const char *name = env->cls->entry.name;
    if (w->rule == LUCE && !env->cls->has_utilities)
        return spar__fail(err, SPAR_UNSUPPORTED, "winner(rule=luce): needs utilities, and %s has none", name);
    if (w->rule == VOTER && !env->cls->has_utilities && !env->cls->has_ballots)
        return spar__fail(err, SPAR_UNSUPPORTED, "winner(rule=voter): needs utilities or ballots, and %s has none",
                          name);
    return SPAR_OK;
}

/* A slot with the highest score, each with the same probability. */
static size_t argmax(const spar_world *world, uint64_t t, const double *score, size_t m)
{
    size_t best = 0, equal = 1;
    for (size_t j = 1; j < m; j++)
        if (score[j] > score[best]) {
            best = j;
            equal = 1;
        } else if (score[j] == score[best]) {
            equal++;
        }
    size_t skip = equal > 1 ? spar__luck_below(world->luck, t, 0, equal) : 0;
    for (size_t j = best; skip; skip--) {
        do
            j++;
        while (score[j] != score[best]);
        if (skip == 1)
            return j;
    }
    return best;
}

static size_t most_wins(const spar_world *world, uint64_t t, const spar_round *round, spar_feedback *feedback)
{
    size_t m = round->m;
    double *score = feedback->reward; /* free for use: no slot is rewarded */
    spar__play_pairs(world, t, round, feedback);
    for (size_t j = 0; j < m; j++) {
        score[j] = 0;
        for (size_t k = 0; k < m; k++)
            if (feedback->outcome[j * m + k] != SPAR_MISSING)
                score[j] += feedback->outcome[j * m + k] - SPAR_LOSS; /* a win is 2, a tie 1 */
    }
    memset(feedback->outcome, SPAR_MISSING, m * m);
    return argmax(world, t, score, m);
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    const winner *w = self;
    double *key = feedback->reward; /* free for use: no slot is rewarded */
    size_t m = round->m, first;
    if ((w->rule == LUCE && !world->utility) || (w->rule == VOTER && !world->utility && !world->ballots))
        return SPAR_UNSUPPORTED;
    if (m < 2)
        return SPAR_OK;
    if (w->rule == MOST_WINS) {
        first = most_wins(world, t, round, feedback);
    } else if (w->rule == PAIR) {
        size_t j, k;
        spar_outcome a = spar__play_random_pair(world, t, round, &j, &k);
        if (a == SPAR_TIE || a == SPAR_MISSING)
            a = spar__luck_below(world->luck, t, 1, 2) ? SPAR_WIN : SPAR_LOSS;
        first = a == SPAR_WIN ? j : k;
    } else if (w->rule == LUCE) {
        spar__plackett_luce(world, t, round, key);
        first = 0;
        for (size_t j = 1; j < m; j++)
            first = key[j] > key[first] ? j : first;
    } else {
        spar__tastes(world, t, round, key);
        first = argmax(world, t, key, m);
        first = isfinite(key[first]) ? first : m; /* the person ranks nothing of what is shown */
    }
    feedback->kind = SPAR_FEEDBACK_WINNER;
    for (size_t k = 0; first < m && k < m; k++)
        if (k != first)
            spar__feedback_put(feedback, first, k, SPAR_WIN);
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_winner = {
    .entry = {"winner", "one slot beats each other slot", NULL, params},
    .size = sizeof(winner),
    .init = init,
    .answer = answer,
};
