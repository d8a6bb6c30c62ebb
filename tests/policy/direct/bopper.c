/* bopper against a dense transcription in long double: every pair of arms has its own row in the covariance, the mode
 * is found in function space, integrals are fine sums, and draws come from a Cholesky factor over all pairs. */
#include "policy/setup.h"

#include "base/alloc.h"
#include "sampler/sampler.h"

#include <stdlib.h>

typedef long double real;

enum { MOST = 7, PAIRS = MOST * MOST };

typedef struct setting {
    const char *spec;
    real length, variance;
    size_t k, dim;
    const double *x;
} setting;

/* The policy and what the test has told it. */
typedef struct bench {
    const setting *set;
    setup setup;
    real won[PAIRS], lost[PAIRS];
} bench;

/* The posterior over all pairs, by the book. */
typedef struct truth {
    size_t n;
    real mean[PAIRS], covariance[PAIRS][PAIRS];
} truth;

static bench bench_open(const setting *set, uint64_t seed)
{
    bench b = {.set = set};
    spar_arms *arms = NULL;
    spar_error err = {0};
    spar_rng birth;
    spar_rng_seed(&birth, seed, 0, 1);
    spar_rng_seed(&b.setup.rng, seed, 0, 2);
    if (spar_arms_new(set->k, set->dim, set->x, NULL, &arms) ||
        spar_policy_new(set->spec, arms, 2, 0, &birth, &b.setup.policy, &err) || spar_scratch_new(&b.setup.scratch) ||
        spar_round_new(2, &b.setup.round) || spar_feedback_new(2, &b.setup.feedback)) {
        printf("Bail out! %s: %s\n", set->spec, err.text);
        exit(1);
    }
    spar_arms_free(arms);
    return b;
}

static void tell(bench *b, size_t i, size_t j, char answer)
{
    size_t pair[2] = {i, j};
    char text[2] = {answer, 0};
    setup_teach(&b->setup, pair, text);
    b->won[i * b->set->k + j] += answer == 'w' ? 1 : answer == 't' ? 0.5L : 0;
    b->lost[i * b->set->k + j] += answer == 'l' ? 1 : answer == 't' ? 0.5L : 0;
}

/* A log of duels between few arms first, then between all. */
static void tell_some(bench *b, size_t rounds, uint64_t seed)
{
    spar_rng luck;
    spar_rng_seed(&luck, seed, 1, 3);
    for (size_t t = 0; t < rounds; t++) {
        size_t k = t < rounds / 2 ? 2 : b->set->k;
        size_t i = (size_t)spar_rng_below(&luck, k), j = (size_t)spar_rng_below(&luck, k);
        double win = 1 / (1 + exp((double)j - (double)i)), u = spar_rng_uniform(&luck);
        tell(b, i, j, spar_rng_below(&luck, 5) == 0 ? 't' : u < win ? 'w' : 'l');
    }
}

static real covariance(const setting *s, size_t p, size_t q)
{
    real sum = 0;
    size_t end[2][2] = {{p / s->k, q / s->k}, {p % s->k, q % s->k}};
    for (size_t side = 0; side < 2; side++)
        for (size_t d = 0; d < s->dim; d++) {
            real gap = (real)s->x[end[side][0] * s->dim + d] - (real)s->x[end[side][1] * s->dim + d];
            sum += gap * gap;
        }
    return s->variance * expl(-sum / (2 * s->length * s->length));
}

/* The lower Cholesky factor, in place; tiny pivots are those of a semidefinite matrix. */
static void cholesky(size_t n, real a[PAIRS][PAIRS])
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrtl(fmaxl(a[j][j], 1e-24L));
        for (size_t i = j + 1; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
}

static void forward(size_t n, real l[PAIRS][PAIRS], real *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
}

static void backward(size_t n, real l[PAIRS][PAIRS], real *x)
{
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
}

static void believe(const bench *b, truth *t)
{
    static real prior[PAIRS][PAIRS], factor[PAIRS][PAIRS], side[PAIRS][PAIRS];
    real a[PAIRS] = {0}, root[PAIRS];
    size_t n = t->n = b->set->k * b->set->k;
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q < n; q++)
            prior[p][q] = covariance(b->set, p, q);
    for (int step = 0; step < 60; step++) {
        real target[PAIRS], rest[PAIRS];
        for (size_t p = 0; p < n; p++) {
            t->mean[p] = 0;
            for (size_t q = 0; q < n; q++)
                t->mean[p] += prior[p][q] * a[q];
            real s = 1 / (1 + expl(-t->mean[p])), count = b->won[p] + b->lost[p];
            root[p] = sqrtl(count * s * (1 - s));
            target[p] = count * s * (1 - s) * t->mean[p] + b->won[p] - count * s;
        }
        for (size_t p = 0; p < n; p++) {
            rest[p] = 0;
            for (size_t q = 0; q < n; q++) {
                factor[p][q] = (p == q ? 1 : 0) + root[p] * prior[p][q] * root[q];
                rest[p] += root[p] * prior[p][q] * target[q];
            }
        }
        cholesky(n, factor);
        forward(n, factor, rest);
        backward(n, factor, rest);
        for (size_t p = 0; p < n; p++)
            a[p] = target[p] - root[p] * rest[p];
    }
    for (size_t p = 0; p < n; p++) {
        for (size_t q = 0; q < n; q++)
            side[p][q] = root[q] * prior[q][p];
        forward(n, factor, side[p]);
    }
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q < n; q++) {
            t->covariance[p][q] = prior[p][q];
            for (size_t k = 0; k < n; k++)
                t->covariance[p][q] -= side[p][k] * side[q][k];
        }
}

/* Mean and variance of sigma(f), by Simpson's rule over nine standard deviations. */
static void squash(const truth *t, size_t p, real *mean, real *variance)
{
    enum { STEPS = 1200 };
    real total = 0, first = 0, second = 0, sd = sqrtl(fmaxl(t->covariance[p][p], 0));
    for (int i = 0; i <= STEPS; i++) {
        real z = -9 + 18 * (real)i / STEPS, weight = expl(-z * z / 2) * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
        real s = 1 / (1 + expl(-(t->mean[p] + sd * z)));
        total += weight;
        first += weight * s;
        second += weight * s * s;
    }
    *mean = first / total;
    *variance = second / total - *mean * *mean;
}

static const bool *alive(const bench *b)
{
    return spar_policy_arms(b->setup.policy)->alive;
}

static real worst_score(bench *b, const truth *t)
{
    double score[MOST];
    real worst = 0;
    size_t k = b->set->k;
    setup_score(&b->setup, score);
    for (size_t i = 0; i < k; i++) {
        real sum = 0, count = 0, mean, variance;
        for (size_t j = 0; j < k; j++) {
            squash(t, i * k + j, &mean, &variance);
            sum += alive(b)[j] ? mean : 0;
            count += alive(b)[j] ? 1 : 0;
        }
        worst = fmaxl(worst, fabsl(sum / count - (real)score[i]));
    }
    return worst;
}

/* The first arm in a draw over all pairs. */
static size_t draw_first(const bench *b, const truth *t, real factor[PAIRS][PAIRS], spar_rng *rng)
{
    size_t k = b->set->k, best = 0;
    real z[PAIRS], most = -1;
    for (size_t p = 0; p < t->n; p++)
        z[p] = (real)spar__normal(rng);
    for (size_t i = 0; i < k; i++) {
        real sum = 0;
        for (size_t j = 0; j < k; j++) {
            real f = t->mean[i * k + j];
            for (size_t q = 0; q <= i * k + j; q++)
                f += factor[i * k + j][q] * z[q];
            sum += alive(b)[j] ? 1 / (1 + expl(-f)) : 0;
        }
        if (alive(b)[i] && sum > most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

/* How many second arms are not of the largest variance, and the law of the first ones. */
static void compare_choices(bench *b, const truth *t, size_t *wrong, size_t *decided, double *sigma)
{
    enum { DRAWS = 4000 };
    static real factor[PAIRS][PAIRS];
    double mine[MOST] = {0}, theirs[MOST] = {0};
    real variance[PAIRS], mean, most[MOST];
    size_t k = b->set->k;
    spar_rng rng;
    spar_rng_seed(&rng, 5, 1, 1);
    for (size_t i = 0; i < k; i++) {
        most[i] = 0;
        for (size_t j = 0; j < k; j++) {
            squash(t, i * k + j, &mean, &variance[i * k + j]);
            most[i] = alive(b)[j] ? fmaxl(most[i], variance[i * k + j]) : most[i];
        }
    }
    memcpy(factor, t->covariance, sizeof factor);
    cholesky(t->n, factor);
    for (size_t d = 0; d < DRAWS; d++) {
        const size_t *arm = setup_choose(&b->setup);
        theirs[arm[0]]++;
        mine[draw_first(b, t, factor, &rng)]++;
        *wrong += !alive(b)[arm[0]] || !alive(b)[arm[1]] || variance[arm[0] * k + arm[1]] < most[arm[0]] - 2e-9L;
        for (size_t j = 0; j < k; j++)
            *decided += alive(b)[j] && variance[arm[0] * k + j] < most[arm[0]] - 1e-4L;
    }
    *sigma = same_sigma(k, mine, theirs);
}

static void follow(const setting *set)
{
    static truth t;
    static const size_t lengths[] = {0, 1, 3, 12, 40, 150};
    real worst = 0;
    double sigma = 0;
    size_t wrong = 0, decided = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        bench b = bench_open(set, i);
        tell_some(&b, lengths[i], i);
        if (i == 4 && spar_policy_retire_arm(b.setup.policy, 1, NULL))
            abort();
        believe(&b, &t);
        worst = fmaxl(worst, worst_score(&b, &t));
        double out;
        compare_choices(&b, &t, &wrong, &decided, &out);
        sigma = fmax(sigma, out);
        setup_free(&b.setup);
    }
    ok(worst < 2e-9L, "%s, %zu features: scores are within %.1Le of the dense ones", set->spec, set->dim, worst);
    ok(wrong == 0 && decided > 1000, "%s, %zu features: the second arm is the most uncertain one", set->spec, set->dim);
    ok(sigma < 5, "%s, %zu features: the first arm has its law (%.1f sigma)", set->spec, set->dim, sigma);
}

/* In the beginning nothing tells pairs apart, and the choice is free. */
static void starts_evenly(void)
{
    static const double x[] = {0, 0.2, 0.4, 0.6, 0.8, 1};
    static const setting set = {"bopper", 1, 1, 6, 1, x};
    enum { DRAWS = 6000 };
    bench b = bench_open(&set, 1);
    double second[6] = {0}, even[6];
    for (size_t d = 0; d < DRAWS; d++)
        second[setup_choose(&b.setup)[1]]++;
    for (size_t i = 0; i < 6; i++)
        even[i] = 1.0 / 6;
    double sigma = fit_sigma(6, second, even);
    ok(sigma < 5, "every second arm is as likely at first (%.1f sigma)", sigma);
    setup_free(&b.setup);
}

/* Two rivals that mirror each other are as uncertain, whatever rounding says. */
static void mirrored_rivals(void)
{
    static const double x[] = {0.07, 0.31, 0.5, 0.69, 0.93};
    static const setting set = {"bopper", 1, 1, 5, 1, x};
    bench b = bench_open(&set, 1);
    double second[5] = {0}, pairs[2], share = 0;
    static const double even[2] = {0.5, 0.5};
    for (size_t t = 0; t < 90; t++) {
        tell(&b, 2, 2, 't');
        for (size_t other = 0; t % 15 == 0 && other < 5; other++)
            tell(&b, 2, other, t % 2 ? 'w' : 't');
    }
    for (size_t d = 0; d < 3000; d++) {
        const size_t *arm = setup_choose(&b.setup);
        second[arm[1]] += arm[0] == 2;
        share += arm[0] == 2;
    }
    pairs[0] = second[0] + second[1];
    pairs[1] = second[3] + second[4];
    double sigma = fit_sigma(2, pairs, even);
    ok(share > 100 && sigma < 5, "rivals that mirror each other are shown as often (%.0f and %.0f, %.1f sigma)",
       pairs[0], pairs[1], sigma);
    setup_free(&b.setup);
}

/* Two arms on one point are one to the belief, and share what is known; a new arm knows at once what its point knows.
 */
static void arms_on_one_point(void)
{
    static const double x[] = {0.5, 0.1, 0.5, 0.9};
    static const setting set = {"bopper(length=0.2)", 0.2L, 1, 4, 1, x};
    bench b = bench_open(&set, 1);
    double score[8], again[8];
    for (size_t t = 0; t < 40; t++) {
        size_t twin = t % 2 ? 0 : 2, other = t % 4 < 2 ? 1 : 3;
        tell(&b, twin, other, 'w');
        tell(&b, other, twin, 'l');
    }
    setup_score(&b.setup, score);
    ok(score[0] == score[2] && score[0] > score[1] && score[0] > score[3], "arms on one point have one score");
    size_t seen[4] = {0}, at = 0;
    for (size_t t = 0; t < 400; t++)
        seen[setup_choose(&b.setup)[0]]++;
    ok(seen[0] > 100 && seen[2] > 100, "and are shown as often (%zu and %zu of 400)", seen[0], seen[2]);
    double late = 0.9;
    bool went = spar_policy_add_arm(b.setup.policy, &late, NULL, &at, NULL) == SPAR_OK &&
                spar_policy_retire_arm(b.setup.policy, 3, NULL) == SPAR_OK;
    setup_score(&b.setup, again);
    for (size_t i = 0; i < 3; i++)
        went &= fabs(again[i] - score[i]) < 1e-12;
    ok(went && fabs(again[at] - score[3]) < 1e-12, "an arm replaced by one on its point changes nothing");
    setup_free(&b.setup);
}

/* Learning a new pair needs memory; when there is none, nothing was learned. */
static void learns_all_or_nothing(void)
{
    static const double x[] = {0, 0.2, 0.4, 0.6, 0.8, 1};
    static const setting set = {"bopper(length=0.2)", 0.2, 1, 6, 1, x};
    bench b = bench_open(&set, 1);
    double before[6], after[6];
    size_t failed = 0;
    bool same = true;
    for (size_t p = 0; p < 36; p++) {
        (void)setup_choose(&b.setup);
        b.setup.round->arm[0] = p / 6;
        b.setup.round->arm[1] = p % 6;
        (void)spar_feedback_reset(b.setup.feedback, 2);
        (void)spar_feedback_set(b.setup.feedback, 0, 1, SPAR_WIN);
        for (size_t k = 1;; k++) {
            setup_score(&b.setup, before);
            spar__alloc_fail_at(k);
            spar_status status = spar_policy_learn(b.setup.policy, b.setup.round, b.setup.feedback, NULL);
            spar__alloc_fail_at(0);
            if (status == SPAR_OK)
                break;
            failed++;
            setup_score(&b.setup, after);
            same &= status == SPAR_NOMEM && memcmp(before, after, sizeof before) == 0;
        }
    }
    ok(same && failed > 10 && spar_policy_rounds(b.setup.policy) == 36,
       "a round that memory failed (%zu times) was not learned, and may be told again", failed);
    setup_free(&b.setup);
}

/* A saved state begins with the number of pairs, and each pair with its two arms. */
static void refuses_senseless_counts(void)
{
    static const double x[] = {0, 0.5, 1}, senseless = 1e300;
    static const setting set = {"bopper", 1, 1, 3, 1, x};
    bench b = bench_open(&set, 1), other = bench_open(&set, 1);
    spar__archive out = {0};
    tell(&b, 0, 1, 'w');
    b.setup.policy->cls->archive(b.setup.policy, &out);
    memcpy(out.out.text + 3 * 8, &senseless, 8);
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    other.setup.policy->cls->archive(other.setup.policy, &in);
    ok(in.failed, "a saved count that no log can have is refused");
    spar__buf_free(&out.out);
    setup_free(&b.setup);
    setup_free(&other.setup);
}

static void refuses(void)
{
    spar_status status;
    const char *text = refusal("bopper", 3, 2, &status);
    ok(status == SPAR_UNSUPPORTED && strstr(text, "features"), "needs features: %s", text);
}

int main(void)
{
    static const double line[] = {0.9, 0, 0.3, 0.45, 1, 0.7};
    static const double plane[] = {0.1, 0.9, 0.5, 0.5, 0, 0, 1, 0.2, 0.7, 0.8};
    static const double wide[] = {0, 3, -2, 0.5, 7, 1, 5};
    static const setting settings[] = {
        {"bopper", 1, 1, 6, 1, line},
        {"bopper(length=0.3,variance=4)", 0.3L, 4, 5, 2, plane},
        {"bopper(length=1,variance=0.25)", 1, 0.25L, 5, 2, plane},
        {"bopper(length=2,variance=30)", 2, 30, 7, 1, wide},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        follow(&settings[i]);
    starts_evenly();
    mirrored_rivals();
    arms_on_one_point();
    learns_all_or_nothing();
    refuses_senseless_counts();
    refuses();
    return done();
}
