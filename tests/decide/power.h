/* power.h - how many screens a policy needs until evidence shows an option to be best: the policy, simulated people who
 * answer by Plackett and Luce's law, and the evidence, looked at after every answer. */
#ifndef SPAR_TESTS_DECIDE_POWER_H
#define SPAR_TESTS_DECIDE_POWER_H

#include "policy/policy.h"

#include "num/elementary.h"
#include "prefer/evidence.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

enum { POWER_OPTIONS = 16, POWER_SLOTS = 4, POWER_MOST = 20000 };

typedef struct power_setting {
    const char *spec;
    size_t k, m;
    bool one; /* log-strengths 0, -gap, -gap, ...; else 0, -gap, -2 gap, ... */
    double gap;
    bool ranking; /* else the winner alone */
} power_setting;

typedef struct power_run {
    const power_setting *setting;
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar__evidence evidence;
    spar_rng rng, luck;
} power_run;

static power_run power_open(const power_setting *s, uint64_t seed, uint64_t number)
{
    power_run x = {.setting = s};
    spar_arms *arms = NULL;
    spar_error err = {0};
    spar_rng_seed(&x.rng, seed, number, 1);
    spar_rng_seed(&x.luck, seed, number, 2);
    if (spar_arms_new(s->k, 0, NULL, NULL, &arms) || spar_policy_new(s->spec, arms, s->m, 0, &x.rng, &x.policy, &err) ||
        spar_scratch_new(&x.scratch) || spar_round_new(s->m, &x.round) || spar_feedback_new(s->m, &x.feedback) ||
        spar__evidence_init(&x.evidence, s->k, 0.05, 0.05, 0.2)) {
        printf("Bail out! %s: %s\n", s->spec, err.text);
        exit(1);
    }
    spar_arms_free(arms);
    return x;
}

static void power_close(power_run *x)
{
    spar__evidence_fini(&x->evidence);
    spar_feedback_free(x->feedback);
    spar_round_free(x->round);
    spar_scratch_free(x->scratch);
    spar_policy_free(x->policy);
}

/* The slots, best first. */
static void power_order(power_run *x, size_t *order)
{
    double worth[POWER_SLOTS];
    for (size_t j = 0; j < x->round->m; j++) {
        double arm = (double)x->round->arm[j], strength = x->setting->one ? -(arm > 0) : -arm;
        size_t at = j;
        worth[j] = strength * x->setting->gap - spar__log(-spar__log(spar_rng_uniform(&x->luck) + 0x1p-60));
        for (; at > 0 && worth[order[at - 1]] < worth[j]; at--)
            order[at] = order[at - 1];
        order[at] = j;
    }
}

/* One screen, answered, learned and counted as evidence. */
static void power_screen(power_run *x)
{
    size_t order[POWER_SLOTS];
    if (spar_policy_choose(x->policy, x->scratch, &x->rng, x->round, NULL) ||
        spar_feedback_reset(x->feedback, x->round->m))
        abort();
    power_order(x, order);
    if (x->setting->ranking ? spar_feedback_ranking(x->feedback, x->round->m, order, NULL)
                            : spar_feedback_winner(x->feedback, order[0]))
        abort();
    if (spar_policy_learn(x->policy, x->round, x->feedback, NULL) ||
        spar__evidence_answer(&x->evidence, x->round->m, x->round->arm, x->feedback->outcome, false))
        abort();
}

/* Screens until an option is shown to be best; it goes to *best. */
__attribute__((unused)) static size_t power_screens(const power_setting *s, uint64_t seed, uint64_t number,
                                                    size_t *best)
{
    power_run x = power_open(s, seed, number);
    size_t t = 0;
    for (*best = SPAR__NO_OPTION; *best == SPAR__NO_OPTION && t < POWER_MOST; t++) {
        power_screen(&x);
        *best = spar__evidence_best(&x.evidence);
    }
    power_close(&x);
    return t;
}

static int power_by_value(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* One cell of the table: the median of the screens is at most 10 % above `published`, and at most 5 % of the decisions
 * are wrong, one-sided at 99 %. */
__attribute__((unused)) static void power_cell(const char *name, const power_setting *s, double published, size_t runs)
{
    size_t *screens = calloc(runs, sizeof *screens), wrong = 0, best;
    if (!screens)
        abort();
    for (size_t r = 0; r < runs; r++) {
        screens[r] = power_screens(s, 31, r, &best);
        wrong += best != 0;
    }
    qsort(screens, runs, sizeof *screens, power_by_value);
    double n = (double)runs, median = (double)(screens[(runs - 1) / 2] + screens[runs / 2]) / 2;
    ok(median <= 1.1 * published && (double)wrong <= 0.05 * n + 2.33 * sqrt(0.05 * 0.95 * n),
       "%s: %.0f screens (published %.0f), 10 to 90 %% %zu to %zu, %zu of %zu wrong", name, median, published,
       screens[runs / 10], screens[runs - 1 - runs / 10], wrong, runs);
    free(screens);
}

#define POWER_FOCUS "focus/self_sparring(distinct=1)/thompson/beta"

#endif
