#include "policy/setup.h"

#include <math.h>

enum { K = 4 };

static double learned_by_bandit(const setup *d)
{
    double ab[2 * K], sum = -2 * K;
    (void)setup_numbers(d, 0, 2 * K, ab);
    for (size_t i = 0; i < 2 * K; i++)
        sum += ab[i];
    return sum;
}

static int64_t epoch_of(setup *d)
{
    (void)setup_choose(d);
    return d->round->memo[0];
}

static void test_epochs(void)
{
    setup d = setup_new("doubler/thompson", K, 2, 0, 1), keep = setup_new("doubler(reset=0)/thompson", K, 2, 0, 1);
    bool length = true, reset = true, kept = true;
    double all = 0;
    for (int64_t epoch = 1; epoch <= 10; epoch++) {
        for (int64_t t = 0; t < (INT64_C(1) << epoch); t++) {
            length &= epoch_of(&d) == epoch && epoch_of(&keep) == epoch;
            reset &= learned_by_bandit(&d) == (double)t;
            kept &= learned_by_bandit(&keep) == all++;
            setup_tell(&d, "w");
            setup_tell(&keep, "l");
        }
    }
    ok(length, "epochs last 2, 4, 8, ... rounds");
    ok(reset, "reset=1: the bandit knows only this epoch");
    ok(kept, "reset=0: the bandit remembers");
    setup_free(&d);
    setup_free(&keep);
}

/* The left arm's law is the share of each arm among the right arms of the epoch before. */
static void test_left(void)
{
    static const size_t right[3][8] = {{3, 1}, {0, 0, 3, 0}, {1, 2, 2, 0, 2, 2, 2, 3}};
    setup d = setup_new("doubler/thompson", K, 2, 0, 1);
    size_t first = setup_choose(&d)[0];
    for (size_t epoch = 0; epoch < 3; epoch++) {
        size_t length = (size_t)2 << epoch;
        double p[K] = {0}, count[K] = {0};
        for (size_t t = 0; epoch > 0 && t < length / 2; t++)
            p[right[epoch - 1][t]] += 2 / (double)length;
        if (epoch == 0)
            p[first] = 1;
        for (size_t t = 0; t < length; t++) {
            for (int i = 0; i < 10000; i++)
                count[setup_choose(&d)[0]]++; /* also in the middle of the epoch, when others have been right */
            setup_teach(&d, (size_t[]){setup_choose(&d)[0], right[epoch][t]}, "w");
        }
        double sigma = fit_sigma(K, count, p);
        ok(sigma < 5, "epoch %zu: left arms have the law of the right arms before (%.1f sigma)", epoch + 1, sigma);
    }
    double score[K];
    setup_score(&d, score);
    ok(score[0] == 1 && score[1] == 1 && score[2] == 5 && score[3] == 1, "the score counts the right arms");
    spar_error err;
    (void)spar_policy_retire_arm(d.policy, 2, &err);
    double count[K] = {0};
    for (int i = 0; i < 30000; i++)
        count[setup_choose(&d)[0]]++;
    ok(fit_sigma(K, count, (double[]){1.0 / 3, 1.0 / 3, 0, 1.0 / 3}) < 5, "retired right arms are left out");
    setup_free(&d);
}

static void test_first_arm(void)
{
    double count[K] = {0};
    for (uint64_t seed = 0; seed < 4000; seed++) {
        setup d = setup_new("doubler/ucb1", K, 2, 0, seed);
        count[setup_choose(&d)[0]]++;
        setup_free(&d);
    }
    ok(fit_sigma(K, count, (double[]){0.25, 0.25, 0.25, 0.25}) < 5, "the first left arm is uniform over births");
}

static void test_learn(void)
{
    double ab[2 * K];
    setup d = setup_new("doubler(reset=0)/thompson", K, 2, 0, 1);
    setup_teach(&d, (size_t[]){0, 2}, "l");
    (void)setup_numbers(&d, 0, 2 * K, ab);
    ok(ab[2] == 2 && ab[K + 2] == 1 && ab[0] == 1 && ab[K] == 1, "the bandit learns that the right arm won");
    setup_teach(&d, (size_t[]){0, 1}, "w");
    setup_teach(&d, (size_t[]){0, 3}, "t");
    (void)setup_numbers(&d, 0, 2 * K, ab);
    ok(ab[1] == 1 && ab[K + 1] == 2 && ab[3] == 1.5 && ab[K + 3] == 1.5, "or lost, or half of each");
    setup_free(&d);
}

static void test_late(void)
{
    setup d = setup_new("doubler/thompson", K, 2, 0, 1);
    spar_round *late = NULL;
    if (spar_round_new(2, &late))
        abort();
    if (spar_policy_choose(d.policy, d.scratch, &d.rng, late, NULL))
        abort();
    for (int t = 0; t < 3; t++)
        setup_teach(&d, (size_t[]){0, 1}, "l"); /* the first epoch, and one round of the second */
    double before[2 * K], after[2 * K];
    (void)setup_numbers(&d, 0, 2 * K, before);
    (void)spar_feedback_set(d.feedback, 0, 1, SPAR_WIN);
    ok(spar_policy_learn(d.policy, late, d.feedback, NULL) == SPAR_OK, "a late answer is taken");
    (void)setup_numbers(&d, 0, 2 * K, after);
    ok(memcmp(before, after, sizeof before) == 0, "and teaches nothing");
    bool here = true;
    for (int t = 0; t < 3; t++) {
        here &= epoch_of(&d) == 2;
        setup_tell(&d, "l");
    }
    ok(here && epoch_of(&d) == 3, "nor does it shorten the epoch");
    spar_round_free(late);
    setup_free(&d);
}

int main(void)
{
    test_epochs();
    test_left();
    test_first_arm();
    test_learn();
    test_late();
    return done();
}
