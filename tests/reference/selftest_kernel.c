/* selftest_kernel.c - the references with Gaussian processes against cases that can be worked out by hand. */
#include "tap.h"

#include "reference/ks.h"
#include "reference/laplace.h"
#include "reference/parts.h"
#include "reference/share.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>

enum { MANY = 30000 };

static const ref_gp USUAL = {.kind = TEXTBOOK_SE, .length = 0.2, .variance = 1, .noise = 0.025, .delta = 0.1};

/* Arms so far apart that nothing is learned about one from another. */
static const double FAR[] = {0, 100, 200};
static const double SURE[] = {0.5, 1, 0, 0.5};
static const double EQUAL[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};

/* ---- Laplace's approximation ---- */

static double sigmoid_moment(double f, void *params)
{
    const double *p = params; /* mean, sd, power */
    return gsl_ran_gaussian_pdf(f - p[0], p[1]) * pow(1 / (1 + exp(-f)), p[2]);
}

static double integral(double mean, double sd, double power)
{
    double params[] = {mean, sd, power}, result, error;
    gsl_function function = {sigmoid_moment, params};
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
    (void)gsl_integration_qag(&function, mean - 10 * sd, mean + 10 * sd, 1e-13, 1e-11, 1000, GSL_INTEG_GAUSS61, w,
                              &result, &error);
    gsl_integration_workspace_free(w);
    return result;
}

static void test_sigmoid(void)
{
    for (int mean = -3; mean <= 3; mean++)
        for (double sd = 0.1; sd < 2; sd *= 3) {
            double first = integral(mean, sd, 1);
            near(ref_sigmoid_variance(mean, sd * sd), integral(mean, sd, 2) - first * first, 1e-10,
                 "variance of sigmoid f: mean %d, sd %.1f", mean, sd);
        }
    ok(ref_sigmoid_variance(1, 0) == 0, "no variance, none of the sigmoid");
}

static double two_points(const void *context, size_t a, size_t b)
{
    (void)context;
    return a == b ? 1.5 : 0.6;
}

/* One answer at point 0: the mode solves f = 1.5 (y - sigmoid f), and point 1 follows by 0.6 / 1.5 of it. */
static void test_one_answer(void)
{
    static const double answers[] = {1, 0, 0.5};
    for (size_t i = 0; i < 3; i++) {
        ref_laplace l = ref_laplace_open(2, 1, two_points, NULL);
        double low = -2, high = 2;
        while (high - low > 1e-14) {
            double f = (low + high) / 2;
            if (f < 1.5 * (answers[i] - 1 / (1 + exp(-f))))
                low = f;
            else
                high = f;
        }
        double s = 1 / (1 + exp(-low)), w = s * (1 - s);
        ref_laplace_observe(&l, 0, answers[i]);
        near(l.mean[0], low, 1e-12, "answer %.1f: mode", answers[i]);
        near(l.mean[1], 0.4 * low, 1e-12, "answer %.1f: mean elsewhere", answers[i]);
        near(l.variance[0], 1.5 - 1.5 * 1.5 / (1.5 + 1 / w), 1e-12, "answer %.1f: variance", answers[i]);
        near(l.variance[1], 1.5 - 0.36 / (1.5 + 1 / w), 1e-12, "answer %.1f: variance elsewhere", answers[i]);
        ref_laplace_close(&l);
    }
}

enum { LINE = 5 };

static double line(const void *context, size_t a, size_t b)
{
    double gap = ((double)a - (double)b) / 2;
    (void)context;
    return exp(-gap * gap / 2);
}

/* The mode solves f = K (wins - n sigmoid f); the covariance S = (K^-1 + W)^-1 solves S + S W K = K. */
static void test_many_answers(void)
{
    static const size_t at[] = {0, 1, 1, 4, 4, 4, 1, 3};
    static const double won[] = {1, 0, 1, 1, 1, 0.5, 1, 0};
    ref_laplace l = ref_laplace_open(LINE, 8, line, NULL);
    double wins[LINE] = {0}, n[LINE] = {0}, s[LINE * LINE], worst[2] = {0};
    for (size_t i = 0; i < 8; i++) {
        ref_laplace_observe(&l, at[i], won[i]);
        wins[at[i]] += won[i];
        n[at[i]]++;
    }
    for (size_t i = 0; i < LINE; i++)
        for (size_t j = 0; j < LINE; j++) {
            s[i * LINE + j] = line(NULL, i, j);
            for (size_t o = 0; o < l.n; o++)
                s[i * LINE + j] -= l.half[o * LINE + i] * l.half[o * LINE + j];
        }
    for (size_t i = 0; i < LINE; i++) {
        double sum = 0;
        for (size_t j = 0; j < LINE; j++)
            sum += line(NULL, i, j) * (wins[j] - n[j] / (1 + exp(-l.mean[j])));
        worst[0] = fmax(worst[0], fabs(l.mean[i] - sum));
        for (size_t j = 0; j < LINE; j++) {
            double whole = s[i * LINE + j] - line(NULL, i, j);
            for (size_t c = 0; c < LINE; c++) {
                double p = 1 / (1 + exp(-l.mean[c]));
                whole += s[i * LINE + c] * n[c] * p * (1 - p) * line(NULL, c, j);
            }
            worst[1] = fmax(worst[1], fabs(whole));
        }
    }
    near(worst[0], 0, 1e-9, "eight answers: the mode");
    near(worst[1], 0, 1e-9, "eight answers: the covariance");
    gsl_rng *rng = ref_rng_open(1);
    double f[LINE], mean[LINE] = {0}, product[LINE * LINE] = {0};
    for (size_t draw = 0; draw < MANY; draw++) {
        ref_laplace_draw(&l, rng, f);
        for (size_t i = 0; i < LINE; i++) {
            mean[i] += f[i] / MANY;
            for (size_t j = 0; j < LINE; j++)
                product[i * LINE + j] += (f[i] - l.mean[i]) * (f[j] - l.mean[j]) / MANY;
        }
    }
    worst[0] = worst[1] = 0; /* in standard errors */
    for (size_t i = 0; i < LINE; i++) {
        worst[0] = fmax(worst[0], fabs(mean[i] - l.mean[i]) / sqrt(l.variance[i] / MANY));
        for (size_t j = 0; j < LINE; j++) {
            double cov = s[i * LINE + j], error = sqrt((l.variance[i] * l.variance[j] + cov * cov) / MANY);
            worst[1] = fmax(worst[1], fabs(product[i * LINE + j] - cov) / error);
        }
    }
    near(worst[0], 0, 5, "draws: mean");
    near(worst[1], 0, 5, "draws: covariance");
    gsl_rng_free(rng);
    ref_laplace_close(&l);
}

/* ---- policies ---- */

static void test_near_ties(void)
{
    static const double score[] = {0.5, 1 - 5e-8, 1, 1 - 2e-7};
    size_t hits[4] = {0};
    gsl_rng *rng = ref_rng_open(7);
    for (size_t i = 0; i < MANY; i++)
        hits[ref_pick_near(score, 4, rng)]++;
    gsl_rng_free(rng);
    share(hits[1], MANY, 0.5, "scores within 1e-7 are ties");
    share(hits[2], MANY, 0.5, "scores within 1e-7 are ties");
}

typedef ref_result play_fn(const ref_world *world, size_t m, size_t rounds, uint64_t seed);

static ref_result self(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_kernel_self_sparring(world, m, rounds, &USUAL, seed);
}
static ref_result sparring(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    return ref_gp_sparring(world, m, rounds, &USUAL, seed);
}
static ref_result bopper(const ref_world *world, size_t m, size_t rounds, uint64_t seed)
{
    (void)m;
    return ref_bopper(world, rounds, 1, seed);
}

/* Runs by the number of slots that showed the best arm, and their mean with 5 standard errors. */
typedef struct shown {
    size_t runs[32];
    double mean, error;
} shown;

static shown best_pulls(play_fn *play, const ref_world *world, size_t m, size_t rounds)
{
    shown got = {0};
    double *pulls = ref_zeros(MANY);
    for (size_t run = 0; run < MANY; run++) {
        pulls[run] = play(world, m, rounds, 70000000 + run).best_pulls;
        got.runs[(size_t)pulls[run]]++;
    }
    got.mean = ks_mean(pulls, MANY);
    got.error = 5 * sqrt(ks_variance(pulls, MANY) / MANY);
    free(pulls);
    return got;
}

/* Nothing to lose with one arm or equal arms, a blind first round, and without answers only blind ones. */
static void test_every_policy(void)
{
    static const struct {
        const char *name;
        play_fn *play;
        size_t m;
    } policy[] = {{"kernel_self_sparring", self, 3}, {"gp_sparring", sparring, 3}, {"bopper", bopper, 2}};
    static const double one[] = {0.5}, sure[] = {0.5, 0, 0, 1, 0.5, 0.5, 1, 0.5, 0.5};
    ref_world single = {.k = 1, .p = one, .x = FAR, .dim = 1}, equal = {.k = 3, .p = EQUAL, .x = FAR, .dim = 1};
    ref_world worst = {.k = 3, .p = sure, .x = FAR, .dim = 1, .best = 2}, blind = worst;
    blind.feedback = REF_MISSING;
    blind.param = 1;
    for (size_t i = 0; i < 3; i++) {
        double m = (double)policy[i].m;
        ref_result result = policy[i].play(&single, policy[i].m, 20, i);
        ok(result.regret == 0 && result.best_pulls == 20 * m, "%s: one arm", policy[i].name);
        result = policy[i].play(&equal, policy[i].m, 20, i);
        ok(result.regret == 0 && result.best_pulls == 20 * m, "%s: all arms best", policy[i].name);
        shown got = best_pulls(policy[i].play, &worst, policy[i].m, 1);
        near(got.mean, m * 2 / 3, got.error, "%s: blind first round", policy[i].name);
        got = best_pulls(policy[i].play, &blind, policy[i].m, 5);
        near(got.mean, 5 * m * 2 / 3, got.error, "%s: no answers", policy[i].name);
    }
}

/* After arms 0 and 1 met, f_0 ~ N(1 / 1.025, 0.025 / 1.025) and f_1 ~ N(0, 0.025 / 1.025); after an arm met itself it
 * has N(1 / 2.025, 0.025 / 2.025), the other the prior. */
static void test_self_sparring(void)
{
    ref_world sure = {.k = 2, .p = SURE, .x = FAR, .dim = 1, .best = 0};
    double met = gsl_cdf_ugaussian_P(1 / 1.025 / sqrt(2 * 0.025 / 1.025));
    double again = gsl_cdf_ugaussian_P(1 / 2.025 / sqrt(1 + 0.025 / 2.025));
    shown got = best_pulls(self, &sure, 2, 2);
    share(got.runs[4], MANY, again * again / 4, "self_sparring: twice arm 0, and again");
    share(got.runs[3], MANY, met * met / 2 + 2 * again * (1 - again) / 4, "self_sparring: three times arm 0");
    /* Arms at one place are one arm: what one wins the other has won, so after 1 and 0 they are drawn alike. */
    static const double together[] = {0, 0};
    ref_world same = {.k = 2, .p = SURE, .x = together, .dim = 1, .best = 0};
    got = best_pulls(self, &same, 2, 3);
    near(got.mean, 3, got.error, "self_sparring: arms at one place");
}

/* A normal vector of three in which entry 2 is independent of the others. */
typedef struct three {
    double mean[3], covariance[3][3];
} three;

static size_t three_draw(const three *v, gsl_rng *rng)
{
    double a = sqrt(v->covariance[0][0]), b = v->covariance[1][0] / a, z = gsl_ran_gaussian(rng, 1);
    double f0 = v->mean[0] + a * z;
    double f1 = v->mean[1] + b * z + sqrt(v->covariance[1][1] - b * b) * gsl_ran_gaussian(rng, 1);
    double f2 = v->mean[2] + sqrt(v->covariance[2][2]) * gsl_ran_gaussian(rng, 1);
    if (f2 > f0 && f2 > f1)
        return 2;
    return f1 > f0;
}

static void three_observe(three *v, size_t a, double value)
{
    three old = *v;
    double total = old.covariance[a][a] + 0.025;
    for (size_t b = 0; b < 3; b++) {
        v->mean[b] += old.covariance[b][a] * (value - old.mean[a]) / total;
        for (size_t c = 0; c < 3; c++)
            v->covariance[b][c] -= old.covariance[b][a] * old.covariance[a][c] / total;
    }
}

/* Arms 0 and 1 are neighbours, arm 2 beats both, arm 0 beats 1: two rounds played out once more. */
static void test_neighbours(void)
{
    enum { DRAWS = 200000 };
    static const double x[] = {0, 0.2, 100}, p[] = {0.5, 1, 0, 0, 0.5, 0, 1, 1, 0.5};
    ref_world world = {.k = 3, .p = p, .x = x, .dim = 1, .best = 2};
    double c = exp(-0.5), expected = 0;
    gsl_rng *rng = ref_rng_open(5);
    for (size_t i = 0; i < DRAWS; i++) {
        three v = {.covariance = {{1, c, 0}, {c, 1, 0}, {0, 0, 1}}};
        size_t first = three_draw(&v, rng), second = three_draw(&v, rng);
        double won = gsl_rng_uniform(rng) < p[first * 3 + second];
        three_observe(&v, first, won);
        three_observe(&v, second, 1 - won);
        size_t third = three_draw(&v, rng), fourth = three_draw(&v, rng);
        expected += ((first == 2) + (second == 2) + (third == 2) + (fourth == 2)) / (double)DRAWS;
    }
    gsl_rng_free(rng);
    shown got = best_pulls(self, &world, 2, 2);
    near(got.mean, expected, got.error * sqrt(1 + (double)MANY / DRAWS), "self_sparring: what a neighbour teaches");
}

/* Two arms far apart: an untried arm has bound sqrt(beta_2) = 1.397, one that won 1.194: both are tried first. In the
 * third round a player takes the arm with the larger reward. Players that met as (0, 1) and (1, 0) both take arm 0; of
 * players that met as (0, 0) and (1, 1) one has rewards 1 and 0 and the other the reverse, or both have ties. */
static void test_sparring(void)
{
    ref_world sure = {.k = 2, .p = SURE, .x = FAR, .dim = 1, .best = 0};
    near(ref_gp_ucb_beta(30, 1, 0.1), 2.48062, 1e-4, "beta in the first round");
    near(ref_gp_ucb_beta(2, 2, 0.1), 1.9519, 1e-4, "beta in the second round");
    near(ref_gp_ucb_beta(2, 20, 0.1) - ref_gp_ucb_beta(2, 2, 0.1), 0.8 * log(10), 1e-12, "beta grows by 4/5 log t");
    shown got = best_pulls(sparring, &sure, 2, 2);
    share(got.runs[2], MANY, 1, "gp_sparring: each arm once");
    got = best_pulls(sparring, &sure, 2, 3);
    near(got.mean, 3.5, got.error, "gp_sparring: third round");
    /* With (0, 1) first, which has probability 1/2: 4; else 2, 3 or 4 with 1/8 (two ties), 3/4, 1/8. */
    share(got.runs[4], MANY, 0.5 + 0.5 * 0.125, "gp_sparring: both take arm 0");
    share(got.runs[2], MANY, 0.5 * 0.125, "gp_sparring: neither does");
    /* Each duel is an observation: with m = 3 a player has two of its arm. Arms 0, 0, 1 give rewards (1 or 0) + 1 each
     * to the zeros. Whatever they are, an untried arm comes next. */
    got = best_pulls(sparring, &sure, 3, 2);
    share(got.runs[3], MANY, 1, "gp_sparring: three players, each arm once");
}

/* Arms far apart, so pairs are independent; the second round from the mode f = 1 - sigmoid f after a win. P(arm 0 comes
 * first) = q after (0, 1) and (1, 0); after (0, 0) it is q or 1 - q by a coin, after (1, 1) too. The second slot then
 * avoids the pair that was seen. */
static void test_bopper(void)
{
    enum { DRAWS = 1000000 };
    ref_world sure = {.k = 2, .p = SURE, .x = FAR, .dim = 1, .best = 0};
    double f = 0;
    for (int i = 0; i < 100; i++)
        f = (f + 1 - 1 / (1 + exp(-f))) / 2;
    double s = 1 / (1 + exp(-f)), sd = sqrt(1 / (1 + s * (1 - s))), q = 0;
    gsl_rng *rng = ref_rng_open(6);
    for (size_t i = 0; i < DRAWS; i++) {
        double score = ref_sigmoid(f + sd * gsl_ran_gaussian(rng, 1)) + ref_sigmoid(gsl_ran_gaussian(rng, 1)) -
                       ref_sigmoid(gsl_ran_gaussian(rng, 1)) - ref_sigmoid(gsl_ran_gaussian(rng, 1));
        q += (score > 0) / (double)DRAWS;
    }
    gsl_rng_free(rng);
    ok(q > 0.55 && q < 0.65, "bopper: a win helps (%.4f)", q);
    shown got = best_pulls(bopper, &sure, 2, 2);
    /* After (0, 1), which showed 1: 0 then 0 with q, else 1 then either. After (1, 0), which showed 1: 0 then either
     * with q, else 1 then 1. After (0, 0), which showed 2: 0 then 1 with 1/2, else 1 then either. After (1, 1), which
     * showed 0: 0 then either with 1/2, else 1 then 0. */
    share(got.runs[0], MANY, 0, "bopper: never a pair twice");
    share(got.runs[1], MANY, (0.5 * (1 - q) + (1 - q) + 0 + 0.5 + 0.25) / 4, "bopper: best once");
    share(got.runs[2], MANY, (0.5 * (1 - q) + 0.5 * q + 0.25 + 0.25) / 4, "bopper: best twice");
    share(got.runs[3], MANY, (q + 0.5 * q + 0.5 + 0.25) / 4, "bopper: best three times");
    share(got.runs[4], MANY, 0, "bopper: never four times");
    /* The left slot always wins, so after (1, 0) arm 1 comes first with q; the pair is one of (first, second). */
    static const double left[] = {0.5, 1, 1, 0.5};
    sure.p = left;
    got = best_pulls(bopper, &sure, 2, 2);
    share(got.runs[3], MANY, (q + 0.5 * (1 - q) + 0.5 + 0.25) / 4, "bopper: pairs are ordered");
}

int main(void)
{
    test_sigmoid();
    test_one_answer();
    test_many_answers();
    test_near_ties();
    test_every_policy();
    test_self_sparring();
    test_neighbours();
    test_sparring();
    test_bopper();
    return done();
}
