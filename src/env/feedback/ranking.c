/* ranking - a full order of the slots, drawn from Plackett and Luce's law with weights exp(utility): first place with
 * probability proportional to the weight, the next among the rest likewise. All pairs follow from the order.
 *
 * The order is that of utility + Gumbel noise, independent from slot to slot. Where ballots were recorded, it is that
 * of one of them: arms that it has on one place tie, and the order among those it does not rank is missing. */
#include "env/data.h"
#include "env/env.h"
#include "num/elementary.h"

#include <math.h>

double spar__gumbel(uint64_t bits)
{
    double u = ((double)(bits >> 12) + 0.5) * 0x1p-52; /* neither 0 nor 1 */
    return -spar__log(-spar__log(u));
}

void spar__plackett_luce(const spar_world *world, uint64_t t, const spar_round *round, double *key)
{
    for (size_t j = 0; j < round->m; j++)
        key[j] = world->utility[round->arm[j]] +
                 spar__gumbel(spar__luck_bits(world->luck, t, SPAR__LUCK_ORDER, (uint32_t)j));
}

void spar__tastes(const spar_world *world, uint64_t t, const spar_round *round, double *key)
{
    const size_t *arm = round->arm;
    const uint32_t *place = world->ballots ? spar__ballot_of(world->ballots, world->luck, t) : NULL;
    for (size_t j = 0; place && j < round->m; j++) {
        uint32_t at = place[world->recorded[arm[j]]];
        key[j] = at == SPAR__UNRANKED ? -(double)INFINITY : -(double)at;
    }
    for (size_t j = 0; !place && j < round->m; j++)
        key[j] =
            world->utility[arm[j]] + spar__gumbel(spar__luck_bits(world->luck, t, SPAR__LUCK_TASTE, (uint32_t)arm[j]));
}

static void answer_by_ballot(const spar_world *world, uint64_t t, const spar_round *round, spar_feedback *feedback)
{
    double *key = feedback->reward;
    spar__tastes(world, t, round, key);
    for (size_t k = 1; k < round->m; k++)
        for (size_t j = 0; j < k; j++)
            if (key[j] != key[k])
                spar__feedback_put(feedback, j, k, key[j] > key[k] ? SPAR_WIN : SPAR_LOSS);
            else if (isfinite(key[j]))
                spar__feedback_put(feedback, j, k, SPAR_TIE);
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    double *key = feedback->reward; /* free for use: no slot is rewarded */
    feedback->kind = SPAR_FEEDBACK_RANKING;
    if (world->ballots) {
        answer_by_ballot(world, t, round, feedback);
        return SPAR_OK;
    }
    spar__plackett_luce(world, t, round, key);
    feedback->kind = SPAR_FEEDBACK_RANKING;
    for (size_t k = 1; k < round->m; k++)
        for (size_t j = 0; j < k; j++)
            spar__feedback_put(feedback, j, k, key[j] >= key[k] ? SPAR_WIN : SPAR_LOSS);
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_ranking = {
    .entry = {"ranking", "an order of the slots: Plackett and Luce's law on utilities, or a recorded ballot", NULL,
              NULL},
    .needs_tastes = true,
    .answer = answer,
};
