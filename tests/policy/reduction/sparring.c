#include "policy/setup.h"

#include <math.h>

enum { K = 3, SEEN = 2 * K + 1 };

/* ucb1 writes down total, pulls and sums. */
static void counts(const setup *d, size_t player, double *pulls, double *sum)
{
    double saved[SEEN];
    (void)setup_numbers(d, player, SEEN, saved);
    memcpy(pulls, saved + 1, K * sizeof *pulls);
    memcpy(sum, saved + 1 + K, K * sizeof *sum);
}

static bool has(const setup *d, size_t player, const double *pulls, const double *sum)
{
    double p[K], s[K], off = 0;
    counts(d, player, p, s);
    for (size_t i = 0; i < K; i++)
        off += fabs(p[i] - pulls[i]) + fabs(s[i] - sum[i]);
    return off == 0;
}

static void test_mean(void)
{
    setup d = setup_new("sparring/ucb1", K, 4, 0, 1);
    setup_teach(&d, (size_t[]){0, 1, 1, 2}, "wltw-l"); /* slots 01, 02, 03, 12, 13, 23 */
    ok(has(&d, 0, (double[]){1, 0, 0}, (double[]){0.5, 0, 0}), "slot 0: the mean of a win, a loss and a tie");
    ok(has(&d, 1, (double[]){0, 1, 0}, (double[]){0, 0.5, 0}), "slot 1: the mean of a loss and a win, one missing");
    ok(has(&d, 2, (double[]){0, 1, 0}, (double[]){0, 1.0 / 3, 0}), "slot 2: the same arm, its own duels");
    ok(has(&d, 3, (double[]){0, 0, 1}, (double[]){0, 0, 0.75}), "slot 3: the mean of a tie and a win");
    setup_teach(&d, (size_t[]){2, 1, 0, 0}, "-w----");
    ok(has(&d, 0, (double[]){1, 0, 1}, (double[]){0.5, 0, 1}), "one duel answered: its first slot learns");
    ok(has(&d, 2, (double[]){1, 1, 0}, (double[]){0, 1.0 / 3, 0}), "and its second");
    ok(has(&d, 1, (double[]){0, 1, 0}, (double[]){0, 0.5, 0}) &&
           has(&d, 3, (double[]){0, 0, 1}, (double[]){0, 0, 0.75}),
       "slots without an answer learn nothing");
    setup_teach(&d, (size_t[]){1, 1, 1, 1}, "wwwwww");
    ok(has(&d, 0, (double[]){1, 1, 1}, (double[]){0.5, 1, 1}) &&
           has(&d, 3, (double[]){0, 1, 1}, (double[]){0, 0, 0.75}),
       "an arm against itself: each slot learns its own side");
    double score[K], expected[K] = {0};
    for (size_t j = 0; j < 4; j++) {
        double p[K], s[K];
        counts(&d, j, p, s);
        for (size_t i = 0; i < K; i++)
            expected[i] += (p[i] > 0 ? s[i] / p[i] : 0.5) / 4;
    }
    setup_score(&d, score);
    for (size_t i = 0; i < K; i++)
        near(score[i], expected[i], 1e-15, "the score of arm %zu is the mean of the players'", i);
    setup_free(&d);
}

static void test_each(void)
{
    setup d = setup_new("sparring(reward=each)/ucb1", K, 3, 0, 1);
    setup_teach(&d, (size_t[]){0, 1, 2}, "wt-");
    ok(has(&d, 0, (double[]){2, 0, 0}, (double[]){1.5, 0, 0}), "reward=each: two duels, two observations");
    ok(has(&d, 1, (double[]){0, 1, 0}, (double[]){0, 0, 0}) && has(&d, 2, (double[]){0, 0, 1}, (double[]){0, 0, 0.5}),
       "reward=each: one duel, one observation");
    setup_free(&d);
}

/* The default of reward= is the bandit's: the mean, unless it says otherwise. */
static void test_default(void)
{
    setup d = setup_new("sparring/thompson", K, 3, 0, 1);
    double ab[2 * K];
    setup_teach(&d, (size_t[]){0, 1, 2}, "wwt");
    (void)setup_numbers(&d, 0, 2 * K, ab);
    ok(ab[0] == 2 && ab[K] == 1, "thompson learns the mean: one observation");
    (void)setup_numbers(&d, 1, 2 * K, ab);
    ok(ab[1] == 1.25 && ab[K + 1] == 1.75, "fractional as it is");
    setup_free(&d);
}

/* Slot j shows the pick of player j: teach the players different favourites. */
static void test_choose(void)
{
    setup d = setup_new("sparring/ucb1(alpha=0)", K, 3, 0, 1);
    static const size_t lead[3] = {2, 0, 1};
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < K; i++) {
            spar__mab *player = d.policy->player[j];
            player->cls->learn(player, i, i == lead[j], 1, 1);
        }
    const size_t *arm = setup_choose(&d);
    ok(arm[0] == 2 && arm[1] == 0 && arm[2] == 1, "slot j shows the pick of player j");
    setup_free(&d);
}

/* Each slot's exp3 learns at its own slot's probability, once a round. */
static void test_exp3(void)
{
    setup d = setup_new("sparring/exp3", K, 2, 50, 1);
    double saved[K + 1], g = sqrt(K * log(K) / ((exp(1) - 1) * 50));
    (void)setup_choose(&d);
    memcpy(d.round->arm, (size_t[]){0, 1}, 2 * sizeof(size_t));
    memcpy(d.round->prob, (double[]){0.5, 0.25}, 2 * sizeof(double));
    setup_tell(&d, "t");
    (void)setup_numbers(&d, 0, K + 1, saved);
    near(saved[1], exp(g * 0.5 / (0.5 * K)), 1e-14, "exp3 of slot 0");
    ok(saved[0] == 1 && saved[2] == 1 && saved[3] == 1, "learns once, about one arm");
    (void)setup_numbers(&d, 1, K + 1, saved);
    near(saved[2], exp(g * 0.5 / (0.25 * K)), 1e-14, "exp3 of slot 1");
    setup_free(&d);
}

int main(void)
{
    test_mean();
    test_each();
    test_default();
    test_choose();
    test_exp3();
    return done();
}
