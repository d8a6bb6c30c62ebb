/* What a policy takes for the best: an arm of a finite set, a point of a continuous space, and its belief there. */
#include "policy/setup.h"

#include <math.h>

static double worth(double x)
{
    return 1 - 2 * (x - 0.3) * (x - 0.3);
}

static void test_finite(void)
{
    setup d = setup_new("self_sparring", 4, 2, 0, 1);
    size_t first = SPAR_NO_ARM, arm = 0, others = 0;
    spar_error err = {0};
    ok(spar_policy_best(d.policy, d.scratch, &first, 0, NULL, &err) == SPAR_OK && first < 4, "one of equal arms");
    for (uint64_t seed = 2; seed < 40; seed++) {
        setup other = setup_new("self_sparring", 4, 2, 0, seed);
        (void)spar_policy_best(other.policy, other.scratch, &arm, 0, NULL, NULL);
        others += arm != first;
        setup_free(&other);
    }
    ok(others > 10, "which one depends on the private key (%zu of 38 others)", others);
    for (int t = 0; t < 20; t++)
        setup_teach(&d, (size_t[]){2, 1}, "w");
    ok(spar_policy_best(d.policy, d.scratch, &arm, 0, NULL, &err) == SPAR_OK && arm == 2, "the arm that won");
    ok(spar_policy_retire_arm(d.policy, 2, &err) == SPAR_OK &&
           spar_policy_best(d.policy, d.scratch, &arm, 0, NULL, &err) == SPAR_OK && arm != 2 && arm != 1,
       "a live one");
    double score[5], mean, sd;
    ok(spar_policy_score(d.policy, d.scratch, 5, score, &err) == SPAR_INVALID, "a wrong length");
    same_text(err.text, "self_sparring: room for 5 numbers, expected one for each of 4 arms", "is refused");
    ok(spar_policy_belief_at(d.policy, d.scratch, 0, score, &mean, &sd, &err) == SPAR_UNSUPPORTED,
       "no space, no point");
    setup_free(&d);
}

/* 150 duels of a person who likes 0.3 most. */
static spar_policy *over_a_box(spar_scratch *scratch, spar_round *round, spar_feedback *feedback)
{
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 5, 0, 0);
    const char *spec = "kernel_self_sparring(length=0.4,variance=0.1,noise=0.2,mean=0.5)";
    if (spar_arms_new_box(1, (double[]){0}, (double[]){1}, &arms) ||
        spar_policy_new(spec, arms, 2, 0, &rng, &policy, NULL))
        abort();
    spar_arms_free(arms);
    for (int t = 0; t < 150; t++) {
        if (spar_policy_choose(policy, scratch, &rng, round, NULL) || spar_feedback_reset(feedback, 2))
            abort();
        double p = 0.5 + (worth(*spar_round_point(round, 0)) - worth(*spar_round_point(round, 1))) / 2;
        (void)spar_feedback_set(feedback, 0, 1, spar_rng_uniform(&rng) < p ? SPAR_WIN : SPAR_LOSS);
        if (spar_policy_learn(policy, round, feedback, NULL))
            abort();
    }
    return policy;
}

static void test_box(void)
{
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    if (spar_scratch_new(&scratch) || spar_round_new(2, &round) || spar_feedback_new(2, &feedback))
        abort();
    spar_policy *policy = over_a_box(scratch, round, feedback);
    size_t n = spar_arms_count(spar_policy_arms(policy)), arm = 0;
    double *mean = calloc(n, sizeof *mean), *sd = calloc(n, sizeof *sd), off = 0, at, spread;
    if (!mean || !sd || spar_policy_belief(policy, scratch, n, mean, sd, NULL))
        abort();
    for (size_t i = 0; i < n; i++) {
        const double *x = spar_arms_features(spar_policy_arms(policy), i);
        off += spar_policy_belief_at(policy, scratch, 1, x, &at, &spread, NULL) != SPAR_OK;
        off = fmax(off, fmax(fabs(at - mean[i]), fabs(spread - sd[i])));
    }
    ok(off < 1e-6, "at played points it is the belief of their arms (%.1e off)", off);
    double x = -1, highest = -1, top;
    bool found = spar_policy_best(policy, scratch, &arm, 1, &x, NULL) == SPAR_OK;
    ok(found && fabs(x - 0.3) < 0.15, "the best point: %g", x);
    (void)spar_policy_belief_at(policy, scratch, 1, &x, &top, &spread, NULL);
    for (double y = 0; y <= 1; y += 1.0 / 512)
        if (spar_policy_belief_at(policy, scratch, 1, &y, &at, &spread, NULL) == SPAR_OK)
            highest = fmax(highest, at);
    ok(top > highest - 1e-4, "no point of a fine grid is believed better (%.6f, %.6f)", top, highest);
    ok(arm == SPAR_FRESH || *spar_arms_features(spar_policy_arms(policy), arm) == x, "its arm, if it has one");
    spar_error err = {0};
    double outside = 1.5;
    ok(spar_policy_belief_at(policy, scratch, 1, &outside, &at, &spread, &err) == SPAR_INVALID, "outside: %s",
       err.text);
    ok(spar_policy_belief_at(policy, scratch, 2, mean, &at, &spread, &err) == SPAR_INVALID, "dimension: %s", err.text);
    ok(spar_policy_best(policy, scratch, &arm, 0, NULL, &err) == SPAR_INVALID, "nowhere to put it: %s", err.text);
    free(mean);
    free(sd);
    spar_policy_free(policy);
    spar_scratch_free(scratch);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

int main(void)
{
    test_finite();
    test_box();
    return done();
}
