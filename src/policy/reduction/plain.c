/* plain - a bandit on its own: one arm a round, one reward back. Written without its name: thompson/beta, ucb1. */
#include "policy/policy.h"

static spar_status choose(const spar_policy *self, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const spar__mab *bandit = self->player[0];
    return bandit->cls->pick(bandit, scratch, rng, 1, false, out->arm, out->prob, out->x);
}

static void learn(spar_policy *self, const spar_round *round, const spar_feedback *feedback)
{
    spar__mab *bandit = self->player[0];
    bandit->cls->learn(bandit, round->arm[0], feedback->reward[0], 1, round->prob[0]);
}

const spar__policy_class spar__policy_plain = {
    .entry = {"plain", "a bandit on its own, for environments with rewards (m = 1)", NULL, NULL},
    .size = sizeof(spar_policy),
    .players = SPAR__PLAYERS_ONE,
    .min_m = 1,
    .max_m = 1,
    .live_arms = true,
    .box = true,
    .plain = true,
    .choose = choose,
    .learn = learn,
    .score = spar__player_score,
};
