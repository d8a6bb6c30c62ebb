/* ways.h - the states in which the ways to the best arm are tested, a few and many draws each. */
#ifndef SPAR_TESTS_POSTERIOR_BETA_WAYS_H
#define SPAR_TESTS_POSTERIOR_BETA_WAYS_H

#include "posterior/beta/states.h"

/* Two arms, 16 and 64: the lazy way. */
static const state few_states[] = {
    {"two fresh arms", 1, {{1, 1, 2}}},
    {"two arms", 2, {{30, 12, 1}, {11, 9, 1}}},
    {"early", 6, {{3, 1, 2}, {2, 2, 4}, {1, 3, 3}, {1, 1, 5}, {5, 2, 1}, {1, 2, 1}}},
    {"middle", 6, {{80, 40, 1}, {40, 30, 3}, {20, 22, 5}, {9, 12, 4}, {3, 8, 2}, {70, 41, 1}}},
    {"late", 5, {{40000, 39000, 1}, {160, 210, 4}, {60, 90, 5}, {30, 52, 4}, {12, 25, 2}}},
    {"two near leaders", 4, {{5000, 4000, 1}, {4990, 4012, 1}, {100, 140, 7}, {20, 40, 7}}},
    {"equal arms", 1, {{12, 9, 16}}},
    {"skewed counts", 5, {{900, 1, 1}, {1, 900, 3}, {450, 3, 1}, {1, 1, 6}, {2, 1, 5}}},
    {"a rival well known", 2, {{60, 40, 1}, {50000, 50000, 1}}}, /* 1e-3 of S_L is 1/30 of the rival's share */
    {"64 arms", 4, {{700, 600, 1}, {60, 55, 13}, {20, 20, 20}, {5, 6, 30}}},
};

/* More: the ladder. */
static const state many_states[] = {
    {"65 arms", 4, {{700, 600, 1}, {60, 55, 14}, {20, 20, 20}, {5, 6, 30}}},
    {"100 fresh arms", 1, {{1, 1, 100}}},
    {"1000 early", 4, {{1, 1, 700}, {2, 1, 150}, {1, 2, 140}, {3, 1, 10}}},
    {"1000 in the middle", 6, {{90, 20, 2}, {60, 15, 10}, {20, 9, 88}, {5, 5, 500}, {2, 8, 300}, {1, 1, 100}}},
    {"1000 late", 5, {{300000, 200000, 1}, {500, 420, 9}, {120, 110, 190}, {40, 50, 500}, {20, 35, 300}}},
    {"1000 near leaders", 4, {{9000, 5000, 1}, {8960, 5001, 1}, {600, 350, 8}, {50, 60, 990}}},
    {"1000 of no whole counts", 4, {{4.5, 1.5, 40}, {8, 4.5, 60}, {1, 4.5, 500}, {1, 1, 400}}},
    {"1000, the leaders amid the others", 4, {{500, 600, 600}, {8960, 5001, 1}, {9000, 5000, 1}, {590, 600, 398}}},
    {"many rivals well known", 2, {{90, 30, 1}, {40000, 26000, 99}}},
    {"a million fresh", 1, {{1, 1, 1000000}}},
    {"a million", 5, {{1, 1, 900000}, {2, 1, 60000}, {1, 2, 39990}, {7, 1, 9}, {4, 1, 1}}},
};

enum { FEW_STATES = sizeof few_states / sizeof *few_states, MANY_STATES = sizeof many_states / sizeof *many_states };

static void check_state(const state *s, size_t draws)
{
    static double p[MOST_KINDS];
    belief b = state_belief(s);
    state_law(s, 4000, p);
    fit f = state_fit(s, &b, p, draws);
    ok(fits(f), "%s: arms %.1f, pairs of slots %.1f sigma in %g draws", s->name, f.arms, f.pairs, (double)draws);
    belief_close(&b);
}

/* What the slots of screens of different arms show: kinds of the first two and of the last two, and the arm of
 * the last. */
typedef struct screen_counts {
    double front[CLASSES * CLASSES], back[CLASSES * CLASSES], last[MOST_KINDS];
    bool distinct;
} screen_counts;

static void count_screens(const state *s, belief *b, size_t screens, screen_counts *out)
{
    static double p[MOST_KINDS];
    cells c = make_cells(s, p); /* for its classes */
    size_t arm[SLOTS], n = c.classes, slots = state_arms(s) < SLOTS ? 2 : SLOTS;
    memset(out, 0, sizeof *out);
    out->distinct = true;
    for (size_t t = 0; t < screens; t++) {
        if (b->self->cls->best_distinct(b->self, b->scratch, &b->rng, slots, arm))
            abort();
        out->front[c.class[arm[0]] * n + c.class[arm[1]]]++;
        out->back[c.class[arm[slots - 2]] * n + c.class[arm[slots - 1]]]++;
        out->last[arm[slots - 1]]++;
        for (size_t j = 1; j < slots; j++)
            for (size_t k = 0; k < j; k++)
                out->distinct &= arm[j] != arm[k];
    }
    free(c.cell);
    free(c.class);
    free(c.law);
}

/* Different arms: the ways against drawing every arm for each slot. */
static void check_distinct(const state *s, bool expected, size_t screens)
{
    static screen_counts fast, slow;
    belief b = state_belief_for(s, expected);
    count_screens(s, &b, 4 * screens, &fast);
    spar__beta_plain(b.self, true);
    count_screens(s, &b, screens, &slow);
    double front = same_sigma(CLASSES * CLASSES, fast.front, slow.front);
    double back = same_sigma(CLASSES * CLASSES, fast.back, slow.back),
           last = same_sigma(MOST_KINDS, fast.last, slow.last);
    ok(fast.distinct && slow.distinct && front < 5 && back < 5 && last < 5,
       "%s, different arms%s: first two %.1f, last two %.1f, last %.1f sigma", s->name, expected ? ", expected" : "",
       front, back, last);
    belief_close(&b);
}

/* A state that was reached by single wins and losses, in whatever order, from the thresholds found on the way. */
static void check_walk(const state *s, size_t draws)
{
    static double p[MOST_KINDS];
    size_t n = state_arms(s), left = n, steps = 0;
    belief b = plain_arms("beta", n);
    double *wins = calloc(n, sizeof *wins), *losses = calloc(n, sizeof *losses);
    size_t *open = calloc(n, sizeof *open);
    if (!wins || !losses || !open)
        abort();
    for (size_t g = 0, i = 0; g < s->kinds; g++)
        for (size_t k = 0; k < s->kind[g].count; k++, i++) {
            wins[i] = s->kind[g].a - 1;
            losses[i] = s->kind[g].b - 1;
            open[i] = i;
        }
    while (left) {
        size_t at = (size_t)spar_rng_below(&b.rng, left), i = open[at];
        bool win = spar_rng_uniform(&b.rng) * (wins[i] + losses[i]) < wins[i];
        if (wins[i] + losses[i] > 0) {
            tell(&b, i, win, !win);
            b.self->cls->settle(b.self);
            *(win ? &wins[i] : &losses[i]) -= 1;
            steps++;
        } else {
            open[at] = open[--left];
        }
    }
    state_law(s, 4000, p);
    fit f = state_fit(s, &b, p, draws);
    ok(fits(f), "%s, after %zu steps: arms %.1f, pairs of slots %.1f sigma in %g draws", s->name, steps, f.arms,
       f.pairs, (double)draws);
    free(open);
    free(wins);
    free(losses);
    belief_close(&b);
}

/* Up to 64 arms, at thresholds that are not the best: every branch is taken. */
static void check_thresholds(const state *s, size_t draws)
{
    static double p[MOST_KINDS];
    static const double levels[] = {-20, -3, -0.7, -0.2, -0.02};
    belief b = state_belief(s);
    state_law(s, 4000, p);
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        double c = 1 / (1 + exp(-where(s, levels[k])));
        spar__beta_threshold(b.self, c);
        fit f = state_fit(s, &b, p, draws);
        ok(fits(f), "%s, threshold %.4g: arms %.1f, pairs of slots %.1f sigma in %g draws", s->name, c, f.arms, f.pairs,
           (double)draws);
    }
    belief_close(&b);
}

#endif
