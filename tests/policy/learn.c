/* Rounds that the policy did not choose: larger and smaller ones, and ones with retired arms. */
#include "policy/setup.h"

enum { K = 12, RANKED = 10 };

static const size_t ranking[RANKED] = {3, 7, 0, 11, 5, 1, 9, 2, 10, 4};

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

static bool same_state(const setup *a, const setup *b)
{
    bytes x = saved(a->policy), y = saved(b->policy);
    bool same = x.length == y.length && memcmp(x.at, y.at, x.length) == 0;
    spar_bytes_free(x.at);
    spar_bytes_free(y.at);
    return same;
}

/* Learns a round that no policy asked for: these arms, best first. */
static spar_status learn_ranking(setup *d, size_t m, const size_t *arm, spar_error *err)
{
    size_t slot[RANKED];
    for (size_t j = 0; j < m; j++)
        slot[j] = j;
    if (spar_round_set(d->round, m, arm) || spar_feedback_reset(d->feedback, m) ||
        spar_feedback_ranking(d->feedback, m, slot, NULL))
        abort();
    return spar_policy_learn(d->policy, d->round, d->feedback, err);
}

static void retire(setup *d, size_t n, const size_t *arm)
{
    for (size_t i = 0; i < n; i++)
        if (spar_policy_retire_arm(d->policy, arm[i], NULL))
            abort();
}

/* A ranking is its pairs, whatever of its arms have retired. */
static void test_larger_rounds(void)
{
    static const char *const specs[] = {"rucb", "dts", "rmed1", "merge_rucb", "savage", "multi_sbm/thompson"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (size_t retired = 0; retired < 3; retired += 2) {
            setup whole = setup_new(specs[s], K, 2, 1000, 1), pairs = setup_new(specs[s], K, 2, 1000, 1);
            if (retired && !spar_policy_live_arms(whole.policy)) {
                setup_free(&whole);
                setup_free(&pairs);
                continue;
            }
            retire(&whole, retired, (size_t[]){7, 4});
            retire(&pairs, retired, (size_t[]){7, 4});
            bool learned = learn_ranking(&whole, RANKED, ranking, NULL) == SPAR_OK;
            for (size_t j = 0; j < RANKED; j++)
                for (size_t k = j + 1; k < RANKED; k++)
                    learned &= learn_ranking(&pairs, 2, (size_t[]){ranking[j], ranking[k]}, NULL) == SPAR_OK;
            ok(learned && same_state(&whole, &pairs), "%s: a ranking of 10, %zu retired, is its 45 pairs", specs[s],
               retired);
            ok(spar_policy_rounds(whole.policy) == 45, "%s: each counts as a round", specs[s]);
            setup_free(&whole);
            setup_free(&pairs);
        }
}

/* Policies of four slots: a pair vote teaches them what it teaches a policy of two. */
static void test_smaller_rounds(void)
{
    static const char *const specs[] = {"self_sparring", "self_sparring/exp3", "sparring/ucb1", "random", "mdb"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        setup two = setup_new(specs[s], K, 2, 0, 1), four = setup_new(specs[s], K, 4, 0, 1);
        double x[K], y[K];
        bool learned = true;
        for (int t = 0; t < 20; t++)
            learned &= learn_ranking(&two, 2, (size_t[]){3, 7}, NULL) == SPAR_OK &&
                       learn_ranking(&four, 2, (size_t[]){3, 7}, NULL) == SPAR_OK;
        setup_score(&two, x);
        setup_score(&four, y);
        bool same = strncmp(specs[s], "sparring", 8) == 0 || memcmp(x, y, sizeof x) == 0; /* its score is a mean */
        ok(learned && same && y[3] > y[7], "%s: learns a pair vote with four slots", specs[s]);
        setup_free(&two);
        setup_free(&four);
    }
}

static void test_one_bandit_per_slot(void)
{
    spar_error err = {0};
    setup d = setup_new("sparring/ucb1", K, 4, 0, 1), fresh = setup_new("sparring/ucb1", K, 4, 0, 1);
    ok(learn_ranking(&d, 5, ranking, &err) == SPAR_UNSUPPORTED, "sparring with four bandits and a round of five");
    same_text(err.text, "sparring/ucb1: the round has 5 slots, but there is a bandit for each of 4 only", "is refused");
    ok(same_state(&d, &fresh), "and nothing has changed");
    ok(learn_ranking(&d, 3, ranking, &err) == SPAR_OK, "three slots are fine");
    setup_free(&d);
    setup_free(&fresh);
}

static void test_asked_only(void)
{
    static const char *const refusals[][2] = {
        {"interleaved_filter", "each challenger duels the candidate once a pass"},
        {"beat_the_mean", "the opponents of an arm must be drawn uniformly"},
        {"doubler/ucb1", "its left arm must be drawn from those of the epoch before"}};
    for (size_t s = 0; s < 3; s++)
        for (size_t m = 2; m < 4; m++) {
            spar_error err = {0};
            char expected[200];
            setup d = setup_new(refusals[s][0], K, 2, 1000, 1), fresh = setup_new(refusals[s][0], K, 2, 1000, 1);
            ok(learn_ranking(&d, m, ranking, &err) == SPAR_UNSUPPORTED && same_state(&d, &fresh),
               "%s: a foreign round of %zu slots", refusals[s][0], m);
            (void)snprintf(expected, sizeof expected, "%s: learns only from rounds that it chose itself: %s",
                           refusals[s][0], refusals[s][1]);
            same_text(err.text, expected, "is refused");
            setup_free(&d);
            setup_free(&fresh);
        }
}

/* The memo of the next question tells the pass, the turn or the reign: duels that were not asked for do not move it,
 * and the answer to the question asked before them still does. */
static void test_foreign_duels_move_no_list(void)
{
    static const char *const specs[] = {"rmed1", "merge_rucb"};
    for (size_t s = 0; s < 2; s++) {
        setup d = setup_new(specs[s], 4, 2, 0, 1);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < i; j++)
                if (learn_ranking(&d, 2, (size_t[]){i, j}, NULL)) /* all have met */
                    abort();
        (void)setup_choose(&d);
        spar_round *asked = NULL;
        if (spar_round_dup(d.round, &asked))
            abort();
        bool still = true;
        for (int t = 0; t < 40; t++) {
            still &= learn_ranking(&d, 2, (size_t[]){(size_t)t % 4, (size_t)(t + 1) % 4}, NULL) == SPAR_OK;
            (void)setup_choose(&d);
            still &= memcmp(d.round->memo, asked->memo, sizeof asked->memo) == 0;
        }
        ok(still && asked->memo[0] == 1, "%s: foreign duels do not move its lists", specs[s]);
        for (int t = 0; t < 8; t++) {
            (void)spar_round_copy(asked, d.round);
            setup_tell(&d, "w");
            (void)setup_choose(&d);
            (void)spar_round_copy(d.round, asked);
        }
        ok(asked->memo[0] > 1, "%s: its own do", specs[s]);
        spar_round_free(asked);
        setup_free(&d);
    }
}

/* All that is said of a retired arm is kept, and changes nothing for the others. */
static void test_retired_arms(void)
{
    static const char *const specs[] = {"rucb", "dts", "rmed1", "merge_rucb", "mdb", "self_sparring", "multi_sbm/ucb1"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        setup d = setup_new(specs[s], 4, 2, 0, 1);
        double before[4], after[4];
        bool learned = learn_ranking(&d, 2, (size_t[]){1, 2}, NULL) == SPAR_OK;
        retire(&d, 1, (size_t[]){3});
        setup_score(&d, before);
        for (int t = 0; t < 10; t++)
            learned &= learn_ranking(&d, 2, (size_t[]){3, 1}, NULL) == SPAR_OK;
        setup_score(&d, after);
        bool direct = d.policy->cls->players == SPAR__PLAYERS_NONE;
        ok(learned && (!direct || (memcmp(before, after, 3 * sizeof *before) == 0 && after[3] > before[3])),
           "%s: duels of a retired arm count for it alone", specs[s]);
        bool shown = false;
        for (int t = 0; t < 200; t++) {
            const size_t *arm = setup_choose(&d);
            for (size_t j = 0; j < d.round->m; j++)
                shown |= arm[j] == 3;
        }
        ok(!shown, "%s: and do not bring it back", specs[s]);
        setup_free(&d);
    }
}

int main(void)
{
    test_larger_rounds();
    test_smaller_rounds();
    test_one_bandit_per_slot();
    test_asked_only();
    test_foreign_duels_move_no_list();
    test_retired_arms();
    return done();
}
