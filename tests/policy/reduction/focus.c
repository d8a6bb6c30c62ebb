#include "policy/setup.h"

#include "policy/reduction/pair_evidence.h"

enum { K = 5 };

/* An arm is taught to win over all others, then the screens are looked at: with p = 1 the leader comes first, then the
 * rivals in the order that the evidence gives. */
static void test_screens(void)
{
    setup d = setup_new("focus(p=1,delta=0.5)/self_sparring(distinct=1)", K, 3, 0, 1);
    for (int t = 0; t < 12; t++)
        setup_teach(&d, (size_t[]){2, 0, 1}, "ww-"); /* beyond K / delta = 10 */
    for (int t = 0; t < 3; t++)
        setup_teach(&d, (size_t[]){2, 3, 0}, t ? "w--" : "l--");
    size_t first[K] = {0}, last[K] = {0};
    bool leads = true, plain = true, distinct = true;
    for (int t = 0; t < 400; t++) {
        const size_t *arm = setup_choose(&d);
        leads &= arm[0] == 2;
        distinct &= arm[1] != arm[2] && arm[1] != 2 && arm[2] != 2;
        first[arm[1]]++;
        last[arm[2]]++;
        for (size_t j = 0; j < 3; j++)
            plain &= d.round->prob[j] == 1;
        for (size_t j = 0; j < SPAR__MEMO; j++)
            plain &= d.round->memo[j] == 0;
    }
    ok(leads && distinct, "the arm of highest score leads, the others differ");
    ok(plain, "probability 1 and an empty memo");
    ok(first[0] + first[1] == 0 && last[0] + last[1] == 0, "open rivals before settled ones");
    ok(first[4] == 400 && last[3] == 400, "the one without answers before the one with some and a larger E");
    setup_free(&d);
}

/* E and the number of answers give different orders: a coin decides, for the whole screen. */
static void test_coin(void)
{
    setup d = setup_new("focus(p=1)/self_sparring(distinct=1)", K, 3, 0, 3);
    for (int t = 0; t < 4; t++)
        setup_teach(&d, (size_t[]){0, 1, 2}, "w--"); /* 4 answers, E > 1 */
    for (int t = 0; t < 3; t++)
        setup_teach(&d, (size_t[]){0, 1, 2}, t ? "-w-" : "-l-"); /* 3 answers, E near 1 */
    for (int t = 0; t < 5; t++)
        setup_teach(&d, (size_t[]){0, 3, 4}, t < 3 ? "ww-" : "lw-"); /* 5 answers; E near 1 for 3, larger for 4 */
    for (int t = 0; t < 3; t++)
        setup_teach(&d, (size_t[]){0, 2, 1}, "t--"); /* a tie orders nothing */
    size_t by_e = 0, by_count = 0, screens = 2000;
    for (size_t t = 0; t < screens; t++) {
        const size_t *arm = setup_choose(&d);
        by_count += arm[0] == 0 && arm[1] == 2 && arm[2] == 1;
        by_e += arm[0] == 0 && arm[1] == 3 && arm[2] == 2;
    }
    ok(by_e + by_count == screens && by_e > 850 && by_count > 850, "by E %zu times, by answers %zu times", by_e,
       by_count);
    setup_free(&d);
}

static spar__evidence *evidence_of(const setup *d)
{
    return &((spar__evidence_policy *)d->policy)->evidence;
}

/* Answers of a person count where each option stands once, duels always. */
static void test_evidence(void)
{
    setup d = setup_new("focus/self_sparring(distinct=1)", K, 4, 0, 1);
    const spar__evidence *ev = evidence_of(&d);
    double ab[2 * K];
    (void)spar_round_set(d.round, 4, (size_t[]){1, 1, 2, 3});
    (void)spar_feedback_reset(d.feedback, 4);
    (void)spar_feedback_winner(d.feedback, 2);
    ok(spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_OK, "a screen that it did not choose");
    ok(spar__evidence_against(ev, 2, 1).won == 0 && spar__evidence_against(ev, 2, 3).won == 1,
       "a winner over an option that stands twice says nothing of the two");
    setup_teach(&d, (size_t[]){1, 1, 2, 3}, "-ll---");
    ok(spar__evidence_against(ev, 2, 1).won == 1, "a duel does");
    (void)mab_numbers(d.policy->inner->player[0], 2 * K, ab);
    ok(ab[2] > 2 && d.policy->inner->learned == 2 && spar_policy_rounds(d.policy) == 2, "the inner policy learns too");
    double ours[K], theirs[K];
    setup_score(&d, ours);
    (void)spar_policy_score(d.policy->inner, d.scratch, K, theirs, NULL);
    ok(memcmp(ours, theirs, sizeof ours) == 0, "its scores are the policy's");
    setup_free(&d);
}

static void test_changes(void)
{
    setup d = setup_new("focus(p=1)/self_sparring(distinct=1)", K, 3, 0, 1);
    const spar__evidence *ev = evidence_of(&d);
    size_t late = 0, seen = 0;
    setup_teach(&d, (size_t[]){0, 1, 2}, "www");
    ok(spar_policy_add_arm(d.policy, NULL, NULL, &late, NULL) == SPAR_OK && ev->n == K + 1 && ev->option[late].live,
       "a new arm has evidence of its own");
    near(spar__evidence_threshold(ev, 0, late), log((K + 1) * 2 / (0.2 * 0.05)), 1e-12, "and its threshold");
    ok(spar_policy_retire_arm(d.policy, 1, NULL) == SPAR_OK && !ev->option[1].live, "one retires");
    for (int t = 0; t < 100; t++) {
        const size_t *arm = setup_choose(&d);
        for (size_t j = 0; j < 3; j++)
            seen |= (size_t)1 << arm[j];
    }
    ok(seen == 1 + 8 + 16 + 32, "the leader and the live ones without answers: %zu", seen);
    for (size_t i = 2; i < K; i++)
        (void)spar_policy_retire_arm(d.policy, i, NULL);
    const size_t *arm = setup_choose(&d);
    ok(d.round->m == 2 && arm[0] != arm[1], "two live arms: two slots");
    spar_policy *twin = NULL;
    ok(spar_policy_dup(d.policy, &twin, NULL) == SPAR_OK, "a duplicate of it");
    spar_policy_free(twin);
    setup_free(&d);
}

/* The thresholds of a live decision. */
static void test_live(void)
{
    for (int live = 0; live < 2; live++) {
        setup d =
            setup_new(live ? "focus(live=1)/self_sparring(distinct=1)" : "focus/self_sparring(distinct=1)", K, 2, 0, 1);
        const spar__evidence *ev = evidence_of(&d);
        size_t late = 0;
        setup_teach(&d, (size_t[]){0, 1}, "w");
        (void)spar_policy_add_arm(d.policy, NULL, NULL, &late, NULL);
        near(spar__evidence_threshold(ev, 0, 1), log(K / (live ? 0.04 : 0.05)), 1e-12, "of the first arms, live=%d",
             live);
        near(spar__evidence_threshold(ev, 0, late), log((K + 1) * 2 / (0.2 * 0.05)), 1e-12, "of one that came later");
        setup_free(&d);
    }
}

static void test_refused(void)
{
    static const char *const needs = ": focus needs a policy that never shows an arm twice in a round; those are "
                                     "self_sparring(distinct=1)/thompson and a belief";
    char text[300];
    spar_status status;
    static const char *const twice[] = {"focus/self_sparring", "focus/ind_self_sparring", "focus/rucb",
                                        "focus/sparring/ucb1"};
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(text, sizeof text, "%s%s", twice[i], needs);
        same_text(refusal(twice[i], K, 2, &status), text, "%s", twice[i]);
        ok(status == SPAR_UNSUPPORTED, "is not supported");
    }
    same_text(refusal("focus/mdb", K, 3, &status), "focus/mdb: focus shows m arms, but mdb chooses the size of its set",
              "a policy with its own size");
    same_text(refusal("focus/focus/self_sparring(distinct=1)", K, 3, &status),
              "focus/focus/self_sparring(distinct=1): focus over focus makes no sense: both keep evidence", "twice");
    same_text(
        refusal("focus/doubler/ucb1", K, 2, &status),
        "focus/doubler/ucb1: doubler learns only from rounds that it chose itself: its left arm must be drawn from "
        "those of the epoch before",
        "one that must have asked");
    same_text(refusal("focus/thompson/beta", K, 2, &status),
              "focus needs a policy that compares arms; thompson is a bandit on its own", "a bandit");
    same_text(refusal("focus", K, 2, &status), "focus needs a policy, for example focus/self_sparring(distinct=1)",
              "nothing inside");
    same_text(refusal("focus(p=1.5)/self_sparring(distinct=1)", K, 2, &status),
              "focus: p=1.5 is out of range, expected 0 to 1", "p");
    same_text(refusal("focus(p=0.3)/ind_self_sparring(distinct=1)", K, 2, &status), "", "an alias may follow");
}

int main(void)
{
    test_screens();
    test_coin();
    test_evidence();
    test_changes();
    test_live();
    test_refused();
    return done();
}
