/* A Gaussian process that learns duels in a continuous space: what it finds, that it is saved, and what it refuses. */
#include "tap.h"

#include <spar/spar.h>

#include <stdlib.h>

static spar_error err;

static const char spec[] = "kernel_self_sparring(duels=1,length=0.35,variance=9)";

static spar_policy *make(size_t m)
{
    spar_arms *arms = NULL;
    spar_rng *rng = NULL;
    spar_policy *policy = NULL;
    if (spar_arms_new_box(1, (double[]){0}, (double[]){1}, &arms) || spar_rng_new(1, 0, 0, &rng) ||
        spar_policy_new(spec, arms, m, 0, rng, &policy, &err)) {
        printf("Bail out! %s\n", err.text);
        abort();
    }
    spar_arms_free(arms);
    spar_rng_free(rng);
    return policy;
}

static void learn(spar_policy *policy, size_t m, const double *x, const spar_answer *answer)
{
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    if (spar_round_new(m, &round) || spar_feedback_new(m, &feedback) || spar_round_set_points(round, m, 1, x) ||
        spar_answer_feedback(answer, m, feedback, &err) || spar_policy_learn(policy, round, feedback, &err))
        abort();
    spar_round_free(round);
    spar_feedback_free(feedback);
}

static double mean_at(const spar_policy *policy, double x, double *sd)
{
    spar_scratch *scratch = NULL;
    double mean = NAN;
    if (spar_scratch_new(&scratch) || spar_policy_belief_at(policy, scratch, 1, &x, &mean, sd, &err))
        abort();
    spar_scratch_free(scratch);
    return mean;
}

/* Who wins against the weak is no better than who wins against the strong: rewards cannot tell, duels can. */
static void test_whom_they_met(void)
{
    spar_policy *policy = make(2);
    spar_answer *answer = NULL;
    double sd = 0, before = 0;
    if (spar_answer_new(&answer))
        abort();
    (void)mean_at(policy, 0.5, &before);
    near(before, 3, 1e-9, "before anything is known the deviation is the root of the variance");
    spar_answer_set_winner(answer, 0);
    for (int i = 0; i < 6; i++) {
        learn(policy, 2, (double[]){0.5, 0.0}, answer);
        learn(policy, 2, (double[]){1.0, 0.5}, answer);
    }
    double low = mean_at(policy, 0, NULL), middle = mean_at(policy, 0.5, &sd), high = mean_at(policy, 1, NULL);
    ok(low < middle - 0.5 && middle < high - 0.5, "1.0 beats 0.5, which beats 0.0: %.2f, %.2f, %.2f", low, middle,
       high);
    ok(sd < before, "something was learned: %.2f", sd);
    near(low + high, 2 * middle, 1e-6, "by symmetry 0.5 is in the middle, though it won and lost alike");
    spar_answer_free(answer);
    spar_policy_free(policy);
}

static void test_three(void)
{
    spar_policy *policy = make(3);
    spar_answer *answer = NULL;
    const double x[3] = {0, 0.5, 1};
    if (spar_answer_new(&answer))
        abort();
    spar_answer_set_winner(answer, 1);
    for (int i = 0; i < 10; i++)
        learn(policy, 3, x, answer);
    double left = mean_at(policy, 0, NULL), right = mean_at(policy, 1, NULL);
    ok(mean_at(policy, 0.5, NULL) > left + 0.5, "the winner of three is above the others");
    near(left, right, 1e-9, "of which nothing is said");
    spar_answer_free(answer);
    spar_policy_free(policy);
}

static void test_saved(void)
{
    spar_policy *policy = make(2), *loaded = NULL;
    spar_scratch *scratch = NULL;
    spar_round *a = NULL, *b = NULL;
    spar_answer *answer = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0, differ = 0;
    if (spar_scratch_new(&scratch) || spar_round_new(2, &a) || spar_round_new(2, &b) || spar_answer_new(&answer))
        abort();
    for (size_t i = 0; i < 12; i++) {
        const double x[2] = {(double)(i * 7 % 12) / 12, (double)(i * 5 % 11) / 11};
        spar_answer_set_winner(answer, i % 2);
        learn(policy, 2, x, answer);
    }
    ok(!spar_policy_save(policy, &bytes, &length) && !spar_policy_load(bytes, length, &loaded, &err),
       "saved, loaded: %s", err.text);
    for (uint64_t i = 0; i < 5 && loaded; i++) {
        spar_rng *r = NULL, *s = NULL;
        if (spar_rng_new(1, i, 0, &r) || spar_rng_new(1, i, 0, &s) || spar_policy_choose(policy, scratch, r, a, &err) ||
            spar_policy_choose(loaded, scratch, s, b, &err))
            abort();
        for (size_t j = 0; j < 2; j++)
            differ += spar_round_point(a, j)[0] != spar_round_point(b, j)[0];
        spar_rng_free(r);
        spar_rng_free(s);
    }
    ok(loaded && differ == 0, "and asks the same");
    spar_bytes_free(bytes);
    spar_policy_free(policy);
    spar_policy_free(loaded);
    spar_scratch_free(scratch);
    spar_round_free(a);
    spar_round_free(b);
    spar_answer_free(answer);
}

static void test_refused(void)
{
    spar_arms *arms = NULL;
    spar_rng *rng = NULL;
    spar_policy *policy = NULL;
    if (spar_arms_new(3, 1, (double[]){0, 0.5, 1}, NULL, &arms) || spar_rng_new(1, 0, 0, &rng))
        abort();
    ok(spar_policy_new(spec, arms, 2, 0, rng, &policy, &err) == SPAR_UNSUPPORTED && strstr(err.text, "continuous"),
       "a list of arms is refused: %s", err.text);
    spar_arms_free(arms);
    spar_rng_free(rng);
}

int main(void)
{
    test_whom_they_met();
    test_three();
    test_saved();
    test_refused();
    return done();
}
