#include "mab/bandit.h"
#include "posterior/beta/law.h"
#include "posterior/stat.h"

enum { K = 5, DRAWS = 200000 };

static bandit stated(const char *spec)
{
    static const double wins[K] = {3, 1, 0, 7, 2}, losses[K] = {2, 1, 0, 4, 0.5};
    bandit b = bandit_open(spec, K, 0);
    for (size_t i = 0; i < K; i++) {
        bandit_learn(&b, i, 1, wins[i], 1);
        bandit_learn(&b, i, 0, losses[i], 1);
    }
    return b;
}

/* The law of three picks: each is the best of a fresh sample, among the arms not yet chosen when they must differ. */
static void sequence_law(bandit *b, bool distinct, double *p)
{
    double ab[2 * K];
    (void)mab_numbers(b->self, 2 * K, ab);
    bool in[K];
    double p1[K], p2[K], p3[K];
    for (size_t i = 0; i < K; i++)
        in[i] = b->arms->alive[i];
    best_law(K, ab, ab + K, in, p1);
    for (size_t x = 0; x < K; x++) {
        in[x] = b->arms->alive[x] && !distinct;
        best_law(K, ab, ab + K, in, p2);
        for (size_t y = 0; y < K; y++) {
            bool was = in[y];
            in[y] &= !distinct;
            best_law(K, ab, ab + K, in, p3);
            for (size_t z = 0; z < K; z++)
                p[(x * K + y) * K + z] = p1[x] * p2[y] * p3[z];
            in[y] = was;
        }
        in[x] = b->arms->alive[x];
    }
}

static void check(const char *spec, bool distinct, size_t retired)
{
    bandit b = stated(spec);
    static double p[K * K * K], count[K * K * K];
    if (retired < K)
        bandit_retire(&b, retired);
    sequence_law(&b, distinct, p);
    memset(count, 0, sizeof count);
    bool one = true;
    for (int t = 0; t < DRAWS; t++) {
        size_t arm[3];
        double prob[3];
        bandit_pick(&b, 3, distinct, arm, prob);
        count[(arm[0] * K + arm[1]) * K + arm[2]]++;
        one &= prob[0] == 1 && prob[1] == 1 && prob[2] == 1;
    }
    double sigma = fit_sigma(K * K * K, count, p);
    ok(sigma < 5 && one, "%s: three %spicks%s (%.1f sigma)", spec, distinct ? "distinct " : "",
       retired < K ? ", an arm retired" : "", sigma);
    bandit_close(&b);
}

int main(void)
{
    check("thompson/beta", false, K);
    check("thompson/beta", true, K);
    check("thompson/beta", true, 3);
    check("thompson/beta(a=0.5,b=0.5)", true, K);
    bandit b = stated("thompson/beta");
    size_t arm[K];
    double prob[K], ab[2 * K], score[K];
    bool all = true;
    for (int t = 0; t < 1000; t++) {
        size_t seen = 0;
        bandit_pick(&b, K, true, arm, prob);
        for (size_t j = 0; j < K; j++)
            seen |= (size_t)1 << arm[j];
        all &= seen == 31;
    }
    ok(all, "as many distinct picks as arms: each of them");
    bandit_learn(&b, 2, 0.25, 2, 0.125);
    (void)mab_numbers(b.self, 2 * K, ab);
    ok(ab[2] == 1.5 && ab[K + 2] == 2.5, "the belief observes reward and weight; the probability does not matter");
    (void)b.self->cls->score(b.self, b.scratch, score);
    near(score[2], 1.5 / 4, 1e-15, "the score is the mean");
    bandit_close(&b);
    return done();
}
