#include "policy/desk.h"

#include <math.h>

enum { K = 4 };

static double learned_by_bandit(const desk *d)
{
    double ab[2 * K], sum = -2 * K;
    (void)desk_numbers(d, 0, 2 * K, ab);
    for (size_t i = 0; i < 2 * K; i++)
        sum += ab[i];
    return sum;
}

static int64_t epoch_of(desk *d)
{
    (void)desk_choose(d);
    return d->round->memo[0];
}

static void test_epochs(void)
{
    desk d = desk_open("doubler/thompson", K, 2, 0, 1), keep = desk_open("doubler(reset=0)/thompson", K, 2, 0, 1);
    bool length = true, reset = true, kept = true;
    double all = 0;
    for (int64_t epoch = 1; epoch <= 10; epoch++) {
        for (int64_t t = 0; t < (INT64_C(1) << epoch); t++) {
            length &= epoch_of(&d) == epoch && epoch_of(&keep) == epoch;
            reset &= learned_by_bandit(&d) == (double)t;
            kept &= learned_by_bandit(&keep) == all++;
            desk_tell(&d, "w");
            desk_tell(&keep, "l");
        }
    }
    ok(length, "epochs last 2, 4, 8, ... rounds");
    ok(reset, "reset=1: the bandit knows only this epoch");
    ok(kept, "reset=0: the bandit remembers");
    desk_close(&d);
    desk_close(&keep);
}

/* The left arm's law is the share of each arm among the right arms of the epoch before. */
static void test_left(void)
{
    static const size_t right[3][8] = {{3, 1}, {0, 0, 3, 0}, {1, 2, 2, 0, 2, 2, 2, 3}};
    desk d = desk_open("doubler/thompson", K, 2, 0, 1);
    size_t first = desk_choose(&d)[0];
    for (size_t epoch = 0; epoch < 3; epoch++) {
        size_t length = (size_t)2 << epoch;
        double p[K] = {0}, count[K] = {0};
        for (size_t t = 0; epoch > 0 && t < length / 2; t++)
            p[right[epoch - 1][t]] += 2 / (double)length;
        if (epoch == 0)
            p[first] = 1;
        for (size_t t = 0; t < length; t++) {
            for (int i = 0; i < 10000; i++)
                count[desk_choose(&d)[0]]++; /* also in the middle of the epoch, when others have been right */
            desk_teach(&d, (size_t[]){desk_choose(&d)[0], right[epoch][t]}, "w");
        }
        double sigma = fit_sigma(K, count, p);
        ok(sigma < 5, "epoch %zu: left arms have the law of the right arms before (%.1f sigma)", epoch + 1, sigma);
    }
    double score[K];
    desk_score(&d, score);
    ok(score[0] == 1 && score[1] == 1 && score[2] == 5 && score[3] == 1, "the score counts the right arms");
    spar_error err;
    (void)spar_policy_retire_arm(d.policy, 2, &err);
    double count[K] = {0};
    for (int i = 0; i < 30000; i++)
        count[desk_choose(&d)[0]]++;
    ok(fit_sigma(K, count, (double[]){1.0 / 3, 1.0 / 3, 0, 1.0 / 3}) < 5, "retired right arms are left out");
    desk_close(&d);
}

static void test_first_arm(void)
{
    double count[K] = {0};
    for (uint64_t seed = 0; seed < 4000; seed++) {
        desk d = desk_open("doubler/ucb1", K, 2, 0, seed);
        count[desk_choose(&d)[0]]++;
        desk_close(&d);
    }
    ok(fit_sigma(K, count, (double[]){0.25, 0.25, 0.25, 0.25}) < 5, "the first left arm is uniform over births");
}

static void test_learn(void)
{
    double ab[2 * K];
    desk d = desk_open("doubler(reset=0)/thompson", K, 2, 0, 1);
    desk_teach(&d, (size_t[]){0, 2}, "l");
    (void)desk_numbers(&d, 0, 2 * K, ab);
    ok(ab[2] == 2 && ab[K + 2] == 1 && ab[0] == 1 && ab[K] == 1, "the bandit learns that the right arm won");
    desk_teach(&d, (size_t[]){0, 1}, "w");
    desk_teach(&d, (size_t[]){0, 3}, "t");
    (void)desk_numbers(&d, 0, 2 * K, ab);
    ok(ab[1] == 1 && ab[K + 1] == 2 && ab[3] == 1.5 && ab[K + 3] == 1.5, "or lost, or half of each");
    desk_close(&d);
}

static void test_late(void)
{
    desk d = desk_open("doubler/thompson", K, 2, 0, 1);
    spar_round *late = NULL;
    if (spar_round_new(2, &late))
        abort();
    if (spar_policy_choose(d.policy, d.scratch, &d.rng, late, NULL))
        abort();
    for (int t = 0; t < 3; t++)
        desk_teach(&d, (size_t[]){0, 1}, "l"); /* the first epoch, and one round of the second */
    double before[2 * K], after[2 * K];
    (void)desk_numbers(&d, 0, 2 * K, before);
    (void)spar_feedback_set(d.feedback, 0, 1, SPAR_WIN);
    ok(spar_policy_learn(d.policy, late, d.feedback, NULL) == SPAR_OK, "a late answer is taken");
    (void)desk_numbers(&d, 0, 2 * K, after);
    ok(memcmp(before, after, sizeof before) == 0, "and teaches nothing");
    bool here = true;
    for (int t = 0; t < 3; t++) {
        here &= epoch_of(&d) == 2;
        desk_tell(&d, "l");
    }
    ok(here && epoch_of(&d) == 3, "nor does it shorten the epoch");
    spar_round_free(late);
    desk_close(&d);
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
