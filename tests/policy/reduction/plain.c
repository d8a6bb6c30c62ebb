#include "policy/setup.h"

enum { K = 3 };

static void reward(setup *d, size_t arm, double value)
{
    (void)setup_choose(d);
    d->round->arm[0] = arm;
    (void)spar_feedback_reset(d->feedback, 1);
    if (spar_feedback_reward(d->feedback, 0, value) || spar_policy_learn(d->policy, d->round, d->feedback, NULL))
        abort();
}

int main(void)
{
    double ab[2 * K], score[K];
    setup d = setup_new("thompson/beta(a=2)", K, 1, 0, 1);
    reward(&d, 1, 1);
    reward(&d, 1, 0.25);
    reward(&d, 2, 0);
    (void)setup_numbers(&d, 0, 2 * K, ab);
    ok(ab[0] == 2 && ab[1] == 3.25 && ab[K + 1] == 1.75 && ab[2] == 2 && ab[K + 2] == 2, "rewards go to the bandit");
    setup_score(&d, score);
    ok(score[1] == 3.25 / 5 && score[0] == 2.0 / 3, "its score is the policy's");
    (void)spar_feedback_reset(d.feedback, 1);
    ok(spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_OK && spar_policy_rounds(d.policy) == 3,
       "no reward, nothing learned");
    setup_free(&d);
    d = setup_new("ucb1", K, 1, 0, 1);
    size_t seen = 0;
    for (size_t t = 0; t < K; t++) {
        size_t arm = setup_choose(&d)[0];
        seen |= (size_t)1 << arm;
        reward(&d, arm, arm == 1);
    }
    ok(seen == 7 && setup_choose(&d)[0] == 1, "each arm once, then the best");
    setup_free(&d);
    d = setup_new("exp3", K, 1, 10, 1);
    double saved[K + 1], g = sqrt(K * log(K) / ((exp(1) - 1) * 10));
    (void)setup_choose(&d);
    ok(fabs(d.round->prob[0] - 1.0 / K) < 1e-15, "the round holds the probability of the pick");
    d.round->arm[0] = 2;
    d.round->prob[0] = 0.5;
    (void)spar_feedback_reset(d.feedback, 1);
    (void)spar_feedback_reward(d.feedback, 0, 1);
    (void)spar_policy_learn(d.policy, d.round, d.feedback, NULL);
    (void)setup_numbers(&d, 0, K + 1, saved);
    near(saved[3], exp(g / (0.5 * K)), 1e-14, "and hands it back with the reward");
    setup_free(&d);
    return done();
}
