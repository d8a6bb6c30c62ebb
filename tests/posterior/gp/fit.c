/* Fitted parameters: where a likelihood written down answer by answer is largest, near those that made the answers, and
 * put to use by the belief. */
#include "posterior/gp/gp.h"

#include "posterior/belief.h"
#include "posterior/stat.h"
#include "sampler/sampler.h"

typedef long double real;

enum { MOST = 500, RUNS = 20 };

static double x[2 * MOST], f[MOST], count[MOST], sum[MOST];

/* Answers one by one, for the likelihood by the book. */
enum { FEW = 60 };
static size_t asked[FEW];
static double told[FEW];
static size_t n_told;

static void lower_factor(size_t n, real *a)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            for (size_t k = 0; k < j; k++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrtl(fmaxl(a[i * n + i], 1e-18L)) : a[i * n + j] / a[j * n + j];
        }
}

/* Points evenly on [0,1] and a draw of length 0.2 and variance 1 on them. */
static void draw_function(size_t n, spar_rng *rng)
{
    static real a[MOST * MOST];
    double z[MOST];
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i / (double)(n - 1);
        z[i] = spar__normal(rng);
        count[i] = sum[i] = f[i] = 0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = expl(-((real)x[i] - x[j]) * ((real)x[i] - x[j]) / 0.08L) + (i == j ? 1e-12L : 0);
    lower_factor(n, a);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++)
            f[i] += (double)a[i * n + k] * z[k];
    n_told = 0;
}

static void observe(size_t i, double value)
{
    count[i]++;
    sum[i] += value;
    if (n_told < FEW) {
        asked[n_told] = i;
        told[n_told] = value;
    }
    n_told++;
}

static void observe_directly(size_t n, size_t answers, double noise, spar_rng *rng)
{
    for (size_t t = 0; t < answers; t++) {
        size_t i = (size_t)spar_rng_below(rng, n);
        observe(i, f[i] + sqrt(noise) * spar__normal(rng));
    }
}

/* Random pairs, as self-sparring would learn them. */
static void observe_duels(size_t n, size_t duels, spar_rng *rng)
{
    for (size_t t = 0; t < duels; t++) {
        size_t i = (size_t)spar_rng_below(rng, n), j = (size_t)spar_rng_below(rng, n);
        double won = spar_rng_uniform(rng) < 1 / (1 + exp(f[j] - f[i]));
        observe(i, won);
        observe(j, 1 - won);
    }
}

typedef struct fitted {
    double length, variance, noise;
} fitted;

static spar_status try_fit(size_t n, fitted given, double mean, bool fit_noise, fitted *out)
{
    spar__gp_points points = {.n = n, .dim = 1, .x = x, .count = count, .sum = sum};
    spar__gp_model model = {.kernel = {SPAR__KERNEL_SE, 1, &given.length, given.variance},
                            .noise = given.noise,
                            .offset = mean,
                            .points = &points};
    return spar__gp_fit(&model, fit_noise, &out->length, &out->variance, &out->noise);
}

static fitted fit(size_t n, fitted given, double mean, bool fit_noise)
{
    fitted out = {0};
    if (try_fit(n, given, mean, fit_noise, &out))
        abort();
    return out;
}

/* The log likelihood of the answers one by one, with the joint covariance of all of them. */
static real likelihood(fitted p, double mean)
{
    static real a[FEW * FEW];
    real y[FEW], value = 0;
    for (size_t i = 0; i < FEW; i++)
        for (size_t j = 0; j < FEW; j++) {
            real gap = ((real)x[asked[i]] - x[asked[j]]) / p.length;
            a[i * FEW + j] = p.variance * expl(-gap * gap / 2) + (i == j ? p.noise : 0);
        }
    lower_factor(FEW, a);
    for (size_t i = 0; i < FEW; i++) {
        y[i] = told[i] - mean;
        for (size_t k = 0; k < i; k++)
            y[i] -= a[i * FEW + k] * y[k];
        y[i] /= a[i * FEW + i];
        value -= y[i] * y[i] / 2 + logl(a[i * FEW + i]);
    }
    return value;
}

/* The same of the points' means, where the noise is a parameter: what is fitted knows no more. */
static real likelihood_of_means(size_t n, fitted p)
{
    static real a[MOST * MOST];
    real y[MOST], value = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            real gap = ((real)x[i] - x[j]) / p.length;
            a[i * n + j] = p.variance * expl(-gap * gap / 2) + (i == j ? p.noise / count[i] : 0);
        }
    lower_factor(n, a);
    for (size_t i = 0; i < n; i++) {
        y[i] = sum[i] / count[i];
        for (size_t k = 0; k < i; k++)
            y[i] -= a[i * n + k] * y[k];
        y[i] /= a[i * n + i];
        value -= y[i] * y[i] / 2 + logl(a[i * n + i]);
    }
    return value;
}

/* A step either way in each of the parameters leads down, and no place of a coarse grid is higher. */
static void is_the_maximum(void)
{
    size_t lower = 0, tried = 0, above = 0;
    for (uint64_t run = 0; run < 10; run++) {
        spar_rng rng;
        spar_rng_seed(&rng, run, 1, 1);
        draw_function(12, &rng);
        observe_directly(12, FEW, 0.1, &rng);
        double mean = run % 2 ? 0.3 : 0;
        fitted p = fit(12, (fitted){0.5, 2, 0.1}, mean, false);
        if (p.length > 10 || p.variance > 150)
            continue; /* at a bound */
        real best = likelihood(p, mean);
        for (int d = 0; d < 4; d++) {
            double by = d % 2 ? 1.004 : 1 / 1.004;
            fitted q = {d / 2 ? p.length * by : p.length, d / 2 ? p.variance : p.variance * by, p.noise};
            lower += likelihood(q, mean) < best;
            tried++;
        }
        for (int i = -12; i <= 12; i++)
            for (int j = -12; j <= 12; j++)
                above += likelihood((fitted){0.5 * exp(0.38 * i), 2 * exp(0.38 * j), 0.1}, mean) > best + 1e-9L;
        near(p.noise, 0.1, 0, "run %d: the noise stays", (int)run);
    }
    ok(lower == tried && tried >= 20 && above == 0, "the likelihood is largest there (%zu of %zu steps lead down)",
       lower, tried);
}

static void is_the_maximum_with_noise(void)
{
    size_t lower = 0, tried = 0;
    for (uint64_t run = 0; run < 5; run++) {
        spar_rng rng;
        spar_rng_seed(&rng, run, 1, 2);
        draw_function(30, &rng);
        observe_directly(30, 300, 0.1, &rng);
        for (size_t i = 0; i < 30; i++)
            if (count[i] == 0)
                observe(i, f[i]);
        fitted p = fit(30, (fitted){0.5, 2, 0.02}, 0, true);
        real best = likelihood_of_means(30, p);
        for (int d = 0; d < 6; d++) {
            double by = d % 2 ? 1.004 : 1 / 1.004;
            fitted q = {p.length * (d / 2 == 0 ? by : 1), p.variance * (d / 2 == 1 ? by : 1),
                        p.noise * (d / 2 == 2 ? by : 1)};
            lower += likelihood_of_means(30, q) < best;
            tried++;
        }
    }
    ok(lower == tried, "and so it is with the noise (%zu of %zu steps lead down)", lower, tried);
}

static double median(double *value)
{
    qsort(value, RUNS, sizeof *value, by_value);
    return (value[RUNS / 2 - 1] + value[RUNS / 2]) / 2;
}

static void recovers(const char *what, size_t n, bool duels, fitted given, double mean, bool fit_noise)
{
    double length[RUNS], noise[RUNS];
    for (uint64_t run = 0; run < RUNS; run++) {
        spar_rng rng;
        spar_rng_seed(&rng, run, 2, n);
        draw_function(n, &rng);
        if (duels)
            observe_duels(n, 300, &rng);
        else
            observe_directly(n, 300, 0.025, &rng);
        fitted p = fit(n, given, mean, fit_noise);
        length[run] = p.length;
        noise[run] = p.noise;
    }
    double l = median(length), s = median(noise);
    ok(l > 0.15 && l < 0.25, "%s, %zu points: 300 answers find the length 0.2 within a quarter: %.3f (noise %.3f)",
       what, n, l, s);
    if (fit_noise)
        ok(duels ? s > 0.15 && s < 0.27 : s > 0.02 && s < 0.03, "%s, %zu points: and the noise: %.3f", what, n, s);
}

/* Nothing to learn the length from; far more points than are looked at; too few. */
static void extremes(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 1, 3, 1);
    draw_function(30, &rng);
    for (size_t i = 0; i < 30; i++)
        observe(i, 1);
    fitted p = fit(30, (fitted){0.2, 1, 0.025}, 0, true);
    ok(p.length >= 0.00199 && p.length <= 20.01 && p.noise >= 0.000249 && p.noise <= 2.51 && isfinite(p.variance),
       "equal answers: within the bounds (length %.3g, variance %.3g, noise %.3g)", p.length, p.variance, p.noise);
    draw_function(MOST, &rng);
    for (size_t i = 0; i < 2000; i++)
        observe(i % 5 ? i % MOST : i % MOST + 1, f[i % 5 ? i % MOST : i % MOST + 1] + 0.15 * spar__normal(&rng));
    p = fit(MOST, (fitted){1, 1, 0.025}, 0, false);
    ok(p.length > 0.1 && p.length < 0.4, "400 points: as many as it takes (length %.3g)", p.length);
    for (size_t i = 0; i < MOST; i += 5)
        observe(i, i % 2 ? 50 : -50);
    fitted again = fit(MOST, (fitted){1, 1, 0.025}, 0, false);
    ok(again.length == p.length && again.variance == p.variance, "%d points: those with most answers count", MOST);
    draw_function(30, &rng);
    observe(3, 1);
    observe(4, 0);
    p = (fitted){1, 2, 3};
    ok(try_fit(30, p, 0, true, &p) == SPAR_UNSUPPORTED && p.length == 1 && p.variance == 2 && p.noise == 3,
       "two points are too few");
    observe_directly(30, 30, 0.1, &rng);
    size_t k = 1;
    bool clean = true;
    for (spar_status status = SPAR_NOMEM; status && k < 100; k++) {
        fitted out = {1, 2, 3};
        spar__alloc_fail_at(k);
        status = try_fit(30, (fitted){1, 1, 1}, 0, true, &out);
        spar__alloc_fail_at(0);
        clean &= status == SPAR_OK || (status == SPAR_NOMEM && out.length == 1 && out.variance == 2 && out.noise == 3);
    }
    ok(clean && k > 5 && k < 100, "each of %zu allocations fails once and nothing changes", k - 2);
}

enum { ARMS = 30 };

static void tell(belief *b, size_t rounds, uint64_t seed)
{
    spar_rng rng;
    spar_rng_seed(&rng, seed, 4, 1);
    for (size_t t = 0; t < rounds; t++) {
        size_t i = (size_t)spar_rng_below(&rng, ARMS);
        double reward = 0.5 + 0.4 * sin(9.0 * (double)i / ARMS);
        b->self->cls->observe(b->self, i, spar_rng_uniform(&rng) < reward, 1);
        b->self->cls->settle(b->self);
    }
}

static bool same_moments(const belief *a, const belief *b, double tolerance)
{
    double mean[2][ARMS], sd[2][ARMS];
    bool same = !a->self->cls->moments(a->self, a->scratch, mean[0], sd[0]) &&
                !b->self->cls->moments(b->self, b->scratch, mean[1], sd[1]);
    for (size_t i = 0; i < ARMS; i++)
        same &= fabs(mean[0][i] - mean[1][i]) <= tolerance && fabs(sd[0][i] - sd[1][i]) <= tolerance;
    return same;
}

/* The belief after a fit is the one that had the fitted parameters from the start. */
static void belief_fits(const char *backing, int fit_noise)
{
    char spec[256];
    double numbers[2048];
    (void)snprintf(spec, sizeof spec, "gp(fit=100,fit_noise=%d,centre=1,noise=0.2,length=1,backing=%s)", fit_noise,
                   backing);
    belief b = belief_open(spec, ARMS);
    tell(&b, 250, 1); /* fitted at 200 */
    (void)belief_numbers(&b, 2048, numbers);
    ok(numbers[3] < 0.5 && numbers[1] < 0.5 && (numbers[2] == 0.2) == !fit_noise,
       "%s: variance %.3f, noise %.3f and length %.3f are fitted", spec, numbers[1], numbers[2], numbers[3]);
    (void)snprintf(spec, sizeof spec, "gp(centre=1,variance=%.17g,noise=%.17g,length=%.17g,backing=%s)", numbers[1],
                   numbers[2], numbers[3], backing);
    belief plain = belief_open(spec, ARMS);
    tell(&plain, 250, 1);
    ok(same_moments(&b, &plain, 1e-9), "it believes what %s does", spec);
    belief_close(&plain);
    belief_close(&b);
}

/* A fit starts from what was given, not from the last fit: many or one, the end is the same. */
static void belief_keeps_no_history(void)
{
    belief often = belief_open("gp(fit=25,centre=1,length=0.5)", ARMS);
    belief once = belief_open("gp(fit=200,centre=1,length=0.5)", ARMS);
    double numbers[2][2048];
    tell(&often, 200, 3);
    tell(&once, 200, 3);
    (void)belief_numbers(&often, 2048, numbers[0]);
    (void)belief_numbers(&once, 2048, numbers[1]);
    ok(memcmp(numbers[0] + 1, numbers[1] + 1, 3 * sizeof **numbers) == 0 && numbers[0][3] != 0.5,
       "eight fits or one: the same parameters");
    belief_close(&often);
    belief_close(&once);
}

/* Saved between two fits, and loaded: goes on the same. */
static void belief_saves(void)
{
    static const char spec[] = "gp(fit=40,centre=1)";
    belief a = belief_open(spec, ARMS), b = belief_open(spec, ARMS);
    tell(&a, 130, 1);
    spar__archive cache = {0}, out = {.cache = &cache};
    a.self->cls->archive(a.self, &out);
    spar__archive fast = {.loading = true, .in = (const unsigned char *)cache.out.text, .left = cache.out.length};
    spar__archive in = {
        .loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length, .cache = &fast};
    b.self->cls->archive(b.self, &in);
    bool same = !in.failed && in.left == 0 && !fast.failed && fast.left == 0 && same_moments(&a, &b, 0);
    tell(&a, 70, 2);
    tell(&b, 70, 2);
    ok(same && same_moments(&a, &b, 0), "saved between fits and loaded, it goes on the same");
    spar__buf_free(&out.out);
    spar__buf_free(&cache.out);
    belief_close(&a);
    belief_close(&b);
}

/* A fit without memory is made up for: what is believed is the same. */
static void belief_waits(void)
{
    belief a = belief_open("gp(fit=60,centre=1)", ARMS), b = belief_open("gp(fit=60,centre=1)", ARMS);
    double numbers[2][2048], mean[ARMS];
    tell(&a, 59, 1);
    tell(&b, 59, 1);
    a.self->cls->observe(a.self, 0, 1, 1);
    b.self->cls->observe(b.self, 0, 1, 1);
    spar__alloc_fail_at(1);
    a.self->cls->settle(a.self);
    spar__alloc_fail_at(1);
    spar_status looked = a.self->cls->moments(a.self, a.scratch, mean, NULL);
    spar__alloc_fail_at(1);
    spar_status reserved = a.self->cls->reserve(a.self, 2);
    spar__alloc_fail_at(0);
    b.self->cls->settle(b.self);
    ok(looked == SPAR_NOMEM && reserved == SPAR_NOMEM, "without memory for a fit, what needs it fails");
    ok(same_moments(&a, &b, 0), "with memory it is made for each question");
    size_t n = belief_numbers(&a, 2048, numbers[0]), m = belief_numbers(&b, 2048, numbers[1]);
    ok(n == m && numbers[0][3] != 0.2 && memcmp(numbers[0], numbers[1], n * sizeof **numbers) == 0,
       "and what is saved has it");
    tell(&a, 70, 2);
    tell(&b, 70, 2);
    ok(same_moments(&a, &b, 0), "so it goes on the same");
    belief_close(&a);
    belief_close(&b);
}

int main(void)
{
    is_the_maximum();
    is_the_maximum_with_noise();
    recovers("direct", 30, false, (fitted){1, 1, 0.025}, 0, false);
    recovers("direct", 100, false, (fitted){0.05, 1, 0.025}, 0, false);
    recovers("direct, noise unknown", 50, false, (fitted){0.2, 1, 0.2}, 0, true);
    recovers("duels, noise 1/4", 30, true, (fitted){0.2, 1, 0.25}, 0.5, false);
    recovers("duels, noise unknown", 30, true, (fitted){0.2, 1, 0.025}, 0.5, true);
    extremes();
    belief_fits("auto", 1);
    belief_fits("dense", 0);
    belief_keeps_no_history();
    belief_saves();
    belief_waits();
    return done();
}
