/* Choices against the law written out: every order of the slots is gone through, in long double. */
#include "num/choice.h"

#include "tap.h"

#include <stdint.h>
#include <stdlib.h>

typedef long double real;

enum { MOST = 8, WIDE = MOST + 1 };

static double noise(void) /* in (-1, 1) */
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 23) - 1;
}

/* The probability that the slots are chosen in the order of `order`, the first n of them. */
static real chain(size_t m, const real *u, size_t n, const size_t *order, bool tie)
{
    real p = 1;
    for (size_t i = 0; i < n; i++) {
        real sum = tie && i == 0 ? expl(u[m]) : 0;
        for (size_t j = 0; j < m; j++) {
            bool gone = false;
            for (size_t k = 0; k < i; k++)
                gone |= order[k] == j;
            sum += gone ? 0 : expl(u[j]);
        }
        p *= expl(u[order[i]]) / sum;
    }
    return p;
}

/* Adds up all orders that agree with the levels. */
static real all_orders(const spar__choice_answer *c, const real *u, size_t n, size_t done, size_t *order)
{
    if (done == n)
        return chain(c->m, u, n, order, c->may_tie);
    real sum = 0;
    unsigned least = UINT32_MAX;
    for (size_t j = 0; j < c->m; j++) {
        bool gone = false;
        for (size_t k = 0; k < done; k++)
            gone |= order[k] == j;
        if (!gone && c->level[j] < least)
            least = c->level[j];
    }
    for (size_t j = 0; j < c->m; j++) {
        bool gone = c->level[j] != least;
        for (size_t k = 0; k < done; k++)
            gone |= order[k] == j;
        order[done] = j;
        if (!gone)
            sum += all_orders(c, u, n, done + 1, order);
    }
    return sum;
}

static real best_worst(const spar__choice_answer *c, const real *u)
{
    real sum = c->may_tie ? expl(u[c->m]) : 0, p = 1, rest = 0;
    for (size_t j = 0; j < c->m; j++)
        sum += expl(u[j]);
    for (size_t j = 0; j < c->m; j++)
        p *= c->level[j] == 0 ? expl(u[j]) / sum : 1;
    for (size_t j = 0; j < c->m; j++)
        rest += c->level[j] == 0 ? 0 : expl(-u[j]);
    for (size_t j = 0; j < c->m; j++)
        p *= c->level[j] == 2 ? expl(-u[j]) / rest : 1;
    return p;
}

static real by_the_book(const spar__choice_answer *c, const real *u)
{
    real sum = expl(u[c->m]);
    for (size_t j = 0; j < c->m; j++)
        sum += expl(u[j]);
    if (c->kind == SPAR__CHOICE_TIE)
        return u[c->m] - logl(sum);
    if (c->kind == SPAR__CHOICE_BEST_WORST)
        return logl(best_worst(c, u));
    size_t n = 0, order[MOST] = {0};
    unsigned last = 0;
    for (size_t j = 0; j < c->m; j++)
        last = c->level[j] > last ? c->level[j] : last;
    for (size_t j = 0; j < c->m; j++)
        n += c->level[j] < last;
    return logl(all_orders(c, u, n, 0, order));
}

static real at(const spar__choice_answer *c, const double *u, size_t j, real dj, size_t k, real dk)
{
    real moved[WIDE];
    for (size_t i = 0; i <= c->m; i++)
        moved[i] = u[i];
    moved[j] += dj;
    moved[k] += dk;
    return by_the_book(c, moved);
}

/* The worst difference of value, gradient and curvature; the latter by differences of fourth and second order. */
static double worst_of(const spar__choice_answer *c, const double *u)
{
    size_t width = c->m + 1;
    double gradient[WIDE], curvature[WIDE * WIDE], work[3 * WIDE], alone;
    double value = spar__choice_value(c, u, gradient, curvature, work);
    real h = 1e-4L, worst = fabsl(value - at(c, u, 0, 0, 0, 0));
    alone = spar__choice_value(c, u, NULL, NULL, work);
    for (size_t j = 0; j < width; j++) {
        real slope = (8 * (at(c, u, j, h, j, 0) - at(c, u, j, -h, j, 0)) -
                      (at(c, u, j, 2 * h, j, 0) - at(c, u, j, -2 * h, j, 0))) /
                     (12 * h);
        worst = fmaxl(worst, fabsl(slope - gradient[j]));
        for (size_t k = 0; k < width; k++) {
            real bend =
                (at(c, u, j, h, k, h) - at(c, u, j, h, k, -h) - at(c, u, j, -h, k, h) + at(c, u, j, -h, k, -h)) /
                (4 * h * h);
            worst = fmaxl(worst, 0.01L * fabsl(bend + curvature[j * width + k]));
        }
    }
    return alone == value ? (double)worst : INFINITY;
}

static void follows(const char *what, spar__choice_kind kind, size_t m, bool may_tie, const unsigned *level)
{
    double worst = 0, u[WIDE];
    spar__choice_answer c = {kind, m, level, may_tie};
    for (int t = 0; t < 20; t++) {
        for (size_t j = 0; j <= m; j++)
            u[j] = 3 * noise();
        worst = fmax(worst, worst_of(&c, u));
    }
    ok(worst < 1e-9, "%s: value, gradient and curvature within %.0e", what, worst);
}

/* The probabilities of all answers add up to 1. */
static void adds_up(void)
{
    enum { M = 4 };
    double sum = 0, worst = 0, u[M + 1], work[3 * (M + 1)], pick = 0;
    for (size_t j = 0; j <= M; j++)
        u[j] = 2 * noise();
    for (size_t code = 0; code < 256; code++) {
        unsigned level[M], seen = 0;
        for (size_t j = 0; j < M; j++) {
            level[j] = (unsigned)(code >> (2 * j)) & 3;
            seen |= 1u << level[j];
        }
        spar__choice_answer c = {SPAR__CHOICE_ORDER, M, level, true};
        sum += seen == 15 ? exp(spar__choice_value(&c, u, NULL, NULL, work)) : 0;
    }
    spar__choice_answer tie = {SPAR__CHOICE_TIE, M, NULL, true};
    sum += exp(spar__choice_value(&tie, u, NULL, NULL, work));
    worst = fabs(sum - 1);
    for (size_t best = 0; best < M; best++)
        for (size_t last = 0; last < M; last++) {
            unsigned level[M] = {1, 1, 1, 1};
            level[best] = 0;
            level[last] = 2;
            spar__choice_answer c = {SPAR__CHOICE_BEST_WORST, M, level, false};
            pick += best == last ? 0 : exp(spar__choice_value(&c, u, NULL, NULL, work));
        }
    worst = fmax(worst, fabs(pick - 1));
    ok(worst < 1e-14, "the probabilities of all answers add up to 1: %.0e", worst);
}

/* On a large screen the tied are left out of each other's choice. */
static void large_screens(void)
{
    static const unsigned tied[8] = {0, 0, 1, 1, 1, 1, 1, 1};
    double u[9], work[27], whole = 0, rest = 0;
    for (size_t j = 0; j <= 8; j++)
        u[j] = noise();
    for (size_t j = 2; j < 8; j++)
        rest += exp(u[j]);
    whole = u[0] - log(rest + exp(u[0]) + exp(u[8])) + u[1] - log(rest + exp(u[1]));
    spar__choice_answer c = {SPAR__CHOICE_ORDER, 8, tied, true};
    near(spar__choice_value(&c, u, NULL, NULL, work), whole, 1e-13, "eight slots, two of them tied");
}

static void extremes(void)
{
    static const unsigned level[3] = {0, 1, 1};
    static const double u[4] = {-1000, 800, -1000, 0};
    double gradient[4], curvature[16], work[12];
    spar__choice_answer c = {SPAR__CHOICE_ORDER, 3, level, true};
    double value = spar__choice_value(&c, u, gradient, curvature, work);
    ok(value == -1800 && gradient[0] == 1 && gradient[1] == -1, "utilities far apart: no overflow");
    double share[2] = {1e300, 1e300};
    near(spar__choice_shares(2, share, share), 1e300, 0, "huge utilities");
    ok(share[0] == 0.5 && share[1] == 0.5, "have equal shares");
}

int main(void)
{
    follows("a pair", SPAR__CHOICE_ORDER, 2, false, (const unsigned[]){1, 0});
    follows("a pair that could tie", SPAR__CHOICE_ORDER, 2, true, (const unsigned[]){0, 1});
    follows("a pair that did", SPAR__CHOICE_TIE, 2, true, NULL);
    follows("the best of four", SPAR__CHOICE_ORDER, 4, true, (const unsigned[]){1, 1, 0, 1});
    follows("a tie of four", SPAR__CHOICE_TIE, 4, true, NULL);
    follows("a ranking of five", SPAR__CHOICE_ORDER, 5, false, (const unsigned[]){4, 2, 0, 3, 1});
    follows("the first two of five", SPAR__CHOICE_ORDER, 5, true, (const unsigned[]){2, 1, 2, 2, 0});
    follows("two tied at the top", SPAR__CHOICE_ORDER, 4, true, (const unsigned[]){0, 1, 0, 2});
    follows("three tied in the middle of six", SPAR__CHOICE_ORDER, 6, true, (const unsigned[]){1, 2, 1, 0, 1, 2});
    follows("two and two tied", SPAR__CHOICE_ORDER, 6, false, (const unsigned[]){0, 2, 1, 0, 1, 2});
    follows("five of six tied", SPAR__CHOICE_ORDER, 6, true, (const unsigned[]){0, 0, 0, 1, 0, 0});
    follows("best and worst", SPAR__CHOICE_BEST_WORST, 4, false, (const unsigned[]){1, 2, 0, 1});
    follows("best and worst of two", SPAR__CHOICE_BEST_WORST, 2, true, (const unsigned[]){2, 0});
    adds_up();
    large_screens();
    extremes();
    return done();
}
