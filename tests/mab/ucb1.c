#include "mab/bandit.h"
#include "num/elementary.h"
#include "posterior/posterior.h"
#include "posterior/stat.h"

#include <math.h>
#include <string.h>

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

enum { MOST = 3000 };

/* The rule as it is written, over all arms. */
typedef struct plain {
    double alpha, pulls[MOST], sum[MOST], total;
} plain;

static size_t plain_pick(const plain *p, const spar_arms *arms, spar_rng *rng)
{
    static double bound[MOST];
    size_t fresh = 0;
    double width = p->total > 1 ? p->alpha * spar__log(p->total) : 0;
    for (size_t i = 0; i < arms->n; i++) {
        fresh += arms->alive[i] && p->pulls[i] == 0;
        bound[i] = arms->alive[i] ? p->sum[i] / p->pulls[i] + sqrt(width / p->pulls[i]) : -INFINITY;
    }
    if (!fresh)
        return spar__argmax(rng, arms->n, bound);
    size_t skip = (size_t)spar_rng_below(rng, fresh), i = 0;
    while (!arms->alive[i] || p->pulls[i] > 0 || skip-- > 0)
        i++;
    return i;
}

static void plain_learn(plain *p, size_t arm, double reward)
{
    p->pulls[arm] += 1;
    p->sum[arm] += reward;
    p->total += 1;
}

static double bits(spar_rng *rng, size_t arm)
{
    return spar_rng_uniform(rng) < 0.3 + 0.1 * (double)(arm % 5);
}

/* Sums of these are often equal but for rounding. */
static double thirds(spar_rng *rng, size_t arm)
{
    return (double)spar_rng_below(rng, 3 + arm % 2) / 3;
}

static double sevenths(spar_rng *rng, size_t arm)
{
    return (double)(spar_rng_below(rng, 4) + arm % 4) / 7;
}

static double any(spar_rng *rng, size_t arm)
{
    return arm == 1 ? 0.5 + 0.5 * spar_rng_uniform(rng) : spar_rng_uniform(rng);
}

static double always(spar_rng *rng, size_t arm)
{
    (void)rng;
    return arm % 2 ? 1 : 0.5;
}

static bool same_rng(const spar_rng *a, const spar_rng *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Arms leave and come, and late answers arrive for any arm. */
static void disturb(bandit *b, plain *p, spar_rng *rng, size_t t)
{
    size_t arm = (size_t)spar_rng_below(rng, b->arms->n);
    if (t % 3 == 0 && b->arms->alive[arm] && b->arms->live > 2)
        bandit_retire(b, arm);
    else if (t % 3 == 1 && b->arms->n < MOST)
        (void)bandit_add(b);
    bandit_learn(b, arm, 0.5, 1, 1);
    plain_learn(p, arm, 0.5);
}

static void test_plain_rule(const char *spec, double alpha, size_t n, size_t rounds, const char *what,
                            double (*reward)(spar_rng *, size_t))
{
    static plain p;
    p = (plain){.alpha = alpha};
    bandit b = bandit_open(spec, n, 0);
    spar_rng rng, plain_rng = b.rng;
    spar_rng_seed(&rng, 22, n, rounds);
    size_t wrong = 0, ties = 0;
    for (size_t t = 1; t <= rounds; t++) {
        spar_rng before = b.rng;
        size_t arm = bandit_next(&b), expected = plain_pick(&p, b.arms, &plain_rng);
        wrong += arm != expected || !same_rng(&b.rng, &plain_rng);
        ties += !same_rng(&b.rng, &before);
        double r = reward(&rng, arm);
        bandit_learn(&b, arm, r, 1, 1);
        plain_learn(&p, arm, r);
        if (t % 997 == 0)
            disturb(&b, &p, &rng, t / 997);
        if (t % 1511 == 0)
            bandit_reload(&b, spec, 0);
    }
    ok(wrong == 0, "%s, %zu arms, %s: %zu choices are those of the plain rule, draw for draw (%zu wrong, %zu tied)",
       spec, n, what, rounds, wrong, ties);
    bandit_close(&b);
}

/* Two arms whose bounds differ by a trifle, one played a million times and one four times, d rounds after the million:
 * a retired third arm takes these. */
static void test_trifles(void)
{
    const double million = 1e6, alpha = 0.02;
    size_t wrong = 0;
    for (int d = 0; d < 240; d++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double w = sqrt(alpha * log(million + 5 + d));
            double mean = 0.25 + w / 2 - w / 1000 + sign * 2e-11;
            bandit b = bandit_open("ucb1(alpha=0.02)", 3, 0);
            for (int t = 0; t < 4; t++)
                bandit_learn(&b, 1, 0.25, 1, 1);
            bandit_learn(&b, 0, mean, million, 1);
            bandit_learn(&b, 2, 0, 1, 1);
            bandit_retire(&b, 2);
            for (int t = 0; t < d; t++)
                bandit_learn(&b, 2, 0, 1, 1);
            wrong += bandit_next(&b) != (sign < 0);
            bandit_close(&b);
        }
    ok(wrong == 0, "bounds that differ by 2e-11 are told apart (%zu of 480 wrong)", wrong);
}

static void test_plain_rules(void)
{
    static const size_t sizes[] = {1, 2, 15, 16, 17, 33, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_plain_rule("ucb1", 2, sizes[i], 20000, "bits", bits);
        test_plain_rule("ucb1", 2, sizes[i], 20000, "thirds", thirds);
        test_plain_rule("ucb1", 2, sizes[i], 20000, "any rewards", any);
    }
    test_plain_rule("ucb1", 2, 2000, 20000, "bits", bits);
    test_plain_rule("ucb1", 2, 2000, 20000, "sevenths", sevenths);
    test_plain_rule("ucb1(alpha=0)", 0, 100, 20000, "thirds", thirds);
    test_plain_rule("ucb1(alpha=0.1)", 0.1, 100, 20000, "any rewards", any);
    test_plain_rule("ucb1(alpha=1000)", 1000, 100, 20000, "bits", bits);
    test_plain_rule("ucb1", 2, 100, 100000, "the same rewards always", always);
    test_plain_rule("ucb1", 2, 16, 200000, "bits", bits);
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
    test_trifles();
    test_plain_rules();
    return done();
}
