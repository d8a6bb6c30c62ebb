/* validity.h - how often a false statement is made when one looks after every answer: simulated people and display
 * policies, no part of the library but the decision.
 *
 * False is: an option declared best that is not better than every other live one (best); the best option going out
 * (lost); a 'practically best' that is worse than some other by more than eps (practical); 'equal' where two in the
 * running differ by more than eps (equal); an interval that does not hold the true share (interval). */
#ifndef SPAR_TESTS_DECIDE_VALIDITY_H
#define SPAR_TESTS_DECIDE_VALIDITY_H

#include "decide/decide.h"

#include "num/elementary.h"
#include "sampler/rng.h"
#include "tap.h"

#include <string.h>

enum { MOST = 20, SLOTS = 4 };

typedef struct sim_setting {
    size_t k, m;
    enum { EQUAL, TWO_BEST, CYCLE, ONE_BEST } truth;
    enum { WINNER, RANKING, PAIRS } answer;
    enum { UNIFORM, HOSTILE, GREEDY } display;
    double place;       /* log-odds by which the first place gains */
    double come_and_go; /* chance of an added and of a retired option, each screen */
} sim_setting;

typedef struct outcome_rates {
    double best, lost, practical, equal, interval;
    size_t runs, decided;
} outcome_rates;

/* One run: who is alive and how strong they are. */
typedef struct sim_run {
    const sim_setting *p;
    spar_decision *d;
    spar_rng rng;
    size_t n;
    bool alive[MOST];
    double strength[MOST];
} sim_run;

/* P(a before b) without place effects. */
static double chance(const sim_run *x, size_t a, size_t b)
{
    if (x->p->truth == CYCLE && a < x->p->k && b < x->p->k)
        return (a + 1) % x->p->k == b ? 0.7 : (b + 1) % x->p->k == a ? 0.3 : 0.5;
    return spar__logistic(x->strength[a] - x->strength[b]);
}

static void set(unsigned char *outcome, size_t m, size_t j, size_t k)
{
    outcome[j * m + k] = 3;
    outcome[k * m + j] = 1;
}

/* One after another, from what is left, by strength (Plackett-Luce); in a cycle the first duel decides. */
static void rank_slots(sim_run *x, size_t m, const size_t *arm, size_t *order)
{
    double worth[SLOTS];
    for (size_t j = 0; j < m; j++) {
        double place = j == 0 ? x->p->place : 0;
        worth[j] = x->strength[arm[j]] + place - spar__log(-spar__log(spar_rng_uniform(&x->rng) + 1e-300));
        order[j] = j;
    }
    for (size_t j = 1; j < m; j++)
        for (size_t k = j; k > 0 && worth[order[k]] > worth[order[k - 1]]; k--) {
            size_t t = order[k];
            order[k] = order[k - 1];
            order[k - 1] = t;
        }
}

static void answer(sim_run *x, size_t m, const size_t *arm, unsigned char *outcome)
{
    size_t order[SLOTS];
    memset(outcome, 0, m * m);
    if (x->p->truth == CYCLE || x->p->answer == PAIRS) {
        for (size_t j = 0; j < m; j += 2) /* disjoint pairs */
            if (j + 1 < m) {
                bool first = spar_rng_uniform(&x->rng) < chance(x, arm[j], arm[j + 1]);
                set(outcome, m, first ? j : j + 1, first ? j + 1 : j);
            }
        return;
    }
    rank_slots(x, m, arm, order);
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++)
            if (j == 0 || x->p->answer == RANKING)
                set(outcome, m, order[j], order[k]);
}

/* How tempting it is to show an option: hostile policies stop showing those that are behind the one that leads most
 * clearly, greedy ones show those with the most wins. */
static double appeal(const sim_run *x, size_t i)
{
    const spar__evidence *ev = &x->d->evidence;
    if (x->p->display == GREEDY)
        return (ev->option[i].won + 1) / (ev->option[i].won + ev->option[i].lost + 2);
    double most = 0;
    for (size_t j = 0; j < x->n; j++)
        most = fmax(most, spar__evidence_against(ev, j, i).log_e);
    return most < 1 ? 1 : 0.001;
}

static size_t screen(sim_run *x, size_t *arm)
{
    size_t order[MOST], live = 0;
    double key[MOST];
    for (size_t i = 0; i < x->n; i++)
        if (x->alive[i]) {
            double weight = x->p->display == UNIFORM ? 1 : x->p->display == HOSTILE ? appeal(x, i) : 1;
            key[i] = x->p->display == GREEDY ? -appeal(x, i) - 0.1 * spar_rng_uniform(&x->rng)
                                             : -spar__log(spar_rng_uniform(&x->rng) + 1e-300) / weight;
            size_t at = live++;
            for (; at > 0 && key[order[at - 1]] > key[i]; at--)
                order[at] = order[at - 1];
            order[at] = i;
        }
    size_t m = x->p->m < live ? x->p->m : live;
    spar_rng_shuffle(&x->rng, order, m);
    memcpy(arm, order, m * sizeof *arm);
    return m;
}

/* By how much a is better than b, in log-odds. */
static double better_by(const sim_run *x, size_t a, size_t b)
{
    double p = chance(x, a, b);
    return p == 0.5 ? 0 : spar__log(p / (1 - p));
}

static bool is_best(const sim_run *x, size_t i, double slack)
{
    for (size_t j = 0; j < x->n; j++)
        if (j != i && x->alive[j] && better_by(x, i, j) <= slack)
            return false;
    return true;
}

static bool at_least_as_good(const sim_run *x, size_t i)
{
    for (size_t j = 0; j < x->n; j++)
        if (j != i && x->alive[j] && better_by(x, i, j) < 0)
            return false;
    return true;
}

static bool false_equal(const sim_run *x)
{
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < x->n; j++)
            if (i != j && spar_decision_in_running(x->d, i) && spar_decision_in_running(x->d, j) &&
                better_by(x, i, j) < -x->d->evidence.eps)
                return true;
    return false;
}

static bool interval_is_false(const sim_run *x)
{
    double low, high;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < i; j++) {
            double p = chance(x, i, j);
            (void)spar_decision_interval(x->d, i, j, 0, &low, &high);
            if (p < low || p > high)
                return true;
        }
    return false;
}

/* What is false now; the flags stay set for the rest of the run. */
static void judge(const sim_run *x, bool intervals, outcome_rates *seen)
{
    size_t best = spar__evidence_best(&x->d->evidence), near = spar__evidence_practical(&x->d->evidence);
    if (best != SPAR_NO_OPTION) {
        seen->decided = 1;
        seen->best = !is_best(x, best, 0) ? 1 : seen->best;
    }
    if (near != SPAR_NO_OPTION && !is_best(x, near, -x->d->evidence.eps - 1e-12))
        seen->practical = 1;
    if (x->alive[0] && at_least_as_good(x, 0) && !spar_decision_in_running(x->d, 0))
        seen->lost = 1;
    if (spar__evidence_equal(&x->d->evidence) && false_equal(x))
        seen->equal = 1;
    if (intervals && x->p->place == 0 && interval_is_false(x))
        seen->interval = 1;
}

static void change_options(sim_run *x)
{
    size_t i = 1 + spar_rng_below(&x->rng, x->n - 1), live = 0;
    for (size_t j = 0; j < x->n; j++)
        live += x->alive[j];
    if (x->n < MOST && spar_rng_uniform(&x->rng) < x->p->come_and_go) {
        x->strength[x->n] = x->strength[spar_rng_below(&x->rng, x->n)]; /* as good as some other */
        x->alive[x->n++] = true;
        (void)spar_decision_add(x->d, NULL, NULL);
    }
    if (live > 2 && x->alive[i] && spar_rng_uniform(&x->rng) < x->p->come_and_go) {
        x->alive[i] = false;
        (void)spar_decision_retire(x->d, i, NULL);
    }
}

static outcome_rates run(const sim_setting *p, size_t screens, uint64_t seed, size_t number)
{
    sim_run x = {.p = p, .n = p->k};
    outcome_rates seen = {0};
    spar_decision_settings settings = {.size = sizeof settings, .live = p->come_and_go > 0};
    spar_rng_seed(&x.rng, seed, number, 14);
    (void)spar_decision_new(p->k, &settings, &x.d, NULL);
    for (size_t i = 0; i < p->k; i++) {
        x.alive[i] = true;
        x.strength[i] = p->truth == EQUAL || i < (p->truth == TWO_BEST ? 2 : 1) ? 0 : -0.5;
    }
    for (size_t t = 0; t < screens; t++) {
        size_t arm[SLOTS], m = screen(&x, arm);
        unsigned char outcome[SLOTS * SLOTS];
        answer(&x, m, arm, outcome);
        spar_ballot ballot = {.size = sizeof ballot, .m = m, .option = arm, .outcome = outcome};
        (void)spar_decision_answer(x.d, &ballot, NULL);
        judge(&x, t % 500 == 499, &seen);
        if (p->come_and_go > 0)
            change_options(&x);
    }
    spar_decision_free(x.d);
    return seen;
}

static bool within(double share, size_t runs)
{
    const double delta = 0.05; /* one-sided, 99 % */
    return share <= delta + 2.33 * sqrt(delta * (1 - delta) / (double)runs);
}

/* One cell of the table: every kind of false statement at most delta, each one-sided at 99 %. */
__attribute__((unused)) static void validity_cell(const char *name, const sim_setting *p, size_t runs, size_t screens)
{
    outcome_rates sum = {0};
    for (size_t r = 0; r < runs; r++) {
        outcome_rates one = run(p, screens, 20, r);
        sum.best += one.best, sum.lost += one.lost, sum.practical += one.practical, sum.equal += one.equal;
        sum.interval += one.interval, sum.decided += one.decided;
    }
    double n = (double)runs, best = sum.best / n, lost = sum.lost / n, near_best = sum.practical / n;
    bool good = within(best, runs) && within(lost, runs) && within(near_best, runs) && within(sum.equal / n, runs) &&
                within(sum.interval / n, runs);
    ok(good, "%s: false best %.2f %%, best lost %.2f, practical %.2f, equal %.2f, interval %.2f (decided %.1f %%)",
       name, 100 * best, 100 * lost, 100 * near_best, 100 * sum.equal / n, 100 * sum.interval / n,
       100 * (double)sum.decided / n);
}

#endif
