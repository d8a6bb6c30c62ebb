/* all_pairs - every unordered pair of slots is a duel; the other kinds of feedback are made of these duels. */
#include "env/env.h"

#include <math.h>

spar_outcome spar__duel_with_ties(double nu, double p, double u)
{
    double odds = nu * sqrt(p * (1 - p));
    double decided = 1 / (1 + odds), win = p * decided;
    if (u < win)
        return SPAR_WIN;
    return u < win + odds * decided ? SPAR_TIE : SPAR_LOSS;
}

spar_outcome spar__duel_recorded(double tie, double p, double u)
{
    if (tie < 0)
        return SPAR_MISSING;
    return u < p - tie / 2 ? SPAR_WIN : u < p + tie / 2 ? SPAR_TIE : SPAR_LOSS;
}

void spar__play_pairs(const spar_world *world, uint64_t t, const spar_round *round, spar_feedback *feedback)
{
    const spar__phase *phase = spar__world_phase(world, t);
    const size_t m = round->m, *arm = round->arm;
    spar__pair_luck luck;
    spar__pair_luck_draw(&luck, world, t, SPAR__LUCK_PAIRS, m);
    uint32_t pair = 0;
    for (size_t k = 1; k < m; k++)
        for (size_t j = 0; j < k; j++, pair++) {
            double u = spar__pair_luck_at(&luck, pair);
            spar__feedback_put(feedback, j, k, spar__duel(world, phase, arm[j], arm[k], u));
        }
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    (void)self;
    spar__play_pairs(world, t, round, feedback);
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_all_pairs = {
    .entry = {"all_pairs", "every pair of slots is compared", "Sui, Zhuang, Burdick, Yue 2017", NULL},
    .answer = answer,
};
