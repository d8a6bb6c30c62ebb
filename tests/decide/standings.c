/* Standings against a plain likelihood in long double: the mode by coordinates, the posterior by a random walk. */
#include "decide/decide.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdlib.h>

typedef long double real;

enum { K = 4, PLACES = 3, D = K + PLACES - 1 + 1, MOST = 60 };

/* The winner, the first two in order, or a tie, of three slots; or a pair of options. */
typedef struct screen {
    size_t m, option[PLACES], place[PLACES];
    size_t rank[PLACES]; /* slots, best first */
    size_t ranked;       /* 0: a tie */
} screen;

static unsigned below(unsigned n)
{
    static uint32_t state = 77;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static void make_screen(screen *s)
{
    s->m = 2 + below(2);
    for (size_t j = 0; j < s->m; j++) {
        bool again = true;
        while (again) {
            s->option[j] = below(K);
            again = false;
            for (size_t k = 0; k < j; k++)
                again |= s->option[k] == s->option[j];
        }
        s->place[j] = j;
        s->rank[j] = j;
    }
    for (size_t j = 0; j < s->m; j++) {
        size_t k = j + below((unsigned)(s->m - j)), held = s->rank[j];
        if (s->option[s->rank[k]] < s->option[held] || below(3) == 0) {
            s->rank[j] = s->rank[k];
            s->rank[k] = held;
        }
    }
    s->ranked = below(5) == 0 ? 0 : s->m == 2 ? 1 : 1 + below(2);
}

static real utility(const screen *s, const real *at, size_t slot)
{
    return at[s->option[slot]] + (s->place[slot] ? at[K + s->place[slot] - 1] : 0);
}

static real log_of(const screen *s, const real *at)
{
    real mean = 0, value = 0, tie;
    for (size_t j = 0; j < s->m; j++)
        mean += at[s->option[j]] / (real)s->m;
    tie = at[D - 1] + mean;
    for (size_t i = 0; i < (s->ranked ? s->ranked : 1); i++) {
        real sum = i == 0 ? expl(tie) : 0;
        for (size_t j = i; j < s->m; j++)
            sum += expl(utility(s, at, s->rank[j]));
        value += (s->ranked ? utility(s, at, s->rank[i]) : tie) - logl(sum);
    }
    return value;
}

static real log_posterior(size_t n, const screen *s, const real *at, real sd)
{
    real value = -(real)K * logl(sd);
    for (size_t k = 0; k < D; k++) {
        real scale = k < K ? sd : k + 1 < D ? 0.5L : 2;
        value -= at[k] * at[k] / (2 * scale * scale);
    }
    for (size_t i = 0; i < n; i++)
        value += log_of(&s[i], at);
    return value;
}

static void tell(spar_standings *st, const screen *s)
{
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer))
        abort();
    if (s->ranked == 0)
        spar_answer_set_tie(answer);
    else if (s->ranked == 1)
        spar_answer_set_winner(answer, s->rank[0]);
    else
        (void)spar_answer_set_ranking(answer, s->ranked, s->rank, NULL, NULL);
    if (spar_standings_answer(st, s->m, s->option, s->place, answer, 1, 1, NULL))
        abort();
    spar_answer_free(answer);
}

static spar_standings *standings_of(size_t n, const screen *s)
{
    spar_standings *st = NULL;
    if (spar_standings_new(K, &st, NULL))
        abort();
    for (size_t i = 0; i < n; i++)
        tell(st, &s[i]);
    return st;
}

/* Newton's method along one coordinate after the other, with differences. */
static void by_coordinates(size_t n, const screen *s, real sd, real *at)
{
    real h = 1e-5L;
    for (int sweep = 0; sweep < 400; sweep++)
        for (size_t k = 0; k < D; k++) {
            real held = at[k], value[3];
            for (int side = 0; side < 3; side++) {
                at[k] = held + (side - 1) * h;
                value[side] = log_posterior(n, s, at, sd);
            }
            real slope = (value[2] - value[0]) / (2 * h), bend = (value[2] - 2 * value[1] + value[0]) / (h * h);
            at[k] = held - slope / bend;
        }
}

static void finds_the_mode(void)
{
    static screen s[MOST];
    real at[D] = {0}, mean = 0, worst = 0;
    for (size_t i = 0; i < MOST; i++)
        make_screen(&s[i]);
    spar_standings *st = standings_of(MOST, s);
    spar_standings_set_method(st, SPAR_STANDINGS_APPROXIMATE);
    (void)spar_standings_set_sd(st, 0.8, NULL);
    ok(spar_standings_compute(st, NULL) == SPAR_OK && spar_standings_is_approximate(st), "approximate standings");
    by_coordinates(MOST, s, 0.8L, at);
    for (size_t k = 0; k < K; k++)
        mean += at[k] / K;
    for (size_t k = 0; k < K; k++) {
        double strength;
        (void)spar_standings_strength(st, k, &strength, NULL, NULL);
        worst = fmaxl(worst, fabsl(strength - (at[k] - mean)));
    }
    for (size_t k = 0; k < D; k++)
        worst = fmaxl(worst, fabsl(st->mode.at[k] - at[k]));
    ok(worst < 1e-8, "the mode is that of another method, %.0Le", worst);
    spar_standings_free(st);
}

typedef struct moments {
    double mean[K], square[K], best[K], place, tie, sd;
} moments;

/* A random walk in all parameters and log sd, with prior half-normal of scale 2 for sd. */
static void random_walk(size_t n, const screen *s, size_t steps, moments *out)
{
    real at[D] = {0}, log_sd = 0, next[D], value = -INFINITY;
    uint64_t state = 88172645463325252u;
    *out = (moments){0};
    for (size_t t = 0; t < steps + steps / 10; t++) {
        real moved = log_sd, size = t % 3 ? 0.35L : 0.1L, noise = 0;
        for (size_t k = 0; k <= D; k++) {
            noise = -6;
            for (int i = 0; i < 12; i++) { /* about normal; the walk only needs symmetry */
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                noise += (real)(state >> 11) * 0x1p-53L;
            }
            if (k == D)
                moved += size * noise;
            else
                next[k] = at[k] + size * noise;
        }
        real sd = expl(moved), tried = log_posterior(n, s, next, sd) - sd * sd / 8 + moved;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (logl((real)(state >> 11) * 0x1p-53L + 1e-20L) < tried - value) {
            memcpy(at, next, sizeof at);
            log_sd = moved;
            value = tried;
        }
        if (t < steps / 10)
            continue;
        real mean = 0, part = 1 / (real)steps;
        size_t best = 0;
        for (size_t k = 0; k < K; k++) {
            mean += at[k] / K;
            best = at[k] > at[best] ? k : best;
        }
        for (size_t k = 0; k < K; k++) {
            out->mean[k] += (double)((at[k] - mean) * part);
            out->square[k] += (double)((at[k] - mean) * (at[k] - mean) * part);
        }
        out->best[best] += (double)part;
        out->place += (double)(at[K] * part);
        out->tie += (double)(expl(at[D - 1]) * part);
        out->sd += (double)(expl(log_sd) * part);
    }
}

static void samples_the_posterior(size_t answers, size_t steps, double off)
{
    static screen s[MOST];
    moments wanted;
    double worst = 0, place, tie, sd;
    for (size_t i = 0; i < answers; i++)
        make_screen(&s[i]);
    spar_standings *st = standings_of(answers, s);
    if (spar_standings_compute(st, NULL))
        abort();
    random_walk(answers, s, steps, &wanted);
    for (size_t k = 0; k < K; k++) {
        double mean, low, high, deviation = sqrt(wanted.square[k] - wanted.mean[k] * wanted.mean[k]);
        (void)spar_standings_strength(st, k, &mean, &low, &high);
        worst = fmax(worst, fabs(mean - wanted.mean[k]) / deviation);
        worst = fmax(worst, fabs((high - low) / (3.92 * deviation) - 1) / 3); /* heavier tails than the normal's */
        worst = fmax(worst, fabs(spar_standings_best(st, k) - wanted.best[k]));
    }
    (void)spar_standings_place(st, 1, &place, NULL, NULL);
    (void)spar_standings_tie(st, &tie, NULL, NULL);
    (void)spar_standings_spread(st, &sd, NULL, NULL);
    worst = fmax(worst, fabs(place - wanted.place));
    worst = fmax(worst, fabs(tie / wanted.tie - 1));
    worst = fmax(worst, fabs(sd / wanted.sd - 1));
    ok(worst < off, "%zu answers: the posterior is that of a random walk, %.3f", answers, worst);
    spar_standings_free(st);
}

/* Without answers the posterior is the prior: s is half-normal with scale 2. */
static void keeps_the_prior(void)
{
    double mean = 0, low = 0, high = 0, square = 0;
    for (size_t n = 3; n < 13; n++) {
        spar_standings *st = NULL;
        double x[3];
        if (spar_standings_new(n, &st, NULL) || spar_standings_compute(st, NULL))
            abort();
        (void)spar_standings_spread(st, &x[0], &x[1], &x[2]);
        mean += x[0] / 10;
        low += x[1] / 10;
        high += x[2] / 10;
        for (size_t i = 0; i < st->draws; i++) /* strengths against their mean, over s: chi-square of n - 1 */
            for (size_t k = 0; k < n; k++) {
                double z = st->draw[i * (n + 1) + k] / st->draw[i * (n + 1) + n];
                square += z * z / (double)(st->draws * 10 * (n - 1));
            }
        spar_standings_free(st);
    }
    near(mean, 2 * sqrt(2 / 3.14159265), 0.06, "the mean of s without answers");
    near(low, 2 * 0.03134, 0.03, "its lower end");
    near(high, 2 * 2.2414, 0.2, "its upper end");
    near(square, 1, 0.05, "strengths over s are standard normal");
}

static bool is_finite(const spar_standings *st)
{
    bool good = true;
    double sum = 0;
    for (size_t k = 0; k < spar_standings_options(st); k++) {
        double mean, low, high;
        good &= spar_standings_strength(st, k, &mean, &low, &high) == SPAR_OK;
        good &= isfinite(mean) && isfinite(low) && isfinite(high) && low <= high;
        good &= isfinite(spar_standings_loss(st, k)) && spar_standings_loss(st, k) >= 0;
        sum += spar_standings_best(st, k);
    }
    return good && (spar_standings_options(st) == 0 || fabs(sum - 1) < 1e-9);
}

/* n options; answers as text: "0>1 0>2 1=2 0>1>2 x". */
static spar_standings *from_text(size_t n, const char *text, uint64_t times)
{
    spar_standings *st = NULL;
    spar_answer *answer = NULL;
    if (spar_standings_new(n, &st, NULL) || spar_answer_new(&answer))
        abort();
    while (*text) {
        size_t m = 0, option[8], slot[8], level[8], at = 0;
        for (; *text && *text != ' '; text++) {
            if (*text == '>' || *text == '=') {
                at += *text == '>';
                continue;
            }
            option[m] = (size_t)(*text - '0');
            slot[m] = m;
            level[m++] = at;
        }
        if (spar_answer_set_ranking(answer, m, slot, level, NULL) ||
            spar_standings_answer(st, m, option, NULL, answer, 0, times, NULL))
            abort();
        text += *text == ' ';
    }
    spar_answer_free(answer);
    return st;
}

static void degenerate(void)
{
    static const struct {
        const char *what, *text;
        size_t n;
        uint64_t times;
    } logs[] = {{"no options", "", 0, 1},
                {"one option", "", 1, 1},
                {"no answers", "", 5, 1},
                {"one answer", "0>1", 3, 1},
                {"one that always wins", "0>1 0>2 0>3", 4, 1000000},
                {"nothing but ties", "0=1 1=2", 3, 500},
                {"two groups that never met", "0>1 2>3", 4, 100},
                {"a circle", "0>1 1>2 2>0", 3, 1000},
                {"shared levels", "0=1>2=3>4 0=2>1>3=4", 5, 100}};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        spar_standings *st = from_text(logs[i].n, logs[i].text, logs[i].times);
        for (int method = SPAR_STANDINGS_SAMPLED; method <= SPAR_STANDINGS_APPROXIMATE; method++) {
            spar_standings_set_method(st, (spar_standings_method)method);
            ok(spar_standings_compute(st, NULL) == SPAR_OK && is_finite(st), "%s: finite, method %d", logs[i].what,
               method);
        }
        double evidence = 0;
        size_t cycle[8], n = 0;
        ok(spar_standings_scale(st, &evidence, 8, cycle, &n, NULL) == SPAR_OK && isfinite(evidence),
           "%s: evidence is finite", logs[i].what);
        spar_standings_free(st);
    }
}

/* Few options that are about equal: the approximation must not take them for exactly equal. */
static void width(void)
{
    double low[2], high[2], mean;
    for (size_t n = 2; n <= 5; n++) {
        spar_standings *st = from_text(n, "0>1 1>0", 11);
        for (int method = SPAR_STANDINGS_SAMPLED; method <= SPAR_STANDINGS_APPROXIMATE; method++) {
            int i = method - SPAR_STANDINGS_SAMPLED;
            spar_standings_set_method(st, (spar_standings_method)method);
            if (spar_standings_compute(st, NULL) || spar_standings_strength(st, 0, &mean, &low[i], &high[i]))
                abort();
        }
        double ratio = (high[1] - low[1]) / (high[0] - low[0]);
        ok(ratio > 0.4 && ratio < 2, "%zu options, 11 to 11: the approximate interval is %.2f times the sampled one", n,
           ratio);
        spar_standings_free(st);
    }
}

static void statements(void)
{
    spar_standings *st = from_text(4, "0>1 0>1 0>1 1>2 1>2 1>2 2>1 0>2 0>2 3>0", 40);
    if (spar_standings_compute(st, NULL))
        abort();
    ok(spar_standings_leader(st) == 3 || spar_standings_leader(st) == 0, "the leader has the highest mean");
    near(spar_standings_before(st, 0, 2) + spar_standings_before(st, 2, 0), 1, 1e-12, "one is before the other");
    ok(spar_standings_before(st, 0, 2) > 0.99 && spar_standings_group(st, 2) > spar_standings_group(st, 0),
       "groups follow");
    (void)spar_standings_retire(st, 3, NULL);
    (void)spar_standings_compute(st, NULL);
    ok(spar_standings_best(st, 3) == 0 && spar_standings_leader(st) == 0 && spar_standings_group(st, 3) == (size_t)-1,
       "a retired option is not best");
    double low, high, mean[4], again[4];
    for (size_t k = 0; k < 4; k++)
        (void)spar_standings_strength(st, k, &mean[k], &low, &high);
    near(mean[0] + mean[1] + mean[2], 0, 1e-12, "strengths are against the average live option");
    spar_standings *other = from_text(4, "0>1 0>1 0>1 1>2 1>2 1>2 2>1 0>2 0>2 3>0", 40);
    spar_standings *twin = from_text(4, "0>1 0>1 0>1 1>2 1>2 1>2 2>1 0>2 0>2 3>0", 40);
    (void)spar_standings_compute(other, NULL);
    (void)spar_standings_compute(twin, NULL);
    bool same = true;
    for (size_t k = 0; k < 4; k++) {
        (void)spar_standings_strength(other, k, &mean[k], &low, &high);
        (void)spar_standings_strength(twin, k, &again[k], NULL, NULL);
        same &= mean[k] == again[k];
    }
    ok(same, "the same answers give the same numbers");
    ok(isnan(spar_standings_best(other, 4)) && spar_standings_strength(other, 4, mean, NULL, NULL) == SPAR_INVALID,
       "options out of range have no numbers");
    spar_standings_free(st);
    spar_standings_free(other);
    spar_standings_free(twin);
}

static void flat_prior(void)
{
    spar_standings *st = from_text(2, "0>1 0>1 0>1 1>0", 1);
    double mean[2];
    spar_error err;
    (void)spar_standings_set_sd(st, INFINITY, NULL);
    ok(spar_standings_compute(st, NULL) == SPAR_OK && spar_standings_is_approximate(st), "a flat prior");
    (void)spar_standings_strength(st, 0, &mean[0], NULL, NULL);
    (void)spar_standings_strength(st, 1, &mean[1], NULL, NULL);
    near(mean[0] - mean[1], log(3), 1e-12, "3 wins of 4 are log 3");
    spar_standings_free(st);
    st = from_text(3, "0>1 1>0 0>2", 1);
    (void)spar_standings_set_sd(st, INFINITY, NULL);
    ok(spar_standings_compute(st, &err) == SPAR_UNSUPPORTED && strstr(err.text, "bound"), "no bound: %s", err.text);
    spar_standings_free(st);
    st = from_text(4, "0>1 1>0 2>3 3>2", 1);
    (void)spar_standings_set_sd(st, INFINITY, NULL);
    ok(spar_standings_compute(st, &err) == SPAR_UNSUPPORTED, "nor where groups never met");
    spar_standings_free(st);
}

static void one_scale(void)
{
    spar_standings *st = from_text(4, "0>1 1>2 2>3 3>0 0>1 1>2 2>3 3>0 1>0", 40);
    double evidence = 0;
    size_t cycle[4] = {9, 9, 9, 9}, n = 0;
    (void)spar_standings_scale(st, &evidence, 4, cycle, &n, NULL);
    ok(evidence > log(20) && n == 4, "a circle of four is found: %.1f", evidence);
    for (size_t i = 0; i < 4; i++)
        ok(cycle[(i + 1) % 4] == (cycle[i] + 1) % 4, "and named in order");
    spar_standings_free(st);
    st = from_text(3, "0>1 0>1 1>0 1>2 1>2 2>1 0>2 0>2 0>2 2>0", 30);
    (void)spar_standings_scale(st, &evidence, 4, cycle, &n, NULL);
    ok(evidence < 0 && n == 0, "answers on one scale: %.1f", evidence);
    spar_standings_free(st);
}

/* The evidence of a short log, by the definition. */
static void evidence_by_hand(void)
{
    spar_standings *st = from_text(2, "0>1 0>1 1>0", 1);
    double evidence = 0, wanted = log(0.5) + log(1.5 / 2) + log(0.5 / 3) - (2 * log(2 / 3.0) + log(1 / 3.0));
    size_t cycle[2], n;
    (void)spar_standings_scale(st, &evidence, 2, cycle, &n, NULL);
    near(evidence, wanted, 1e-5, "evidence of three answers");
    spar_standings_free(st);
    st = from_text(3, "0>1>2", 1);
    (void)spar_standings_scale(st, &evidence, 2, cycle, &n, NULL);
    near(evidence, log(1 / 3.0) + log(0.5), 0.002, "a ranking is two bets made before the screen");
    spar_standings_free(st);
}

static void refuses(void)
{
    spar_standings *st = from_text(2, "0>1", 1);
    spar_answer *answer = NULL;
    spar_error err;
    size_t two[2] = {0, 1}, wrong[2] = {0, 2};
    if (spar_answer_new(&answer))
        abort();
    spar_answer_set_winner(answer, 1);
    ok(spar_standings_answer(st, 2, wrong, NULL, answer, 0, 1, &err) == SPAR_INVALID && strstr(err.text, "option 2"),
       "refused: %s", err.text);
    spar_answer_set_winner(answer, 2);
    ok(spar_standings_answer(st, 2, two, NULL, answer, 0, 1, &err) == SPAR_INVALID, "refused: %s", err.text);
    spar_answer_set_bad(answer);
    ok(spar_standings_answer(st, 2, two, NULL, answer, 0, 3, &err) == SPAR_OK && spar_standings_bad(st, 1) == 3 &&
           spar_standings_answers(st) == 1,
       "'bad' is counted apart");
    spar_answer_free(answer);
    spar_standings_free(st);
}

static void memory(void)
{
    bool clean = true;
    size_t k = 1;
    for (bool through = false; !through && k < 200; k++) {
        spar_standings *st = NULL;
        spar_answer *answer = NULL;
        size_t two[2] = {0, 1}, cycle[2], n;
        double evidence;
        if (spar_answer_new(&answer))
            abort();
        spar_answer_set_winner(answer, 1);
        spar__alloc_fail_at(k);
        spar_status status = spar_standings_new(2, &st, NULL);
        if (!status)
            status = spar_standings_answer(st, 2, two, two, answer, 1, 1, NULL);
        if (!status)
            spar_standings_set_method(st, SPAR_STANDINGS_APPROXIMATE);
        if (!status)
            status = spar_standings_compute(st, NULL);
        if (!status)
            status = spar_standings_scale(st, &evidence, 2, cycle, &n, NULL);
        spar__alloc_fail_at(0);
        through = !status;
        clean &= through || status == SPAR_NOMEM;
        spar_standings_free(st);
        spar_answer_free(answer);
    }
    ok(clean && k > 20, "each of %zu allocations fails once, cleanly", k - 2);
}

int main(void)
{
    finds_the_mode();
    samples_the_posterior(8, 250000, 0.12);
    samples_the_posterior(50, 150000, 0.12);
    keeps_the_prior();
    degenerate();
    width();
    statements();
    flat_prior();
    one_scale();
    evidence_by_hand();
    refuses();
    memory();
    return done();
}
