/* best_worst - the best of the slots, and then the worst of the others: the best beats all, and all beat the worst.
 *
 * From utilities the best is chosen with probability proportional to exp(utility), and from the rest the worst with
 * exp(-utility). From recorded ballots both are those of one ballot, equal places at random; a person who ranks nothing
 * of what is shown says nothing. */
#include "env/env.h"

#include <math.h>

/* The slot with the largest key but for slot `without`; equal ones at random, with this number of a choice. */
static size_t largest(const spar_world *world, uint64_t t, uint32_t number, size_t m, const double *key, size_t without)
{
    size_t ties = 0;
    double top = -INFINITY;
    for (size_t j = 0; j < m; j++)
        top = j != without && key[j] > top ? key[j] : top;
    for (size_t j = 0; j < m; j++)
        ties += j != without && key[j] == top;
    size_t skip = ties > 1 ? spar__luck_below(world->luck, t, number, ties) : 0;
    for (size_t j = 0; j < m; j++)
        if (j != without && key[j] == top && skip-- == 0)
            return j;
    return m;
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    double *key = feedback->reward; /* free for use: no slot is rewarded */
    size_t m = round->m;
    if (m < 2)
        return SPAR_OK;
    (world->ballots ? spar__tastes : spar__plackett_luce)(world, t, round, key);
    size_t best = largest(world, t, 0, m, key, m);
    if (best == m || isinf(key[best]))
        return SPAR_OK;
    for (size_t j = 0; j < m; j++)
        key[j] = world->ballots ? -key[j]
                                : spar__gumbel(spar__luck_bits(world->luck, t, SPAR__LUCK_COINS, (uint32_t)j)) -
                                      world->utility[round->arm[j]];
    size_t worst = largest(world, t, 1, m, key, best);
    for (size_t k = 0; k < m; k++) {
        if (k != best)
            spar__feedback_put(feedback, best, k, SPAR_WIN);
        if (k != worst)
            spar__feedback_put(feedback, k, worst, SPAR_WIN);
    }
    feedback->kind = SPAR_FEEDBACK_BEST_WORST;
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_best_worst = {
    .entry = {"best_worst", "the best of the slots, and the worst of the others", NULL, NULL},
    .needs_tastes = true,
    .answer = answer,
};
