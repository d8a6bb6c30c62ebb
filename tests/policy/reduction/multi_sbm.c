#include "policy/setup.h"

enum { K = 4, SEEN = 2 * K + 1 };

static double pulls_of(const setup *d, size_t player, size_t arm)
{
    double saved[SEEN];
    (void)setup_numbers(d, player, SEEN, saved);
    return saved[1 + arm];
}

static double sum_of(const setup *d, size_t player, size_t arm)
{
    double saved[SEEN];
    (void)setup_numbers(d, player, SEEN, saved);
    return saved[1 + K + arm];
}

static double total_of(const setup *d, size_t player)
{
    double saved[SEEN];
    (void)setup_numbers(d, player, SEEN, saved);
    return saved[0];
}

static void test_first_left(void)
{
    double count[K] = {0};
    setup d = setup_new("multi_sbm/ucb1", K, 2, 0, 1);
    for (int t = 0; t < 40000; t++)
        count[setup_choose(&d)[0]]++;
    ok(fit_sigma(K, count, (double[]){0.25, 0.25, 0.25, 0.25}) < 5, "the first left arm is uniform");
    setup_free(&d);
}

static void test_learn(void)
{
    setup d = setup_new("multi_sbm/ucb1", K, 2, 0, 1);
    setup_teach(&d, (size_t[]){1, 3}, "l"); /* the right arm won */
    ok(pulls_of(&d, 1, 3) == 1 && sum_of(&d, 1, 3) == 1, "the left arm's bandit learns that the right arm won");
    ok(total_of(&d, 0) + total_of(&d, 2) + total_of(&d, 3) == 0 && total_of(&d, 1) == 1, "and no other learns");
    bool next = true;
    for (int t = 0; t < 50; t++)
        next &= setup_choose(&d)[0] == 3;
    ok(next, "the right arm is the next left arm");
    setup_teach(&d, (size_t[]){3, 0}, "w");
    ok(pulls_of(&d, 3, 0) == 1 && sum_of(&d, 3, 0) == 0, "a right arm that lost is worth 0");
    setup_teach(&d, (size_t[]){0, 2}, "t");
    ok(pulls_of(&d, 0, 2) == 1 && sum_of(&d, 0, 2) == 0.5, "a tie is worth a half");
    ok(setup_choose(&d)[0] == 2, "whoever won, the right arm goes left");
    double score[K];
    setup_score(&d, score);
    ok(score[0] == 1 && score[1] == 0 && score[2] == 1 && score[3] == 1, "the score counts the right arms");
    spar_error err;
    (void)spar_policy_retire_arm(d.policy, 2, &err);
    double count[K] = {0};
    for (int t = 0; t < 30000; t++)
        count[setup_choose(&d)[0]]++;
    ok(fit_sigma(K, count, (double[]){1.0 / 3, 1.0 / 3, 0, 1.0 / 3}) < 5,
       "a left arm that retired is replaced at random");
    setup_free(&d);
}

/* The right arm is the pick of the left arm's bandit: give every bandit its own favourite. */
static void test_right(void)
{
    static const size_t lead[K] = {2, 0, 3, 1};
    setup d = setup_new("multi_sbm/ucb1(alpha=0)", K, 2, 0, 1);
    for (size_t j = 0; j < K; j++)
        for (size_t i = 0; i < K; i++) {
            spar__mab *player = d.policy->player[j];
            player->cls->learn(player, i, i == lead[j], 1, 1);
        }
    bool right = true;
    for (int t = 0; t < 200; t++) {
        const size_t *arm = setup_choose(&d);
        right &= arm[1] == lead[arm[0]];
    }
    ok(right, "the right arm is the pick of the left arm's bandit");
    size_t late = 0;
    ok(spar_policy_add_arm(d.policy, NULL, NULL, &late, NULL) == SPAR_OK && d.policy->n_players == K + 1 && late == K,
       "a new arm gets a bandit");
    setup_free(&d);
}

int main(void)
{
    test_first_left();
    test_learn();
    test_right();
    return done();
}
