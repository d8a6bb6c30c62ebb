#include "mab/bandit.h"
#include "posterior/stat.h"

#include <math.h>

enum { K = 5 };

/* EXP3 in logarithms, from its definition. */
typedef struct model {
    size_t k;
    long double log_w[16];
    double horizon, learned;
} model;

static long double model_g(const model *s)
{
    long double k = (long double)s->k, t = s->horizon > 0 ? s->horizon : s->learned + 1;
    return fminl(1, sqrtl(k * logl(k) / ((expl(1) - 1) * t)));
}

static double model_p(const model *s, size_t i)
{
    long double sum = 0, g = model_g(s);
    for (size_t j = 0; j < s->k; j++)
        sum += expl(s->log_w[j] - s->log_w[i]);
    return (double)((1 - g) / sum + g / (long double)s->k);
}

static void model_learn(model *s, size_t arm, double reward, double weight, double prob)
{
    s->log_w[arm] += (long double)weight * model_g(s) * reward / (prob * (long double)s->k);
    s->learned++;
}

/* The probability of every arm, as told by picks; -1 where no pick of many gave the arm. */
static void told(bandit *b, double *p)
{
    for (size_t i = 0; i < b->arms->n; i++)
        p[i] = -1;
    for (int t = 0; t < 20000; t++) {
        size_t arm;
        double prob;
        bandit_pick(b, 1, false, &arm, &prob);
        p[arm] = prob;
    }
}

static double worst(bandit *b, const model *s)
{
    double p[16], off = 0;
    told(b, p);
    for (size_t i = 0; i < s->k; i++)
        if (p[i] >= 0)
            off = fmax(off, fabs(p[i] / model_p(s, i) - 1));
    return off;
}

static void test_law(uint64_t horizon, const char *what)
{
    enum { DRAWS = 200000 };
    bandit b = bandit_open("exp3", K, horizon);
    model s = {.k = K, .horizon = (double)horizon};
    spar_rng rng;
    spar_rng_seed(&rng, 31, 1, 1);
    double off = 0, p[K], count[K] = {0};
    for (int t = 0; t < 300; t++) {
        if (t % 30 == 0)
            off = fmax(off, worst(&b, &s));
        size_t arm;
        double prob, reward = (double)spar_rng_below(&rng, 3) / 2;
        bandit_pick(&b, 1, false, &arm, &prob);
        reward *= arm == 2 || t % 3 == 0; /* one arm is better */
        bandit_learn(&b, arm, reward, 1, prob);
        model_learn(&s, arm, reward, 1, prob);
    }
    off = fmax(off, worst(&b, &s));
    ok(off < 1e-12, "%s: probabilities are those of the definition (off by %.1e)", what, off);
    for (size_t i = 0; i < K; i++)
        p[i] = model_p(&s, i);
    size_t arm[4];
    double prob[4], pair[K * K] = {0}, product[K * K];
    for (int t = 0; t < DRAWS / 4; t++) {
        bandit_pick(&b, 4, false, arm, prob);
        for (size_t j = 0; j < 4; j++)
            count[arm[j]]++;
        pair[arm[0] * K + arm[1]]++;
    }
    for (size_t i = 0; i < K * K; i++)
        product[i] = p[i / K] * p[i % K];
    double one = fit_sigma(K, count, p), two = fit_sigma(K * K, pair, product);
    ok(p[2] > 0.3, "%s: the history told the arms apart", what);
    ok(one < 5 && two < 5, "%s: frequencies follow them, slots independently (%.1f, %.1f sigma)", what, one, two);
    bandit_close(&b);
}

/* By hand: K = 2, T = 2, g = sqrt(2 log 2 / (2 (e-1))) = 0.6351...; one reward of 1 for arm 0 at p = 1/2. */
static void test_by_hand(void)
{
    bandit b = bandit_open("exp3", 2, 2);
    double p[2], g = sqrt(log(2) / (exp(1) - 1)), saved[3];
    told(&b, p);
    ok(p[0] == 0.5 && p[1] == 0.5, "all arms alike at first");
    bandit_learn(&b, 0, 1, 1, 0.5);
    told(&b, p);
    near(p[0], (1 - g) * exp(g) / (exp(g) + 1) + g / 2, 1e-14, "one reward, by hand");
    near(p[1], (1 - g) / (exp(g) + 1) + g / 2, 1e-14, "and the other arm");
    bandit_learn(&b, 1, 0, 1, p[1]);
    double after[2];
    told(&b, after);
    ok(after[0] == p[0], "a reward of 0 moves no weight");
    bandit_learn(&b, 1, 1, 3, 0.5);
    (void)mab_numbers(b.self, 3, saved);
    ok(saved[0] == 3, "t counts rewards");
    near(saved[2], exp(3 * g), 1e-13 * exp(3 * g), "a weight multiplies the exponent");
    bandit_close(&b);
    b = bandit_open("exp3", 1, 0);
    told(&b, p);
    bandit_learn(&b, 0, 1, 1, p[0]);
    ok(p[0] == 1 && bandit_next(&b) == 0, "a single arm has probability 1");
    bandit_close(&b);
}

static void test_long_run(uint64_t horizon, double weight, const char *what)
{
    bandit b = bandit_open("exp3", K, horizon);
    model s = {.k = K, .horizon = (double)horizon};
    spar_rng rng;
    spar_rng_seed(&rng, 32, 1, 1);
    for (int t = 0; t < 1000000; t++) {
        size_t arm;
        double prob;
        bandit_pick(&b, 1, false, &arm, &prob);
        double reward = spar_rng_uniform(&rng) < (arm == 3 ? 0.9 : 0.2);
        bandit_learn(&b, arm, reward, weight, prob);
        model_learn(&s, arm, reward, weight, prob);
    }
    double off = worst(&b, &s), saved[K + 1];
    (void)mab_numbers(b.self, K + 1, saved);
    bool alive = true;
    for (size_t i = 1; i <= K; i++)
        alive &= saved[i] > 0 && isfinite(saved[i]);
    ok(off < 1e-8, "%s: probabilities after 1e6 updates (off by %.1e)", what, off);
    ok(alive, "%s: no weight is lost or overflows", what);
    bandit_close(&b);
}

/* What was far behind comes back when it starts to earn: no weight may be stuck at 0. */
static void test_comeback(void)
{
    bandit b = bandit_open("exp3", 2, 100);
    double p[2];
    for (int t = 0; t < 1000; t++)
        bandit_learn(&b, 0, 1, 100, 0.9);
    told(&b, p);
    ok(p[0] > 0.9, "an arm far ahead");
    for (int t = 0; t < 2000; t++)
        bandit_learn(&b, 1, 1, 100, 0.9);
    told(&b, p);
    ok(p[1] > 0.9, "is overtaken by one that earns twice as much");
    bandit_close(&b);
}

static void test_renamed(void)
{
    static const size_t renamed[K] = {4, 2, 0, 1, 3};
    bandit a = bandit_open("exp3", K, 500), b = bandit_open("exp3", K, 500);
    spar_rng rng;
    spar_rng_seed(&rng, 33, 1, 1);
    for (int t = 0; t < 200; t++) {
        size_t arm = (size_t)spar_rng_below(&rng, K);
        double reward = spar_rng_uniform(&rng);
        bandit_learn(&a, arm, reward, 1, 0.3);
        bandit_learn(&b, renamed[arm], reward, 1, 0.3);
    }
    double p[K], q[K], off = 0;
    told(&a, p);
    told(&b, q);
    for (size_t i = 0; i < K; i++)
        off = fmax(off, fabs(p[i] - q[renamed[i]]));
    ok(off < 1e-15 * 8, "the order of the arms does not matter");
    bandit_close(&a);
    bandit_close(&b);
}

static void test_live_arms(void)
{
    bandit b = bandit_open("exp3", 4, 1000);
    double p[5], g;
    bandit_learn(&b, 1, 1, 20, 0.25);
    bandit_retire(&b, 1);
    told(&b, p);
    ok(p[1] == -1, "a retired arm is not played");
    near(p[0], 1.0 / 3, 1e-15, "the others share what is left");
    size_t late = bandit_add(&b);
    told(&b, p);
    near(p[late], 0.25, 1e-15, "a new arm starts at the mean of the live arms");
    g = sqrt(4 * log(4) / ((exp(1) - 1) * 1000));
    bandit_learn(&b, 0, 1, 1, 0.25);
    double saved[6], before = 1;
    (void)mab_numbers(b.self, 6, saved);
    near(saved[1] / before, exp(g), 1e-14, "K is the number of live arms");
    bandit_close(&b);
}

static void test_damaged_log(void)
{
    bandit b = bandit_open("exp3", 3, 100);
    static const double bad[] = {0, -1, 1e-300, NAN};
    double saved[4];
    for (size_t i = 0; i < 4; i++)
        bandit_learn(&b, 0, 1, 100, bad[i]);
    (void)mab_numbers(b.self, 4, saved);
    ok(isfinite(saved[1]) && saved[1] > 0 && bandit_next(&b) < 3, "a senseless probability does no harm");
    bandit_close(&b);
}

/* Frequencies over many arms, some of which have retired: by the whole law, and by blocks, where errors of the tree
 * would be. */
static void test_many_arms(size_t n, size_t retired, uint64_t horizon)
{
    enum { MOST = 1000, PARTS = 50 };
    const size_t draws = 400000;
    static double p[MOST], count[MOST], saved[MOST + 1];
    double part[PARTS] = {0}, part_p[PARTS] = {0}, sum = 0, worst_told = 0;
    bandit b = bandit_open("exp3", n, horizon);
    spar_rng rng;
    spar_rng_seed(&rng, 34, n, 1);
    for (int t = 0; t < 2000; t++) {
        size_t arm = (size_t)(spar_rng_uniform(&rng) * spar_rng_uniform(&rng) * (double)n);
        bandit_learn(&b, arm, 1, 1, 1.0 / (double)n);
    }
    for (size_t i = 0; i < retired; i++)
        bandit_retire(&b, n - 1 - 2 * i);
    (void)mab_numbers(b.self, n + 1, saved);
    for (size_t i = 0; i < n; i++)
        sum += b.arms->alive[i] ? saved[1 + i] : 0;
    double k = (double)b.arms->live,
           g = fmin(1, sqrt(k * log(k) / ((exp(1) - 1) * (horizon ? (double)horizon : 2001))));
    for (size_t i = 0; i < n; i++) {
        p[i] = b.arms->alive[i] ? (1 - g) * saved[1 + i] / sum + g / k : 0;
        count[i] = 0;
        part_p[i * PARTS / n] += p[i];
    }
    for (size_t t = 0; t < draws; t++) {
        size_t arm;
        double prob;
        bandit_pick(&b, 1, false, &arm, &prob);
        worst_told = fmax(worst_told, fabs(prob / p[arm] - 1));
        count[arm]++;
        part[arm * PARTS / n]++;
    }
    double one = fit_sigma(n, count, p), parts = fit_sigma(PARTS, part, part_p);
    ok(g < 0.9, "%zu arms, %zu retired: not all is uniform (g = %.2f)", n, retired, g);
    ok(one < 5 && parts < 5, "frequencies follow the definition (%.1f, by parts %.1f sigma)", one, parts);
    ok(worst_told < 1e-12, "and so do the probabilities told (off by %.1e)", worst_told);
    bandit_close(&b);
}

/* One bandit learns for long; the other is saved and loaded all the time, so that its sums are always new. */
static void test_twins(size_t n, uint64_t horizon)
{
    bandit a = bandit_open("exp3", n, horizon), b = bandit_open("exp3", n, horizon);
    size_t differ = 0;
    for (int t = 0; t < 200000; t++) {
        size_t mine, its;
        double p, q;
        bandit_pick(&a, 1, false, &mine, &p);
        bandit_pick(&b, 1, false, &its, &q);
        differ += mine != its || p != q;
        bandit_learn(&a, mine, mine % 7 == 0, 20, p);
        bandit_learn(&b, its, its % 7 == 0, 20, q);
        if (t % 97 == 0)
            bandit_reload(&b, "exp3", horizon);
    }
    ok(differ == 0, "%zu arms: goes on the same when it was saved and loaded (%zu of 200000 differ)", n, differ);
    bandit_close(&a);
    bandit_close(&b);
}

int main(void)
{
    test_by_hand();
    test_law(1000, "horizon 1000");
    test_law(0, "anytime");
    test_long_run(1000000, 1, "horizon 1e6");
    test_long_run(0, 1, "anytime");
    test_long_run(100000, 1, "beyond its horizon");
    test_comeback();
    test_renamed();
    test_live_arms();
    test_damaged_log();
    test_many_arms(1000, 0, 30000);
    test_many_arms(1000, 300, 30000);
    test_many_arms(100, 10, 0);
    test_many_arms(17, 3, 1000);
    test_twins(5, 100000);
    test_twins(200, 10000);
    test_twins(40, 0);
    return done();
}
