#include "posterior/belief.h"
#include "posterior/beta/law.h"
#include "posterior/stat.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

enum { DRAWS = 200000, SAMPLE = 20000 };

static void observe(belief *b, size_t arm, double reward, double weight)
{
    b->self->cls->observe(b->self, arm, reward, weight);
}

static void best(belief *b, size_t m, size_t *arm)
{
    if (b->self->cls->best(b->self, b->scratch, &b->rng, m, arm, NULL))
        abort();
}

static void test_observe(void)
{
    belief b = belief_open("beta(a=1.5,b=2)", 3);
    double ab[6];
    observe(&b, 0, 1, 1);
    observe(&b, 0, 0, 1);
    observe(&b, 1, 0.25, 1);
    observe(&b, 1, 0.5, 3.5);
    observe(&b, 2, 1.0 / 3, 1);
    size_t n = belief_numbers(&b, 6, ab);
    ok(n == 6 && ab[0] == 2.5 && ab[3] == 3, "a win and a loss");
    ok(ab[1] == 1.5 + 0.25 + 1.75 && ab[4] == 2 + 0.75 + 1.75, "fractional rewards and weights are not rounded");
    ok(ab[2] == 1.5 + 1.0 / 3 && ab[5] == 2 + (1 - 1.0 / 3), "a third stays a third");
    double mean[3], sd[3];
    (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
    near(mean[0], 2.5 / 5.5, 1e-15, "mean a / (a + b)");
    near(sd[0], sqrt(2.5 * 3 / (5.5 * 5.5 * 6.5)), 1e-15, "sd sqrt(ab / ((a+b)^2 (a+b+1)))");
    near(mean[1], 3.5 / 8, 1e-15, "mean of another arm");
    near(sd[1], sqrt(3.5 * 4.5 / (64.0 * 9)), 1e-15, "its sd");
    (void)b.self->cls->moments(b.self, b.scratch, NULL, sd);
    (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
    ok(true, "either of the moments may be left out");
    for (int i = 0; i < 1000000; i++)
        observe(&b, 2, 0.1, 0.1);
    (void)belief_numbers(&b, 6, ab);
    near(ab[2] + ab[5], 3.5 + 1 + 1e5, 1e-4, "a million small observations are all there");
    b.self->cls->forget(b.self);
    (void)belief_numbers(&b, 6, ab);
    bool prior = true;
    for (size_t i = 0; i < 3; i++)
        prior &= ab[i] == 1.5 && ab[3 + i] == 2;
    ok(prior, "forget goes back to the prior, not to 1");
    belief_close(&b);
}

/* A belief whose arms have the parameters a, b beyond the prior's. */
static belief stated(const char *spec, size_t n, const double *wins, const double *losses)
{
    belief b = belief_open(spec, n);
    for (size_t i = 0; i < n; i++) {
        observe(&b, i, 1, wins[i]);
        observe(&b, i, 0, losses[i]);
    }
    for (int t = 0; t < 100; t++) /* long enough to find the quick way, if there is one */
        b.self->cls->settle(b.self);
    return b;
}

static void check_best(const char *spec, size_t n, const double *wins, const double *losses, size_t retired, size_t m)
{
    belief b = stated(spec, n, wins, losses);
    double ab[64], p[32], count[32] = {0}, slot[2][32] = {{0}};
    if (retired < n)
        (void)spar_arms_retire(b.arms, retired);
    (void)b.self->cls->resize(b.self);
    (void)belief_numbers(&b, 64, ab);
    best_law(n, ab, ab + n, b.arms->alive, p);
    size_t *arm = malloc(m * sizeof *arm);
    for (size_t t = 0; t < DRAWS / m; t++) {
        best(&b, m, arm);
        for (size_t j = 0; j < m; j++)
            count[arm[j]]++;
        slot[0][arm[0]]++;
        slot[1][arm[m - 1]]++;
    }
    double sigma = fit_sigma(n, count, p), first = fit_sigma(n, slot[0], p), last = fit_sigma(n, slot[1], p);
    ok(sigma < 5 && first < 5 && last < 5,
       "%s, %zu arms, m = %zu: best has the law of the argmax (%.1f; first slot %.1f, last %.1f sigma)", spec, n, m,
       sigma, first, last);
    free(arm);
    belief_close(&b);
}

static void test_best(void)
{
    static const double none[32] = {0};
    static const double wins[5] = {3, 1, 0, 7, 2}, losses[5] = {2, 1, 0, 9, 0.5};
    static const double far_wins[4] = {900, 850, 3, 0}, far_losses[4] = {100, 110, 0, 40};
    static const double huge_wins[3] = {1e6, 1e6, 0}, huge_losses[3] = {1e6, 1.0005e6, 1};
    check_best("beta", 2, none, none, 9, 1);
    check_best("beta", 5, wins, losses, 9, 1);
    check_best("beta", 5, wins, losses, 9, 4);
    check_best("beta", 5, wins, losses, 2, 3);
    check_best("beta", 4, far_wins, far_losses, 9, 2);
    check_best("beta", 3, huge_wins, huge_losses, 9, 2);
    check_best("beta", 5, wins, losses, 0, 1000); /* more than one batch */
    check_best("beta(a=0.5,b=0.5)", 5, wins, losses, 9, 2);
    check_best("beta(a=0.5,b=0.5)", 3, none, none, 9, 2);
    check_best("beta(a=0.01,b=1)", 4, wins, losses, 9, 2);
    check_best("beta(a=0.01,b=0.01)", 4, wins, losses, 9, 2);
    check_best("beta(a=2,b=0.3)", 5, wins, losses, 1, 2);
}

/* Two slots at once: their joint law is the product. */
static void test_independent(void)
{
    enum { N = 4 };
    static const double wins[N] = {3, 2, 1, 4}, losses[N] = {2, 1, 1, 3};
    static const char *const specs[] = {"beta", "beta(a=0.5,b=0.5)"};
    for (size_t s = 0; s < 2; s++) {
        belief b = stated(specs[s], N, wins, losses);
        double ab[2 * N], p[N], joint[N * N], near_by[N * N] = {0}, far_off[N * N] = {0}, in_time[N * N] = {0};
        size_t arm[5], before = 0;
        (void)belief_numbers(&b, 2 * N, ab);
        best_law(N, ab, ab + N, b.arms->alive, p);
        for (size_t i = 0; i < N * N; i++)
            joint[i] = p[i / N] * p[i % N];
        best(&b, 5, arm);
        for (size_t t = 0; t < DRAWS; t++) {
            before = arm[4];
            best(&b, 5, arm);
            near_by[arm[0] * N + arm[1]]++;
            far_off[arm[0] * N + arm[4]]++;
            in_time[before * N + arm[0]]++;
        }
        double x = fit_sigma(N * N, near_by, joint), y = fit_sigma(N * N, far_off, joint);
        double z = fit_sigma(N * N, in_time, joint);
        ok(x < 5 && y < 5 && z < 5, "%s: slots and rounds are independent (%.1f, %.1f, %.1f sigma)", specs[s], x, y, z);
        belief_close(&b);
    }
}

static void test_draw(void)
{
    enum { N = 4 };
    static const double wins[N] = {0, 3, 40, 0.5}, losses[N] = {0, 1, 90, 6};
    static const char *const specs[] = {"beta", "beta(a=0.5,b=0.5)", "beta(a=0.01,b=2)"};
    static double sample[N][SAMPLE];
    for (size_t s = 0; s < 3; s++) {
        belief b = stated(specs[s], N, wins, losses);
        double ab[2 * N], theta[N], mean[N], sd[N], cross = 0;
        (void)belief_numbers(&b, 2 * N, ab);
        (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
        for (size_t t = 0; t < SAMPLE; t++) {
            if (b.self->cls->draw(b.self, b.scratch, &b.rng, theta))
                abort();
            cross += (theta[1] - mean[1]) * (theta[2] - mean[2]) / (sd[1] * sd[2]);
            for (size_t i = 0; i < N; i++)
                sample[i][t] = theta[i];
        }
        for (size_t i = 0; i < N; i++) {
            double d = ks_distance(SAMPLE, sample[i], gsl_cdf_beta_P, ab[i], ab[N + i]);
            ok(d < 2.74, "%s: draws of Beta(%g, %g) follow their law (%.2f)", specs[s], ab[i], ab[N + i], d);
        }
        near(cross / sqrt(SAMPLE), 0, 5, "%s: arms are drawn independently", specs[s]);
        belief_close(&b);
    }
}

static void test_resize(void)
{
    belief b = belief_open("beta(a=3,b=2)", 2);
    double ab[64], x = 0.5;
    observe(&b, 1, 1, 5);
    bool good = true;
    for (size_t n = 3; n <= 20; n++) {
        good &= spar_arms_add(b.arms, &x, NULL, NULL) == SPAR_OK && b.self->cls->resize(b.self) == SPAR_OK;
        good &= belief_numbers(&b, 2 * n, ab) == 2 * n && ab[1] == 8 && ab[n - 1] == 3 && ab[2 * n - 1] == 2;
        observe(&b, n - 1, 1, (double)n);
        b.self->cls->settle(b.self);
    }
    for (size_t i = 2; i < 20; i++)
        good &= ab[i] == 3 + (i < 19 ? (double)(i + 1) : 0);
    ok(good, "new arms start at the prior and old ones keep what they know");
    belief_close(&b);
}

int main(void)
{
    (void)gsl_set_error_handler_off();
    test_observe();
    test_best();
    test_independent();
    test_draw();
    test_resize();
    return done();
}
