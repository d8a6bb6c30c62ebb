/* setup.h - a policy with all that it needs to choose and learn, for tests that also look inside. */
#ifndef SPAR_TESTS_POLICY_SETUP_H
#define SPAR_TESTS_POLICY_SETUP_H

#include "mab/bandit.h"
#include "policy/policy.h"
#include "posterior/stat.h"

typedef struct setup {
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_rng rng;
} setup;

/* The refusal of a policy over n arms, "" when there is none; its status goes to *status if not NULL. */
__attribute__((unused)) static const char *refusal(const char *spec, size_t n, size_t m, spar_status *status)
{
    static spar_error err;
    err = (spar_error){0};
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_rng birth;
    spar_rng_seed(&birth, 1, 1, 1);
    if (spar_arms_new(n, 0, NULL, NULL, &arms))
        abort();
    spar_status got = spar_policy_new(spec, arms, m, 0, &birth, &policy, &err);
    if (status)
        *status = got;
    if ((got == SPAR_OK) != (policy != NULL) || got != err.status)
        abort();
    spar_policy_free(policy);
    spar_arms_free(arms);
    return err.text;
}

__attribute__((unused)) static setup setup_new(const char *spec, size_t n, size_t m, uint64_t horizon, uint64_t seed)
{
    setup d = {0};
    spar_error err = {0};
    spar_arms *arms = NULL;
    spar_rng birth;
    spar_rng_seed(&birth, seed, 0, 1);
    spar_rng_seed(&d.rng, seed, 0, 2);
    if (spar_arms_new(n, 0, NULL, NULL, &arms) || spar_policy_new(spec, arms, m, horizon, &birth, &d.policy, &err) ||
        spar_scratch_new(&d.scratch) || spar_round_new(m, &d.round) || spar_feedback_new(m, &d.feedback)) {
        printf("Bail out! %s: %s\n", spec, err.text);
        exit(1);
    }
    spar_arms_free(arms);
    return d;
}

__attribute__((unused)) static void setup_free(setup *d)
{
    spar_policy_free(d->policy);
    spar_scratch_free(d->scratch);
    spar_round_free(d->round);
    spar_feedback_free(d->feedback);
    *d = (setup){0};
}

__attribute__((unused)) static const size_t *setup_choose(setup *d)
{
    if (spar_policy_choose(d->policy, d->scratch, &d->rng, d->round, NULL))
        abort();
    return d->round->arm;
}

/* Answers the round: a letter for each pair of slots (0,1), (0,2), ..., (1,2), ...: how the first of the two did, w l t
 * or - for missing. */
__attribute__((unused)) static void setup_tell(setup *d, const char *answers)
{
    static const char letters[] = "-ltw";
    (void)spar_feedback_reset(d->feedback, d->round->m);
    for (size_t j = 0; j < d->round->m; j++)
        for (size_t k = j + 1; k < d->round->m; k++)
            if (spar_feedback_set(d->feedback, j, k, (spar_outcome)(strchr(letters, *answers++) - letters)))
                abort();
    if (spar_policy_learn(d->policy, d->round, d->feedback, NULL))
        abort();
}

/* The same for a round of one's own. */
__attribute__((unused)) static void setup_teach(setup *d, const size_t *arm, const char *answers)
{
    (void)setup_choose(d);
    d->round->m = d->policy->m; /* with fewer live arms choose shows fewer slots */
    memcpy(d->round->arm, arm, d->round->m * sizeof *arm);
    setup_tell(d, answers);
}

/* What player number `player` would write down: see mab_numbers. */
__attribute__((unused)) static size_t setup_numbers(const setup *d, size_t player, size_t room, double *out)
{
    return mab_numbers(d->policy->player[player], room, out);
}

__attribute__((unused)) static void setup_score(setup *d, double *score)
{
    if (spar_policy_score(d->policy, d->scratch, spar_arms_count(spar_policy_arms(d->policy)), score, NULL))
        abort();
}

#endif
