#include "mab/bandit.h"
#include "posterior/stat.h"

#include <math.h>

enum { K = 6 };

static void test_first_pulls(void)
{
    enum { ARMS = 4, ORDERS = 24, GAMES = 12000 };
    bandit b = bandit_open("ucb1", ARMS, 0);
    double count[ARMS * ARMS * ARMS * ARMS] = {0}, p[ARMS * ARMS * ARMS * ARMS] = {0};
    bool once = true;
    for (size_t c = 0; c < ARMS * ARMS * ARMS * ARMS; c++) {
        size_t x[ARMS] = {c / 64, c / 16 % 4, c / 4 % 4, c % 4}, seen = 0;
        for (size_t j = 0; j < ARMS; j++)
            seen |= (size_t)1 << x[j];
        p[c] = seen == 15 ? 1.0 / ORDERS : 0;
    }
    for (int game = 0; game < GAMES; game++) {
        size_t code = 0, seen = 0;
        spar__mab_forget(b.self);
        for (size_t j = 0; j < ARMS; j++) {
            size_t arm = bandit_next(&b);
            once &= arm < ARMS && !(seen >> arm & 1);
            seen |= (size_t)1 << arm;
            code = code * ARMS + arm;
            bandit_learn(&b, arm, arm == 1, 1, 1); /* what came back does not matter yet */
        }
        count[code]++;
    }
    double sigma = fit_sigma(ARMS * ARMS * ARMS * ARMS, count, p);
    ok(once, "every arm once before any twice");
    ok(sigma < 5, "in any order, all equally likely (%.1f sigma)", sigma);
    bandit_close(&b);
}

/* A random history; counts are kept here too. Rewards come in eighths so that sums are exact. */
static void teach(bandit *b, spar_rng *rng, size_t pulls, double *n, double *sum)
{
    for (size_t t = 0; t < pulls; t++) {
        size_t arm = t < K ? t : (size_t)spar_rng_below(rng, K);
        double reward = (double)spar_rng_below(rng, 9) / 8;
        bandit_learn(b, arm, reward, 1, 1);
        n[arm] += 1;
        sum[arm] += reward;
    }
}

static double bound(double alpha, double total, double n, double sum)
{
    return sum / n + sqrt(alpha * log(total) / n);
}

static void test_index(const char *spec, double alpha, bool retire)
{
    size_t wrong = 0, unclear = 0;
    spar_rng rng;
    spar_rng_seed(&rng, 21, 1, 1);
    for (int state = 0; state < 2000; state++) {
        double n[K] = {0}, sum[K] = {0}, total = 0, top = -1;
        bandit b = bandit_open(spec, K, 0);
        teach(&b, &rng, K + (size_t)spar_rng_below(&rng, 200), n, sum);
        for (size_t i = 0; i < K; i++)
            total += n[i]; /* a retired arm's pulls still count as this player's */
        if (retire)
            bandit_retire(&b, (size_t)spar_rng_below(&rng, K));
        for (size_t i = 0; i < K; i++)
            if (b.arms->alive[i])
                top = fmax(top, bound(alpha, total, n[i], sum[i]));
        size_t arm = bandit_next(&b);
        wrong += !b.arms->alive[arm] || bound(alpha, total, n[arm], sum[arm]) < top - 1e-12;
        size_t at_top = 0;
        for (size_t i = 0; i < K; i++)
            at_top += b.arms->alive[i] && bound(alpha, total, n[i], sum[i]) >= top - 1e-12;
        unclear += at_top > 1;
        bandit_close(&b);
    }
    ok(wrong == 0 && unclear < 1000, "%s%s: argmax of the bound in 2000 states (%zu wrong, %zu with ties)", spec,
       retire ? ", an arm retired" : "", wrong, unclear);
}

static void test_ties(void)
{
    enum { DRAWS = 60000 };
    bandit b = bandit_open("ucb1", K, 0);
    double count[K] = {0};
    static const double wins[K] = {1, 2, 0, 2, 2, 1}, p[K] = {0, 1.0 / 3, 0, 1.0 / 3, 1.0 / 3, 0};
    for (size_t i = 0; i < K; i++)
        for (int t = 0; t < 3; t++)
            bandit_learn(&b, i, t < wins[i], 1, 1);
    for (int t = 0; t < DRAWS; t++)
        count[bandit_next(&b)]++;
    ok(fit_sigma(K, count, p) < 5, "ties are broken uniformly");
    size_t arm[5];
    double prob[5];
    bandit_learn(&b, 3, 1, 1, 1); /* now a clear winner is among 1 and 4 */
    bandit_learn(&b, 1, 1, 1, 1);
    bandit_learn(&b, 1, 0, 1, 1);
    bandit_pick(&b, 5, false, arm, prob);
    bool same = true;
    for (size_t j = 0; j < 5; j++)
        same &= arm[j] == arm[0] && prob[j] == 1;
    ok(same && arm[0] == 4, "m picks of a deterministic bandit are m copies, with probability 1");
    bandit_close(&b);
}

/* alpha decides between a better mean and a rarer arm: means 0.75 (8 pulls) and 0.5 (2 pulls), n = 10:
 * 0.25 = sqrt(alpha log 10) (1/sqrt 2 - 1/sqrt 8) at alpha = 0.21715. */
static void test_alpha(void)
{
    static const struct {
        const char *spec;
        size_t arm;
    } cases[] = {{"ucb1(alpha=0)", 0}, {"ucb1(alpha=0.2171)", 0}, {"ucb1(alpha=0.2172)", 1}, {"ucb1", 1}};
    for (size_t c = 0; c < 4; c++) {
        bandit b = bandit_open(cases[c].spec, 2, 0);
        for (int t = 0; t < 8; t++)
            bandit_learn(&b, 0, t < 6, 1, 1);
        bandit_learn(&b, 1, 1, 1, 1);
        bandit_learn(&b, 1, 0, 1, 1);
        ok(bandit_next(&b) == cases[c].arm, "%s: plays arm %zu", cases[c].spec, cases[c].arm);
        bandit_close(&b);
    }
}

static void test_counts(void)
{
    bandit b = bandit_open("ucb1", 3, 0);
    double saved[7], score[3];
    bandit_learn(&b, 0, 0.25, 1, 1);
    bandit_learn(&b, 0, 1, 1, 1);
    bandit_learn(&b, 2, 0.5, 1, 1);
    (void)mab_numbers(b.self, 7, saved);
    ok(saved[0] == 3 && saved[1] == 2 && saved[2] == 0 && saved[3] == 1 && saved[4] == 1.25 && saved[6] == 0.5,
       "pulls and sums are those of the rewards learned");
    (void)b.self->cls->score(b.self, b.scratch, score);
    ok(score[0] == 0.625 && score[1] == 0.5 && score[2] == 0.5, "the score is the mean, 1/2 for an arm never pulled");
    ok(bandit_next(&b) == 1, "the arm never pulled is next");
    bandit_retire(&b, 1);
    ok(bandit_next(&b) != 1, "but not when it has retired");
    size_t late = bandit_add(&b);
    ok(bandit_next(&b) == late, "a new arm is tried at once");
    bandit_learn(&b, 1, 1, 1, 1); /* an answer for the retired arm comes late */
    ok(bandit_next(&b) == late, "a late answer for a retired arm does not stand in for it");
    bandit_close(&b);
}

int main(void)
{
    test_first_pulls();
    test_index("ucb1", 2, false);
    test_index("ucb1(alpha=0.3)", 0.3, false);
    test_index("ucb1", 2, true);
    test_ties();
    test_alpha();
    test_counts();
    return done();
}
