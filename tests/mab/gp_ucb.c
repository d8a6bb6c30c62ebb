/* Over Beta beliefs, whose mean and sd are known in closed form, the rule can be checked exactly. */
#include "mab/bandit.h"
#include "posterior/stat.h"

#include <math.h>

enum { K = 6 };

static double wide(double rounds, double live, double delta, double scale)
{
    const double t = rounds + 1, pi = 3.141592653589793;
    return sqrt(2 * log(live * t * t * pi * pi / (6 * delta)) / scale);
}

static void moments(double a, double b, double *mean, double *sd)
{
    *mean = a / (a + b);
    *sd = sqrt(a * b / ((a + b) * (a + b) * (a + b + 1)));
}

static void test_index(const char *spec, double delta, double scale, bool retire)
{
    size_t wrong = 0, clear = 0;
    spar_rng rng;
    spar_rng_seed(&rng, 31, 1, 1);
    for (int state = 0; state < 2000; state++) {
        bandit b = bandit_open(spec, K, 0);
        double a[K], c[K], bound[K], top = -1;
        size_t rounds = (size_t)spar_rng_below(&rng, 300);
        for (size_t i = 0; i < K; i++)
            a[i] = c[i] = 1;
        for (size_t t = 0; t < rounds; t++) {
            size_t arm = (size_t)spar_rng_below(&rng, K);
            double reward = (double)spar_rng_below(&rng, 2);
            bandit_learn(&b, arm, reward, 1, 1);
            a[arm] += reward;
            c[arm] += 1 - reward;
        }
        if (retire)
            bandit_retire(&b, (size_t)spar_rng_below(&rng, K));
        for (size_t i = 0; i < K; i++) {
            double mean, sd;
            moments(a[i], c[i], &mean, &sd);
            bound[i] = mean + wide((double)rounds, retire ? K - 1 : K, delta, scale) * sd;
            if (b.arms->alive[i])
                top = fmax(top, bound[i]);
        }
        size_t arm = bandit_next(&b), near = 0;
        for (size_t i = 0; i < K; i++)
            near += b.arms->alive[i] && bound[i] > top - 1e-6;
        wrong += !b.arms->alive[arm] || bound[arm] < top - 1.01e-7;
        clear += near == 1;
        bandit_close(&b);
    }
    ok(wrong == 0 && clear > 1000, "%s%s: argmax of the bound in 2000 states (%zu wrong, %zu clear)", spec,
       retire ? ", an arm retired" : "", wrong, clear);
}

static void test_ties(void)
{
    enum { DRAWS = 60000 };
    static const double p[K] = {1.0 / 3, 0, 1.0 / 3, 0, 1.0 / 3, 0};
    bandit b = bandit_open("gp_ucb/beta", K, 0);
    double count[K] = {0}, first[K] = {0};
    for (int t = 0; t < DRAWS; t++)
        first[bandit_next(&b)]++;
    ok(fit_sigma(K, first, (double[]){1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}) < 5, "at first any arm");
    for (size_t i = 0; i < K; i++)
        bandit_learn(&b, i, i % 2 == 0, 1, 1);
    for (int t = 0; t < DRAWS; t++)
        count[bandit_next(&b)]++;
    ok(fit_sigma(K, count, p) < 5, "ties are broken uniformly");
    bandit_close(&b);
    /* Two arms whose bounds differ by less than the tie, then by more: the weight of one reward is moved. */
    for (int far = 0; far < 2; far++) {
        bandit near = bandit_open("gp_ucb/beta", 2, 0);
        bandit_learn(&near, 0, 1, 1, 1);
        bandit_learn(&near, 1, 1, far ? 1.00001 : 1.00000001, 1);
        double ones = 0;
        for (int t = 0; t < 1000; t++)
            ones += (double)bandit_next(&near);
        ok(far ? ones == 0 || ones == 1000 : ones > 400 && ones < 600, "values %s 1e-7 are %s",
           far ? "beyond" : "within", far ? "told apart" : "ties");
        bandit_close(&near);
    }
}

static void test_no_numbers(void)
{
    bandit b = bandit_open("gp_ucb/beta", 2, 0);
    double mean[2];
    for (size_t i = 0; i < 2; i++)
        bandit_learn(&b, i, 1, INFINITY, 1);
    (void)b.self->posterior->cls->moments(b.self->posterior, b.scratch, mean, NULL);
    ok(isnan(mean[0]) && isnan(mean[1]) && bandit_next(&b) < 2, "bounds that are no numbers: still one of the arms");
    bandit_close(&b);
}

/* Time counts rounds, not observations: several observations in one settled round move it by one. */
static void test_time(void)
{
    bandit b = bandit_open("gp_ucb/beta", 2, 0);
    for (int i = 0; i < 3; i++)
        b.self->cls->learn(b.self, 0, 1, 1, 1);
    spar__mab_settle(b.self);
    spar__mab_settle(b.self); /* nothing was learned: no round */
    uint64_t rounds = 0;
    spar__archive out = {0};
    b.self->cls->archive(b.self, &out);
    memcpy(&rounds, out.out.text, sizeof rounds);
    ok(out.out.length == 8 && rounds == 1, "three observations of one round are one round");
    spar__buf_free(&out.out);
    bandit_close(&b);
}

int main(void)
{
    test_index("gp_ucb/beta", 0.1, 5, false);
    test_index("gp_ucb/beta", 0.1, 5, true);
    test_index("gp_ucb(delta=0.01,scale=1)/beta", 0.01, 1, false);
    test_ties();
    test_no_numbers();
    test_time();
    return done();
}
