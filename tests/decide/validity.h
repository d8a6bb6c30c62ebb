/* validity.h - how often a false statement is made when one looks after every answer: simulated people, and something
 * that chooses what they see.
 *
 * False is: an option declared best that is not better than every other live one (best); option 0, as good as any,
 * going out (lost); a 'practically best' that is worse than some other by more than eps (practical); 'equal' where two
 * in the running differ by more than eps (equal); an interval that does not hold the true share (interval). */
#ifndef SPAR_TESTS_DECIDE_VALIDITY_H
#define SPAR_TESTS_DECIDE_VALIDITY_H

#include "decide/decide.h"

#include "num/elementary.h"
#include "policy/policy.h"
#include "prefer/evidence.h"
#include "tap.h"
#include "types/feedback.h"
#include "types/round.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 24, SLOTS = 4 };

typedef enum sim_truth {
    EQUAL,
    TWO_BEST,
    BARELY,
    CYCLE
} sim_truth; /* BARELY: the others are worse by a hair over eps */
typedef enum sim_answer { WINNER, RANKING, PAIRS } sim_answer;
typedef enum sim_display { UNIFORM, HOSTILE, SELF_SPARRING, FOCUS } sim_display;

typedef struct sim_setting {
    size_t k, m;
    sim_truth truth;
    sim_answer answer;
    sim_display display;
    double place;       /* log-odds by which a first place gains */
    double come_and_go; /* chance of an added and of a retired option, each screen */
} sim_setting;

/* How many runs made each kind of false statement, of one run 0 or 1. */
typedef struct false_counts {
    size_t best, lost, practical, equal, interval, decided;
} false_counts;

typedef struct sim_run {
    const sim_setting *p;
    spar_decision *d;
    spar_rng rng, luck; /* of the screens, of the answers */
    size_t n, live;
    bool alive[MOST];
    double strength[MOST];
    bool over[MOST][MOST]; /* hostile: the evidence for the one over the other is above e */
    size_t behind[MOST];   /* hostile: by how many it is led */
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    false_counts seen;
} sim_run;

/* Rankings that cycle: with this probability a rotation of 0, 1, ... K - 1, else any order, so that each comes before
 * the next with probability 0.7. */
static double rotated(const sim_setting *p)
{
    return 0.2 / (0.5 - 1 / (double)p->k);
}

/* P(a before b) without place effects. */
static double chance(const sim_run *x, size_t a, size_t b)
{
    size_t k = x->p->k, ahead = (b + k - a) % k;
    if (x->p->truth != CYCLE)
        return x->strength[a] == x->strength[b] ? 0.5 : spar__logistic(x->strength[a] - x->strength[b]);
    if (x->p->answer == RANKING)
        return 0.5 + rotated(x->p) * (0.5 - (double)ahead / (double)k);
    return ahead == 1 ? 0.7 : ahead == k - 1 ? 0.3 : 0.5;
}

/* Slots in the order of what they are worth, the best first. */
static void sort_slots(size_t m, const double *worth, size_t *order)
{
    for (size_t j = 0; j < m; j++) {
        size_t at = j;
        for (; at > 0 && worth[order[at - 1]] < worth[j]; at--)
            order[at] = order[at - 1];
        order[at] = j;
    }
}

/* One after another, from what is left, by strength (Plackett-Luce); the first place is any slot's. */
static void rank_slots(sim_run *x, size_t *order)
{
    size_t m = x->round->m, first = x->p->place > 0 ? spar_rng_below(&x->luck, m) : m;
    double worth[SLOTS];
    for (size_t j = 0; j < m; j++)
        worth[j] = x->strength[x->round->arm[j]] + (j == first ? x->p->place : 0) -
                   spar__log(-spar__log(spar_rng_uniform(&x->luck) + 1e-300));
    sort_slots(m, worth, order);
}

static void rank_cycle(sim_run *x, size_t *order)
{
    size_t k = x->p->k, start = spar_rng_below(&x->luck, k);
    bool rotate = spar_rng_uniform(&x->luck) < rotated(x->p);
    double worth[SLOTS];
    for (size_t j = 0; j < x->round->m; j++)
        worth[j] = rotate ? -(double)((x->round->arm[j] + k - start) % k) : spar_rng_uniform(&x->luck);
    sort_slots(x->round->m, worth, order);
}

/* Disjoint pairs of slots, of which one is in the first place. */
static void say_pairs(sim_run *x)
{
    size_t slot[SLOTS] = {0, 1, 2, 3}, m = x->round->m;
    if (m > 2)
        spar_rng_shuffle(&x->luck, slot, m);
    for (size_t j = 0; j + 1 < m; j += 2) {
        double p = chance(x, x->round->arm[slot[j]], x->round->arm[slot[j + 1]]);
        double place = spar_rng_below(&x->luck, 2) == 1 ? x->p->place : -x->p->place;
        if (place != 0)
            p = spar__logistic(spar__log(p / (1 - p)) + place);
        bool won = spar_rng_uniform(&x->luck) < p;
        (void)spar_feedback_set(x->feedback, slot[j], slot[j + 1], won ? SPAR_WIN : SPAR_LOSS);
    }
}

static void answer(sim_run *x)
{
    size_t order[SLOTS];
    (void)spar_feedback_reset(x->feedback, x->round->m);
    if (x->p->answer == PAIRS || (x->p->truth == CYCLE && x->p->answer == WINNER)) {
        say_pairs(x);
        return;
    }
    if (x->p->truth == CYCLE)
        rank_cycle(x, order);
    else
        rank_slots(x, order);
    if (x->p->answer == RANKING)
        (void)spar_feedback_ranking(x->feedback, x->round->m, order, NULL);
    else
        (void)spar_feedback_winner(x->feedback, order[0]);
}

/* Uniform; or hostile: whoever is behind some other is not shown any more, unless a screen would stay empty. */
static void show_some(sim_run *x)
{
    size_t from[MOST], count = 0, m = x->p->m < x->live ? x->p->m : x->live;
    x->round->m = m;
    for (size_t i = 0; i < x->n; i++)
        if (x->alive[i] && x->behind[i] == 0)
            from[count++] = i;
    for (size_t j = 0; j < m; j++) {
        if (j == count)
            for (size_t i = 0; i < x->n; i++)
                if (x->alive[i] && x->behind[i] > 0)
                    from[count++] = i;
        size_t at = j + spar_rng_below(&x->rng, count - j), arm = from[at];
        from[at] = from[j];
        from[j] = x->round->arm[j] = arm;
    }
}

static void watch_pair(sim_run *x, size_t a, size_t b)
{
    bool over = x->alive[a] && spar__evidence_against(&x->d->evidence, a, b).log_e > 1;
    x->behind[b] += (size_t)over - (size_t)x->over[a][b];
    x->over[a][b] = over;
}

static void show(sim_run *x)
{
    if (!x->policy)
        show_some(x);
    else if (spar_policy_choose(x->policy, x->scratch, &x->rng, x->round, NULL))
        abort();
}

/* By how much a is better than b, in log-odds. */
static double better_by(const sim_run *x, size_t a, size_t b)
{
    double p = chance(x, a, b);
    return p == 0.5 ? 0 : spar__log(p / (1 - p));
}

/* Is it better than every other live option by more than that much? */
static bool stands_out(const sim_run *x, size_t i, double much)
{
    for (size_t j = 0; j < x->n; j++)
        if (j != i && x->alive[j] && better_by(x, i, j) <= much)
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

/* Does the interval miss the true share? The evidence is at most the likelihood ratio, which is cheap and mostly rules
 * it out. With a place effect the share is known only where two are equal. */
static bool interval_misses(const sim_run *x, size_t a, size_t b)
{
    double low, high, p = chance(x, a, b);
    spar__against pair = spar__evidence_against(&x->d->evidence, a, b);
    double n = pair.won + pair.lost, share = pair.won / n, gap = share - p;
    if ((x->p->place > 0 && p != 0.5) || n * gap * gap < p * (1 - p)) /* KL <= chi square */
        return false;
    double ratio = pair.won > 0 ? pair.won * spar__log(share / p) : 0;
    ratio += pair.lost > 0 ? pair.lost * spar__log((1 - share) / (1 - p)) : 0;
    if (ratio < spar__evidence_interval_threshold(&x->d->evidence, a, b) - 1e-9)
        return false;
    (void)spar_decision_interval(x->d, a, b, 0, &low, &high);
    return p < low || p > high;
}

static void judge_pairs(sim_run *x)
{
    size_t m = x->round->m, *arm = x->round->arm;
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++) {
            if (x->feedback->outcome[j * m + k] == 0)
                continue;
            if (!x->seen.interval && interval_misses(x, arm[j], arm[k]))
                x->seen.interval = 1;
            if (x->p->display == HOSTILE) {
                watch_pair(x, arm[j], arm[k]);
                watch_pair(x, arm[k], arm[j]);
            }
        }
}

/* What is false now; it stays so for the rest of the run. Option 0 is never retired, and best unless in a cycle. */
static void judge(sim_run *x)
{
    const spar__evidence *ev = &x->d->evidence;
    size_t best = spar__evidence_best(ev), near_best = spar__evidence_practical(ev);
    if (best != SPAR_NO_OPTION) {
        x->seen.decided = 1;
        x->seen.best |= !stands_out(x, best, 0);
    }
    if (near_best != SPAR_NO_OPTION && !x->seen.practical)
        x->seen.practical = !stands_out(x, near_best, -ev->eps - 1e-12);
    x->seen.lost |= x->p->truth != CYCLE && !spar__evidence_running(ev, 0);
    x->seen.equal |= spar__evidence_equal(ev) && false_equal(x);
}

static void add_option(sim_run *x)
{
    x->strength[x->n] = x->strength[spar_rng_below(&x->luck, x->n)]; /* as good as some other */
    x->alive[x->n++] = true;
    x->live++;
    if (spar_decision_add(x->d, NULL, NULL) || (x->policy && spar_policy_add_arm(x->policy, NULL, NULL, NULL, NULL)))
        abort();
}

static void retire_option(sim_run *x, size_t i)
{
    x->alive[i] = false;
    x->live--;
    if (spar_decision_retire(x->d, i, NULL) || (x->policy && spar_policy_retire_arm(x->policy, i, NULL)))
        abort();
    for (size_t j = 0; j < x->n; j++) /* it leads nobody any more */
        if (x->over[i][j])
            watch_pair(x, i, j);
}

/* Any but option 0; the hostile policy lets go those that are not behind, which hold up a decision. */
static size_t who_goes(sim_run *x)
{
    size_t i = 1 + spar_rng_below(&x->luck, x->n - 1);
    for (size_t t = 0; x->p->display == HOSTILE && t < x->n && (!x->alive[i] || x->behind[i] > 0); t++)
        i = i + 1 < x->n ? i + 1 : 1;
    return i;
}

static void change_options(sim_run *x)
{
    size_t i = who_goes(x);
    if (x->n < MOST && spar_rng_uniform(&x->luck) < x->p->come_and_go)
        add_option(x);
    if (x->live > 2 && x->alive[i] && spar_rng_uniform(&x->luck) < x->p->come_and_go)
        retire_option(x, i);
}

static spar_policy *display_policy(const sim_setting *p, spar_rng *rng)
{
    const char *spec = p->display == SELF_SPARRING ? "self_sparring(distinct=1)/thompson/beta"
                       : p->come_and_go > 0        ? "focus(live=1)/self_sparring(distinct=1)/thompson/beta"
                                                   : "focus/self_sparring(distinct=1)/thompson/beta";
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    if (p->display < SELF_SPARRING)
        return NULL;
    if (spar_arms_new(p->k, 0, NULL, NULL, &arms) || spar_policy_new(spec, arms, p->m, 0, rng, &policy, NULL))
        abort();
    spar_arms_free(arms);
    return policy;
}

static void sim_open(sim_run *x, const sim_setting *p, uint64_t seed, size_t number)
{
    *x = (sim_run){.p = p, .n = p->k, .live = p->k};
    spar_decision_settings settings = {.size = sizeof settings, .live = p->come_and_go > 0};
    spar_rng_seed(&x->rng, seed, number, 14);
    spar_rng_seed(&x->luck, seed, number, 15);
    if (spar_decision_new(p->k, &settings, &x->d, NULL) || spar_scratch_new(&x->scratch) ||
        spar_round_new(SLOTS, &x->round) || spar_feedback_new(SLOTS, &x->feedback))
        abort();
    x->policy = display_policy(p, &x->rng);
    for (size_t i = 0; i < p->k; i++) {
        bool top = p->truth == EQUAL || i < (p->k > 2 ? 2 : 1);
        x->alive[i] = true;
        x->strength[i] = top ? 0 : p->truth == BARELY ? -0.2 - 1e-9 : -0.5;
    }
}

static void sim_close(sim_run *x)
{
    spar_decision_free(x->d);
    spar_policy_free(x->policy);
    spar_scratch_free(x->scratch);
    spar_round_free(x->round);
    spar_feedback_free(x->feedback);
}

static false_counts simulate(const sim_setting *p, size_t screens, uint64_t seed, size_t number)
{
    sim_run x;
    sim_open(&x, p, seed, number);
    for (size_t t = 0; t < screens; t++) {
        show(&x);
        answer(&x);
        spar_ballot b = {.size = sizeof b, .m = x.round->m, .option = x.round->arm, .outcome = x.feedback->outcome};
        if (spar_decision_answer(x.d, &b, NULL) || (x.policy && spar_policy_learn(x.policy, x.round, x.feedback, NULL)))
            abort();
        judge_pairs(&x);
        judge(&x);
        if (p->come_and_go > 0)
            change_options(&x);
    }
    sim_close(&x);
    return x.seen;
}

static bool within(size_t count, size_t runs)
{
    const double delta = 0.05, n = (double)runs; /* one-sided, 99 % */
    return (double)count <= delta * n + 2.33 * sqrt(delta * (1 - delta) * n);
}

/* One cell of the table: every kind of false statement at most delta, each one-sided at 99 %. */
__attribute__((unused)) static void validity_cell(const sim_setting *p, size_t runs, size_t screens)
{
    static const char *const truths[] = {"equal", "two best", "barely", "cycle"},
                             *const answers[] = {"winner", "ranking", "pairs"},
                             *const displays[] = {"uniform", "hostile", "self_sparring", "focus"};
    false_counts sum = {0};
    for (size_t r = 0; r < runs; r++) {
        false_counts one = simulate(p, screens, 20, r);
        sum.best += one.best, sum.lost += one.lost, sum.practical += one.practical, sum.equal += one.equal;
        sum.interval += one.interval, sum.decided += one.decided;
    }
    double percent = 100 / (double)runs;
    ok(within(sum.best, runs) && within(sum.lost, runs) && within(sum.practical, runs) && within(sum.equal, runs) &&
           within(sum.interval, runs),
       "%s, K = %zu, m = %zu, %s, %s%s%s: false best %.2f %%, best lost %.2f, practical %.2f, equal %.2f, interval "
       "%.2f "
       "(decided %.1f %%)",
       displays[p->display], p->k, p->m, answers[p->answer], truths[p->truth], p->place > 0 ? ", place effect" : "",
       p->come_and_go > 0 ? ", options come and go" : "", percent * (double)sum.best, percent * (double)sum.lost,
       percent * (double)sum.practical, percent * (double)sum.equal, percent * (double)sum.interval,
       percent * (double)sum.decided);
}

#endif
