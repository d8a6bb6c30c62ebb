/* coverage.h - how often the 95 % intervals of strengths hold the truth, for truths from the prior. */
#ifndef SPAR_TESTS_DECIDE_COVERAGE_H
#define SPAR_TESTS_DECIDE_COVERAGE_H

#include "sampler/sampler.h"

#include <spar/spar.h>

#include "tap.h"

#include <stdlib.h>

enum { COVERAGE_MOST = 16 };

typedef struct coverage_cell {
    const char *what;
    size_t k, m, answers;
    enum { COVER_WINNER, COVER_RANKING, COVER_TIES } kind;
    bool focus; /* screens chosen by focus, else at random */
} coverage_cell;

typedef struct coverage_run {
    const coverage_cell *cell;
    double truth[COVERAGE_MOST];
    spar_rng rng;
    spar_policy *policy;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_answer *answer;
    spar_standings *standings;
} coverage_run;

static coverage_run coverage_open(const coverage_cell *cell, uint64_t run)
{
    coverage_run x = {.cell = cell};
    spar_rng_seed(&x.rng, 2026, run, 1);
    double sd = fabs(2 * spar__normal(&x.rng));
    for (size_t k = 0; k < cell->k; k++)
        x.truth[k] = sd * spar__normal(&x.rng);
    spar_arms *arms = NULL;
    const char *spec = cell->focus ? "focus/self_sparring(distinct=1)" : "self_sparring(distinct=1)";
    if (spar_arms_new(cell->k, 0, NULL, NULL, &arms) ||
        spar_policy_new(spec, arms, cell->m, 0, &x.rng, &x.policy, NULL) || spar_scratch_new(&x.scratch) ||
        spar_round_new(cell->m, &x.round) || spar_feedback_new(cell->m, &x.feedback) || spar_answer_new(&x.answer) ||
        spar_standings_new(cell->k, &x.standings, NULL))
        abort();
    spar_arms_free(arms);
    return x;
}

static void coverage_close(coverage_run *x)
{
    spar_policy_free(x->policy);
    spar_scratch_free(x->scratch);
    spar_round_free(x->round);
    spar_feedback_free(x->feedback);
    spar_answer_free(x->answer);
    spar_standings_free(x->standings);
}

static void coverage_screen(coverage_run *x, size_t *shown)
{
    size_t m = x->cell->m, k = x->cell->k;
    if (x->cell->focus) {
        if (spar_policy_choose(x->policy, x->scratch, &x->rng, x->round, NULL))
            abort();
        for (size_t j = 0; j < m; j++)
            shown[j] = spar_round_arm(x->round, j);
        return;
    }
    for (size_t j = 0; j < m; j++) {
        bool again = true;
        while (again) {
            shown[j] = (size_t)spar_rng_below(&x->rng, k);
            again = false;
            for (size_t i = 0; i < j; i++)
                again |= shown[i] == shown[j];
        }
    }
}

/* The order of strengths plus Gumbel noise; a tie, where it is possible, is one more alternative of weight nu = 1. */
static void coverage_answer(coverage_run *x, const size_t *shown)
{
    size_t m = x->cell->m, order[COVERAGE_MOST];
    double key[COVERAGE_MOST], mean = 0, tie;
    for (size_t j = 0; j < m; j++) {
        mean += x->truth[shown[j]] / (double)m;
        key[j] = x->truth[shown[j]] - log(-log(spar__uniform_open(&x->rng)));
        size_t at = j;
        for (; at > 0 && key[order[at - 1]] < key[j]; at--)
            order[at] = order[at - 1];
        order[at] = j;
    }
    tie = mean + (m == 2 ? log(0.5) : 0) - log(-log(spar__uniform_open(&x->rng)));
    if (x->cell->kind == COVER_TIES && tie > key[order[0]])
        spar_answer_set_tie(x->answer);
    else if (x->cell->kind == COVER_RANKING)
        (void)spar_answer_set_ranking(x->answer, m, order, NULL, NULL);
    else
        spar_answer_set_winner(x->answer, order[0]);
}

static void coverage_play(coverage_run *x)
{
    for (size_t i = 0; i < x->cell->answers; i++) {
        size_t shown[COVERAGE_MOST];
        coverage_screen(x, shown);
        coverage_answer(x, shown);
        if (spar_standings_answer(x->standings, x->cell->m, shown, NULL, x->answer, x->cell->kind == COVER_TIES, 1,
                                  NULL))
            abort();
        if (x->cell->focus && (spar_answer_feedback(x->answer, x->cell->m, x->feedback, NULL) ||
                               spar_policy_learn(x->policy, x->round, x->feedback, NULL)))
            abort();
    }
    if (spar_standings_compute(x->standings, NULL))
        abort();
}

static bool coverage_holds(const coverage_run *x, size_t option)
{
    double mean = 0, low, high;
    for (size_t k = 0; k < x->cell->k; k++)
        mean += x->truth[k] / (double)x->cell->k;
    (void)spar_standings_strength(x->standings, option, NULL, &low, &high);
    return low <= x->truth[option] - mean && x->truth[option] - mean <= high;
}

/* Both shares within these bounds. */
static void coverage_check(const coverage_cell *cell, size_t runs, double low, double high, double lead_low,
                           double lead_high)
{
    double all = 0, leader = 0;
    for (uint64_t run = 0; run < runs; run++) {
        coverage_run x = coverage_open(cell, run);
        coverage_play(&x);
        for (size_t k = 0; k < cell->k; k++)
            all += coverage_holds(&x, k);
        leader += coverage_holds(&x, spar_standings_leader(x.standings));
        coverage_close(&x);
    }
    all /= (double)(runs * cell->k);
    leader /= (double)runs;
    ok(all >= low && all <= high && leader >= lead_low && leader <= lead_high,
       "%s: K = %zu, m = %zu, %zu answers: %.1f %% of all intervals hold, %.1f %% of the leader's", cell->what, cell->k,
       cell->m, cell->answers, 100 * all, 100 * leader);
}

#endif
