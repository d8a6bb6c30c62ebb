#include "policy/setup.h"
#include "posterior/beta/law.h"

enum { K = 4, MOST = 4 };

/* What the rule says of S and F: for every ordered pair of slots with an answer, the arm of the first gets eta r and
 * eta (1 - r). */
static void expect(size_t m, const size_t *arm, const char *answers, double eta, bool ignore, double *s, double *f)
{
    for (size_t j = 0; j < m; j++) {
        for (size_t k = j + 1; k < m; k++) {
            char a = *answers++;
            if (a == '-' || (ignore && arm[j] == arm[k]))
                continue;
            double r = a == 'w' ? 1 : a == 'l' ? 0 : 0.5;
            s[arm[j]] += eta * r;
            f[arm[j]] += eta * (1 - r);
            s[arm[k]] += eta * (1 - r);
            f[arm[k]] += eta * r;
        }
    }
}

/* All answers to all rounds of m slots (a sample of them for m = 4), each learned on top of the one before. */
static void test_learn(const char *spec, size_t m, double eta, bool ignore)
{
    setup d = setup_new(spec, K, m, 0, 1);
    size_t pairs = m * (m - 1) / 2, codes = 1, rounds = 1, wrong = 0, tried = 0;
    for (size_t i = 0; i < pairs; i++)
        codes *= 4;
    for (size_t i = 0; i < m; i++)
        rounds *= K;
    double s[K] = {0}, f[K] = {0}, ab[2 * K];
    for (size_t c = 0; c < codes * rounds; c += m < 4 ? 1 : 397, tried++) {
        size_t arm[MOST], code = c % codes, round = c / codes;
        char answers[8] = "";
        for (size_t i = 0; i < pairs; i++, code /= 4)
            answers[i] = "-ltw"[code % 4];
        for (size_t j = 0; j < m; j++, round /= K)
            arm[j] = round % K;
        setup_teach(&d, arm, answers);
        expect(m, arm, answers, eta, ignore, s, f);
        (void)setup_numbers(&d, 0, 2 * K, ab);
        for (size_t i = 0; i < K; i++)
            wrong += ab[i] != 1 + s[i] || ab[K + i] != 1 + f[i];
    }
    ok(wrong == 0 && tried > 60, "%s, m = %zu: S and F after each of %zu rounds", spec, m, tried);
    setup_free(&d);
}

static void test_self_duel(void)
{
    static const struct {
        const char *spec;
        double gain;
    } cases[] = {{"self_sparring", 1},
                 {"self_sparring(eta=3.5)", 3.5},
                 {"self_sparring(self_duels=count)", 1},
                 {"self_sparring(self_duels=ignore)", 0}};
    for (size_t c = 0; c < 4; c++) {
        double ab[2 * K];
        setup d = setup_new(cases[c].spec, K, 2, 0, 1);
        setup_teach(&d, (size_t[]){2, 2}, "w");
        (void)setup_numbers(&d, 0, 2 * K, ab);
        ok(ab[2] == 1 + cases[c].gain && ab[K + 2] == 1 + cases[c].gain && ab[0] == 1 && ab[K] == 1,
           "%s: a duel with itself gives +%g, +%g", cases[c].spec, cases[c].gain, cases[c].gain);
        setup_free(&d);
    }
    double ab[2 * K];
    setup d = setup_new("self_sparring", K, 3, 0, 1);
    setup_teach(&d, (size_t[]){1, 1, 1}, "wlt");
    (void)setup_numbers(&d, 0, 2 * K, ab);
    ok(ab[1] == 4 && ab[K + 1] == 4, "three slots with one arm: three wins, three losses");
    setup_free(&d);
}

/* S and F of the arms, less the prior. */
static void wins_and_losses(const setup *d, double *s, double *f)
{
    double ab[2 * K];
    (void)setup_numbers(d, 0, 2 * K, ab);
    for (size_t i = 0; i < K; i++) {
        s[i] = ab[i] - 1;
        f[i] = ab[K + i] - 1;
    }
}

enum { WINNER, RANKING, PAIRS };

/* Slots 1, 1, 1, 2: a winner, a ranking best first, or all pairs as the ranking has them. */
static void teach_clones(setup *d, int kind, const size_t *order)
{
    (void)spar_round_set(d->round, 4, (size_t[]){1, 1, 1, 2});
    (void)spar_feedback_reset(d->feedback, 4);
    if (kind == WINNER)
        (void)spar_feedback_winner(d->feedback, order[0]);
    if (kind == RANKING)
        (void)spar_feedback_ranking(d->feedback, 4, order, NULL);
    for (size_t j = 0; kind == PAIRS && j < 4; j++)
        for (size_t k = j + 1; k < 4; k++)
            (void)spar_feedback_set(d->feedback, order[j], order[k], SPAR_WIN);
    if (spar_policy_learn(d->policy, d->round, d->feedback, NULL))
        abort();
}

static void test_clones(void)
{
    static const size_t clone_first[] = {2, 3, 0, 1}, other_first[] = {3, 1, 0, 2}, other_last[] = {0, 2, 1, 3};
    static const struct {
        const char *spec;
        int kind;
        const size_t *order;
        double s1, f1, s2, f2;
    } cases[] = {
        {"self_sparring", WINNER, clone_first, 1, 0, 0, 1},
        {"self_sparring", WINNER, other_first, 0, 1, 1, 0},
        {"self_sparring", RANKING, clone_first, 1, 0, 0, 1}, /* the best of the three slots speaks */
        {"self_sparring", RANKING, other_first, 0, 1, 1, 0},
        {"self_sparring", RANKING, other_last, 1, 0, 0, 1},
        {"self_sparring", PAIRS, clone_first, 4, 5, 2, 1},
        {"self_sparring(clones=slot)", WINNER, clone_first, 3, 2, 0, 1},
        {"self_sparring(clones=slot)", WINNER, other_first, 0, 3, 3, 0},
        {"self_sparring(clones=slot)", RANKING, other_last, 6, 3, 0, 3},
        {"self_sparring(clones=arm)", PAIRS, clone_first, 1, 0, 0, 1},
        {"self_sparring(clones=arm,self_duels=ignore,eta=2)", PAIRS, other_first, 0, 2, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup d = setup_new(cases[i].spec, K, 2, 0, 1);
        double s[K], f[K];
        teach_clones(&d, cases[i].kind, cases[i].order);
        wins_and_losses(&d, s, f);
        ok(s[1] == cases[i].s1 && f[1] == cases[i].f1 && s[2] == cases[i].s2 && f[2] == cases[i].f2 &&
               s[0] + f[0] + s[3] + f[3] == 0 && spar_policy_rounds(d.policy) == 1,
           "%s, case %zu: %g wins, %g losses of the clones, %g and %g of the other", cases[i].spec, i, s[1], f[1], s[2],
           f[2]);
        setup_free(&d);
    }
}

/* A winner among slots that all hold one arm says nothing, but the round counts; a tie of all counts once. */
static void test_clones_alone(void)
{
    setup d = setup_new("self_sparring", K, 3, 0, 1);
    double s[K], f[K];
    (void)spar_round_set(d.round, 3, (size_t[]){1, 1, 1});
    (void)spar_feedback_reset(d.feedback, 3);
    (void)spar_feedback_winner(d.feedback, 1);
    ok(spar_policy_learn(d.policy, d.round, d.feedback, NULL) == SPAR_OK && spar_policy_rounds(d.policy) == 1,
       "three slots with one arm: the round counts");
    wins_and_losses(&d, s, f);
    ok(s[1] == 0 && f[1] == 0, "and nothing is learned");
    (void)spar_round_set(d.round, 3, (size_t[]){1, 2, 1});
    (void)spar_feedback_tie(d.feedback);
    (void)spar_policy_learn(d.policy, d.round, d.feedback, NULL);
    wins_and_losses(&d, s, f);
    ok(s[1] == 0.5 && f[1] == 0.5 && s[2] == 0.5 && f[2] == 0.5, "a tie of all slots counts once");
    setup_free(&d);
}

/* The slots are independent picks with the law of the belief. */
static void test_choose(void)
{
    enum { DRAWS = 100000 };
    setup d = setup_new("self_sparring(eta=2)", K, 3, 0, 1);
    double ab[2 * K], p[K], joint[K * K], count[K * K] = {0};
    setup_teach(&d, (size_t[]){0, 1, 2}, "wlt");
    setup_teach(&d, (size_t[]){3, 1, 2}, "wwl");
    (void)setup_numbers(&d, 0, 2 * K, ab);
    best_law(K, ab, ab + K, d.policy->arms->alive, p);
    for (size_t i = 0; i < K * K; i++)
        joint[i] = p[i / K] * p[i % K];
    for (int t = 0; t < DRAWS; t++) {
        const size_t *arm = setup_choose(&d);
        count[arm[0] * K + arm[2]]++;
    }
    double sigma = fit_sigma(K * K, count, joint);
    ok(sigma < 5, "slots are independent picks (%.1f sigma)", sigma);
    setup_free(&d);
}

static void test_distinct(void)
{
    setup d = setup_new("self_sparring(distinct=1)", K, 3, 0, 1);
    bool distinct = true;
    for (int t = 0; t < 2000; t++) {
        const size_t *arm = setup_choose(&d);
        distinct &= arm[0] != arm[1] && arm[0] != arm[2] && arm[1] != arm[2];
        setup_tell(&d, arm[0] == 1 ? "www" : "tlw");
    }
    ok(distinct, "distinct=1: no arm twice in a round");
    spar_error err = {0};
    ok(spar_policy_retire_arm(d.policy, 0, &err) == SPAR_OK, "distinct=1: one of four arms may retire");
    ok(spar_policy_retire_arm(d.policy, 1, &err) == SPAR_OK, "and the next");
    size_t seen = 0;
    bool two = true;
    for (int t = 0; t < 200; t++) {
        const size_t *arm = setup_choose(&d);
        two &= d.round->m == 2 && arm[0] != arm[1];
        seen |= (size_t)1 << arm[0] | (size_t)1 << arm[1];
    }
    ok(two && seen == 12, "two live arms: two slots");
    ok(spar_policy_retire_arm(d.policy, 2, &err) == SPAR_OK &&
           spar_policy_choose(d.policy, d.scratch, &d.rng, d.round, &err) == SPAR_UNSUPPORTED,
       "one live arm: refused");
    same_text(err.text, "self_sparring(distinct=1): one live arm is left, and a comparison needs two",
              "with a sentence");
    ok(spar_policy_add_arm(d.policy, NULL, NULL, NULL, &err) == SPAR_OK && setup_choose(&d) && d.round->m == 2,
       "a new arm makes two again");
    setup_free(&d);
}

static void test_refused(void)
{
    spar_status status;
    same_text(refusal("self_sparring/ucb1", 4, 2, &status),
              "self_sparring/ucb1 makes no sense: ucb1 is deterministic, so its m picks are m copies of one arm and "
              "nothing is compared; use sparring/ucb1",
              "a deterministic bandit");
    ok(status == SPAR_UNSUPPORTED, "is not supported");
    same_text(refusal("self_sparring(distinct=1)/exp3", 4, 2, &status),
              "self_sparring(distinct=1)/exp3: distinct=1 needs a bandit that draws from a belief; exp3 does not",
              "distinct picks of exp3");
    ok(status == SPAR_UNSUPPORTED, "are not supported");
    same_text(refusal("ind_self_sparring(distinct=1)", 2, 3, &status), "", "more slots than arms: it shows fewer");
    same_text(refusal("ind_self_sparring(distinct=1)", 3, 3, &status), "", "as many slots as arms will do");
}

/* Over exp3 every duel is one reward of weight eta, at the probability of its slot. */
static void test_exp3(void)
{
    setup d = setup_new("self_sparring(eta=0.5)/exp3", 3, 2, 50, 1);
    double saved[4], g = sqrt(3 * log(3) / ((exp(1) - 1) * 50));
    (void)setup_choose(&d);
    d.round->arm[0] = 0;
    d.round->arm[1] = 2;
    d.round->prob[0] = 0.25;
    d.round->prob[1] = 0.5;
    setup_tell(&d, "t");
    (void)setup_numbers(&d, 0, 4, saved);
    ok(saved[0] == 2 && saved[2] == 1, "exp3 learns two rewards from a duel");
    near(saved[1], exp(0.5 * g * 0.5 / (0.25 * 3)), 1e-14, "the first with its own probability");
    near(saved[3], exp(0.5 * g * 0.5 / (0.5 * 3)), 1e-14, "the second with its own");
    setup_free(&d);
}

int main(void)
{
    for (size_t m = 2; m <= MOST; m++) {
        test_learn("self_sparring", m, 1, false);
        test_learn("self_sparring(eta=3.5)", m, 3.5, false);
        test_learn("self_sparring(eta=0.25,self_duels=ignore)", m, 0.25, true);
    }
    test_self_duel();
    test_clones();
    test_clones_alone();
    test_choose();
    test_distinct();
    test_refused();
    test_exp3();
    return done();
}
