/* ranking - a full order of the slots, drawn from Plackett and Luce's law with weights exp(utility): first place with
 * probability proportional to the weight, the next among the rest likewise. All pairs follow from the order.
 *
 * The order is that of utility + Gumbel noise, independent from slot to slot. */
#include "env/feedback/feedback.h"
#include "num/elementary.h"

void spar__plackett_luce(const spar_world *world, uint64_t t, const spar_round *round, double *key)
{
    for (size_t j = 0; j < round->m; j++) {
        uint64_t bits = spar__luck_bits(world->luck, t, SPAR__LUCK_ORDER, (uint32_t)j);
        double u = ((double)(bits >> 12) + 0.5) * 0x1p-52; /* neither 0 nor 1 */
        key[j] = world->utility[round->arm[j]] - spar__log(-spar__log(u));
    }
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    double *key = feedback->reward; /* free for use: no slot is rewarded */
    spar__plackett_luce(world, t, round, key);
    feedback->kind = SPAR_FEEDBACK_RANKING;
    for (size_t k = 1; k < round->m; k++)
        for (size_t j = 0; j < k; j++)
            spar__feedback_put(feedback, j, k, key[j] >= key[k] ? SPAR_WIN : SPAR_LOSS);
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_ranking = {
    .entry = {"ranking", "a full order of the slots, by the law of Plackett and Luce on utilities", NULL, NULL},
    .needs_utilities = true,
    .answer = answer,
};
