/* A list of choices against its answers one by one, and its derivatives against differences. */
#include "num/choices.h"

#include "base/alloc.h"

#include "tap.h"

#include <stdlib.h>

enum { OPTIONS = 5, PLACES = 4, MOST = 8, PARAMETERS = OPTIONS + PLACES - 1 + 1, ANSWERS = 300 };

static unsigned below(unsigned n)
{
    static uint32_t state = 11;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

typedef struct answer {
    spar__choice_answer choice;
    unsigned level[MOST];
    uint32_t option[MOST], place[MOST];
    bool placed;
    double weight;
} answer;

/* Levels without a gap. */
static void make_dense(unsigned *level, size_t m)
{
    for (unsigned next = 0; next < m; next++) {
        unsigned least = UINT32_MAX;
        for (size_t j = 0; j < m; j++)
            least = level[j] >= next && level[j] < least ? level[j] : least;
        for (size_t j = 0; j < m; j++)
            level[j] = level[j] == least ? next : level[j];
    }
}

static void make_answer(answer *a, bool placed, bool ties)
{
    size_t m = 2 + below(4);
    a->choice = (spar__choice_answer){SPAR__CHOICE_ORDER, m, a->level, ties && below(2)};
    a->placed = placed && below(3);
    a->weight = 0.5 * (1 + below(4));
    for (size_t j = 0; j < m; j++) {
        a->option[j] = below(OPTIONS);
        a->place[j] = below(PLACES);
        a->level[j] = below((unsigned)m);
    }
    make_dense(a->level, m);
    if (ties && below(5) == 0)
        a->choice.kind = SPAR__CHOICE_TIE;
    if (m > 2 && below(5) == 0) {
        a->choice.kind = SPAR__CHOICE_BEST_WORST;
        for (size_t j = 0; j < m; j++)
            a->level[j] = j == 1 ? 0 : j == 2 ? 2 : 1;
    }
}

static double one_by_one(size_t n, const answer *a, const spar__choice_space *space, const double *at)
{
    double value = 0, u[MOST + 1], work[3 * (MOST + 1)];
    for (size_t i = 0; i < n; i++) {
        size_t m = a[i].choice.m;
        double sum = 0;
        for (size_t j = 0; j < m; j++) {
            uint32_t place = a[i].placed ? a[i].place[j] : 0;
            sum += at[a[i].option[j]];
            u[j] = at[a[i].option[j]] + (place ? at[OPTIONS + place - 1] : 0);
        }
        u[m] = space->ties ? at[spar__choice_parameters(space) - 1] + sum / (double)m : 0;
        value += a[i].weight * spar__choice_value(&a[i].choice, u, NULL, NULL, work);
    }
    return value;
}

static double slope_error(const spar__choices *l, const spar__choice_space *space, double *at)
{
    size_t n = spar__choice_parameters(space);
    double gradient[PARAMETERS] = {0}, curvature[PARAMETERS * PARAMETERS] = {0}, worst = 0, h = 1e-4;
    spar__choices_slope(l, space, at, gradient, n, curvature);
    for (size_t i = 0; i < n; i++) {
        double held = at[i], up[PARAMETERS] = {0}, down[PARAMETERS] = {0}, value[2];
        for (size_t side = 0; side < 2; side++) {
            at[i] = side ? held - h : held + h;
            value[side] = spar__choices_value(l, space, at);
            spar__choices_slope(l, space, at, side ? down : up, 0, NULL);
        }
        at[i] = held;
        worst = fmax(worst, fabs((value[0] - value[1]) / (2 * h) - gradient[i]));
        for (size_t k = i; k < n; k++)
            worst = fmax(worst, fabs((down[k] - up[k]) / (2 * h) - curvature[i * n + k]));
    }
    return worst;
}

static void follows(const char *what, bool placed, bool ties)
{
    static answer a[ANSWERS];
    spar__choices l = {0};
    spar__choice_space space = {OPTIONS, placed ? PLACES : 0, ties};
    double at[PARAMETERS], none[PARAMETERS] = {0}, worst = 0; /* a pair of the same option is left out: a constant */
    for (size_t i = 0; i < ANSWERS; i++) {
        make_answer(&a[i], placed, ties);
        if (spar__choices_reserve(&l, a[i].choice.m, 1))
            abort();
        spar__choices_add(&l, &a[i].choice, a[i].option, a[i].placed ? a[i].place : NULL, a[i].weight, false);
    }
    for (size_t t = 0; t < 5; t++) {
        for (size_t i = 0; i < PARAMETERS; i++)
            at[i] = below(2000) / 500.0 - 2;
        double got = spar__choices_value(&l, &space, at) - spar__choices_value(&l, &space, none);
        double wanted = one_by_one(ANSWERS, a, &space, at) - one_by_one(ANSWERS, a, &space, none);
        worst = fmax(worst, fabs(got / wanted - 1));
    }
    ok(worst < 1e-13, "%s: the value is that of the answers one by one, %.0e", what, worst);
    worst = slope_error(&l, &space, at);
    ok(worst < 1e-4, "%s: gradient and curvature are those of the value, %.0e", what, worst);
    spar__choices_fini(&l);
}

static void merges(void)
{
    static const unsigned first[3] = {0, 1, 1}, second[2] = {1, 0};
    spar__choices l = {0}, joined = {0};
    if (spar__choices_reserve(&l, 3, 4))
        abort();
    spar__choice_answer three = {SPAR__CHOICE_ORDER, 3, first, false}, two = {SPAR__CHOICE_ORDER, 2, second, false};
    spar__choices_add(&l, &three, (const uint32_t[]){4, 2, 1}, NULL, 1, false);
    spar__choices_add(&l, &three, (const uint32_t[]){4, 1, 2}, NULL, 2, false);
    spar__choices_add(&l, &two, (const uint32_t[]){3, 1}, NULL, 1, false);
    spar__choices_add(&l, &two, (const uint32_t[]){1, 3}, NULL, 0.5, false);
    ok(l.stages == 1 && l.weight[0] == 3, "equal choices are kept once");
    ok(l.pairs == 1 && l.a[0] == 1 && l.won[0] == 1 && l.lost[0] == 0.5, "and so are pairs");
    for (int i = 0; i < 2; i++) {
        if (spar__choices_reserve_join(&joined, &l, 0))
            abort();
        spar__choices_join(&joined, &l);
    }
    ok(joined.stages == 1 && joined.weight[0] == 6 && joined.pairs == 1 && joined.lost[0] == 1, "lists are joined");
    spar__choices_clear(&joined);
    ok(joined.stages == 0 && joined.pairs == 0, "and cleared");
    spar__choices_fini(&l);
    spar__choices_fini(&joined);
}

/* Split levels: each from what is left without the others, and the curvature is never negative. */
static void splits(void)
{
    static const unsigned level[4] = {0, 0, 1, 1};
    static const uint32_t option[4] = {0, 1, 2, 3};
    spar__choices l = {0};
    spar__choice_space space = {4, 0, false};
    double at[4] = {0.5, -1, 0.25, 2};
    if (spar__choices_reserve(&l, 4, 1))
        abort();
    spar__choice_answer c = {SPAR__CHOICE_ORDER, 4, level, false};
    spar__choices_add(&l, &c, option, NULL, 1, true);
    double rest = exp(at[2]) + exp(at[3]);
    near(spar__choices_value(&l, &space, at), at[0] - log(exp(at[0]) + rest) + at[1] - log(exp(at[1]) + rest), 1e-14,
         "tied slots may be split");
    spar__choices_fini(&l);
}

static void wide_screens(void)
{
    enum { WIDE = 700 };
    static unsigned level[WIDE];
    static uint32_t option[WIDE];
    static double at[WIDE];
    spar__choices l = {0};
    spar__choice_space space = {WIDE, 0, false};
    double sum = 0;
    for (uint32_t j = 0; j < WIDE; j++) {
        level[j] = j != 3;
        option[j] = j;
        at[j] = 1e-3 * j;
        sum += exp(at[j]);
    }
    if (spar__choices_reserve(&l, WIDE, 1))
        abort();
    spar__choice_answer c = {SPAR__CHOICE_ORDER, WIDE, level, false};
    spar__choices_add(&l, &c, option, NULL, 2, false);
    near(spar__choices_value(&l, &space, at), 2 * (at[3] - log(sum)), 1e-11, "the best of 700");
    spar__choices_fini(&l);
}

static void saves(void)
{
    static answer a[ANSWERS];
    spar__choices l = {0}, again = {0};
    spar__choice_space space = {OPTIONS, PLACES, true};
    double at[PARAMETERS] = {0.1, 0.2, -0.4, 1, 0.3, 0.1, 0.1, -0.2, -1};
    for (size_t i = 0; i < 40; i++) {
        make_answer(&a[i], true, true);
        if (spar__choices_reserve(&l, a[i].choice.m, 1))
            abort();
        spar__choices_add(&l, &a[i].choice, a[i].option, a[i].placed ? a[i].place : NULL, a[i].weight, false);
    }
    spar__archive out = {0};
    spar__choices_archive(&l, &out, OPTIONS, PLACES);
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    spar__choices_archive(&again, &in, OPTIONS, PLACES);
    ok(!in.failed && in.left == 0 && spar__choices_value(&l, &space, at) == spar__choices_value(&again, &space, at),
       "saves and loads");
    size_t accepted = 0;
    for (size_t cut = 0; cut < out.out.length; cut++) {
        in = (spar__archive){.loading = true, .in = (const unsigned char *)out.out.text, .left = cut};
        spar__choices_archive(&again, &in, OPTIONS, PLACES);
        accepted += !in.failed;
    }
    in = (spar__archive){.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    spar__choices_archive(&again, &in, OPTIONS - 1, PLACES);
    ok(accepted == 0 && in.failed, "what is cut short or names other options is refused");
    spar__buf_free(&out.out);
    spar__choices_fini(&l);
    spar__choices_fini(&again);
}

int main(void)
{
    follows("plain", false, false);
    follows("places", true, false);
    follows("ties", false, true);
    follows("places and ties", true, true);
    merges();
    splits();
    wide_screens();
    saves();
    return done();
}
