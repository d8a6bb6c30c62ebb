#include "policy/setup.h"

static const char *const duels[] = {"self_sparring",
                                    "self_sparring/exp3",
                                    "sparring/ucb1",
                                    "sparring/exp3",
                                    "multi_sbm/ucb1",
                                    "multi_sbm/thompson",
                                    "doubler/thompson",
                                    "random",
                                    "rucb",
                                    "dts",
                                    "rmed1",
                                    "merge_rucb",
                                    "mdb"};
enum { DUELS = sizeof duels / sizeof *duels };

typedef struct bytes {
    unsigned char *at;
    size_t length;
} bytes;

static bytes saved(const spar_policy *policy)
{
    bytes b;
    if (spar_policy_save(policy, &b.at, &b.length))
        abort();
    return b;
}

static bool same(bytes a, bytes b)
{
    bool equal = a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
    spar_bytes_free(a.at);
    spar_bytes_free(b.at);
    return equal;
}

/* A reward says nothing to a policy that learns duels. */
static void test_reward_alone(void)
{
    for (size_t i = 0; i < DUELS; i++) {
        setup d = setup_new(duels[i], 3, 2, 100, 1);
        setup_teach(&d, (size_t[]){0, 1}, "w");
        bytes before = saved(d.policy);
        (void)spar_feedback_reset(d.feedback, 2);
        (void)spar_feedback_reward(d.feedback, 1, 1);
        ok(spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_OK && same(before, saved(d.policy)),
           "%s: rewards without duels change nothing", duels[i]);
        setup_free(&d);
    }
}

static void test_rounds_that_do_not_fit(void)
{
    setup d = setup_new("self_sparring", 3, 2, 0, 1);
    bytes before = saved(d.policy);
    (void)setup_choose(&d);
    (void)spar_feedback_reset(d.feedback, 3);
    (void)spar_feedback_set(d.feedback, 0, 1, SPAR_WIN);
    bool refused = spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_INVALID;
    if (spar__round_reserve(d.round, 3))
        abort();
    d.round->m = 3;
    d.round->arm[2] = 7;
    refused &= spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_INVALID;
    (void)spar_feedback_reset(d.feedback, 2);
    (void)spar_feedback_set(d.feedback, 0, 1, SPAR_WIN);
    d.round->m = 2;
    d.round->arm[1] = 3;
    refused &= spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_INVALID;
    ok(refused && same(before, saved(d.policy)), "rounds that do not fit are refused and change nothing");
    setup_free(&d);
}

/* Plays on, with answers, and asks for everything that can be asked. */
static bool plays_on(setup *d)
{
    double score[16];
    bool good = true;
    for (int t = 0; t < 60; t++) {
        const size_t *arm = setup_choose(d);
        for (size_t j = 0; j < d->round->m; j++)
            good &= arm[j] < d->policy->arms->n && d->policy->arms->alive[arm[j]];
        setup_tell(d, t % 3 ? "wwwwwwwwwwwwwww" : "lllllllllllllll"); /* 15 pairs of six arms */
    }
    memset(score, 0xff, sizeof score); /* not a number */
    setup_score(d, score);
    for (size_t i = 0; i < d->policy->arms->n; i++)
        good &= isfinite(score[i]) != 0;
    bytes b = saved(d->policy);
    spar_policy *twin = NULL;
    good &= spar_policy_load(b.at, b.length, &twin, NULL) == SPAR_OK;
    good &= twin && same(b, saved(twin));
    spar_policy_free(twin);
    return good;
}

/* An arm that cannot be added because memory is out leaves no trace, at whatever allocation it fails. */
static void test_failed_add(void)
{
    for (size_t i = 0; i < DUELS; i++) {
        size_t k = 1, traces = 0, broken = 0;
        for (bool through = false; !through && k < 1000; k++) {
            setup d = setup_new(duels[i], 4, 2, 100, 1); /* the arms table is full: the next one makes all grow */
            setup_teach(&d, (size_t[]){0, 1}, "w");
            bytes before = saved(d.policy);
            spar_error err = {0};
            spar__alloc_fail_at(k);
            spar_status status = spar_policy_add_arm(d.policy, NULL, "late", NULL, &err);
            through = spar__alloc_count() < k;
            spar__alloc_fail_at(0);
            if (through) {
                spar_bytes_free(before.at);
                traces += status != SPAR_OK || d.policy->arms->n != 5;
            } else {
                traces += status != SPAR_NOMEM || err.status != SPAR_NOMEM || !same(before, saved(d.policy));
            }
            broken += !plays_on(&d);
            size_t index = 0;
            traces +=
                spar_policy_add_arm(d.policy, NULL, "later", &index, &err) != SPAR_OK || index != (through ? 5u : 4u);
            broken += !plays_on(&d);
            setup_free(&d);
        }
        ok(k > 3 && traces == 0 && broken == 0,
           "%s: each of %zu allocations of a new arm may fail (%zu traces, %zu broken)", duels[i], k - 2, traces,
           broken);
    }
}

static void test_retire(void)
{
    spar_error err = {0};
    setup d = setup_new("sparring/ucb1", 3, 2, 0, 1);
    ok(spar_policy_retire_arm(d.policy, 3, &err) == SPAR_INVALID, "an arm that is not there");
    same_text(err.text, "sparring/ucb1: no live arm 3 to retire", "cannot retire");
    ok(spar_policy_retire_arm(d.policy, 2, &err) == SPAR_OK && plays_on(&d), "one of three can");
    ok(spar_policy_retire_arm(d.policy, 2, &err) == SPAR_INVALID, "not twice");
    ok(spar_policy_retire_arm(d.policy, 0, &err) == SPAR_OK, "and one of two");
    ok(spar_policy_choose(d.policy, d.scratch, &d.rng, d.round, &err) == SPAR_UNSUPPORTED, "then there is no question");
    same_text(err.text, "sparring/ucb1: one live arm is left, and a comparison needs two", "which is said");
    ok(spar_policy_retire_arm(d.policy, 1, &err) == SPAR_INVALID, "nor can the last");
    same_text(err.text, "sparring/ucb1: arm 1 is the last one and cannot retire", "which says so");
    double x = 1;
    ok(spar_policy_add_arm(d.policy, &x, NULL, NULL, &err) == SPAR_INVALID, "features where there are none");
    same_text(err.text, "sparring/ucb1: cannot add an arm: invalid argument (the arms have 0 features each)",
              "are refused");
    setup_free(&d);
}

static void test_birth(void)
{
    setup a = setup_new("doubler/ucb1", 5, 2, 77, 3), b = setup_new("doubler/ucb1", 5, 2, 77, 4);
    ok(a.policy->key != b.policy->key && a.policy->horizon == 77 && a.policy->learned == 0, "a key at birth");
    ok(strcmp(spar_policy_spec(a.policy), "doubler/ucb1") == 0 && spar_policy_slots(a.policy) == 2,
       "what it was made of");
    spar_rng x = spar__policy_stream(a.policy, 1), y = spar__policy_stream(a.policy, 2),
             z = spar__policy_stream(a.policy, 1);
    uint64_t first = spar_rng_next(&x);
    ok(first != spar_rng_next(&y) && first == spar_rng_next(&z), "streams are told apart by their purpose");
    setup_free(&a);
    setup_free(&b);
}

/* A belief that cannot take an arm says that, and a round whose points are not there is not read. */
static void test_features(void)
{
    static const double cube[] = {0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1};
    static const double off[] = {0.3, 0.7, 0.1}, low = 0, high = 1;
    spar_arms *arms = NULL, *box = NULL;
    spar_policy *policy = NULL, *boxed = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_error err = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    if (spar_arms_new(8, 3, cube, NULL, &arms) || spar_arms_new_box(1, &low, &high, &box) ||
        spar_round_new(2, &round) ||
        spar_policy_new("kernel_self_sparring(backing=grid)", arms, 2, 0, &rng, &policy, &err) ||
        spar_policy_new("kernel_self_sparring", box, 2, 0, &rng, &boxed, &err) || spar_feedback_new(2, &feedback))
        abort();
    ok(spar_policy_add_arm(policy, off, NULL, NULL, &err) == SPAR_UNSUPPORTED && spar_policy_arms(policy)->n == 8,
       "an arm beside the grid");
    same_text(err.text,
              "kernel_self_sparring(backing=grid): its belief cannot take the change of arms: not supported by this "
              "combination",
              "is refused for what it is");
    (void)spar_feedback_set(feedback, 0, 1, SPAR_WIN);
    round->m = 2;
    round->arm[0] = round->arm[1] = SPAR_FRESH;
    round->dim = 1; /* but no room was made for the points */
    ok(spar_policy_learn(boxed, round, feedback, NULL) == SPAR_INVALID && spar_policy_arms(boxed)->n == 0,
       "points that are not there");
    round->dim = 0;
    spar_policy_free(policy);
    spar_policy_free(boxed);
    spar_arms_free(arms);
    spar_arms_free(box);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

int main(void)
{
    test_birth();
    test_reward_alone();
    test_rounds_that_do_not_fit();
    test_retire();
    test_failed_add();
    test_features();
    return done();
}
