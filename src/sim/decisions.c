#include "sim/decisions.h"

#include "base/alloc.h"
#include "sim/stats.h"

#include <math.h>
#include <stdlib.h>

static const spar__run_numbers *run_of(const spar_results *results, size_t policy, size_t r)
{
    const spar__run_numbers *run = &results->run[policy * results->runs + r];
    return run->complete ? run : NULL;
}

spar_status spar__results_decisions(const spar_results *results, size_t policy, spar__decisions *out)
{
    *out = (spar__decisions){0};
    if (policy >= results->n_policies)
        return SPAR_INVALID;
    double *screens = spar__alloc(results->runs, sizeof *screens);
    if (!screens)
        return SPAR_NOMEM;
    size_t decided = 0, right = 0;
    for (size_t r = 0; r < results->runs; r++) {
        const spar__run_numbers *run = run_of(results, policy, r);
        out->runs += run != NULL;
        if (!run || !run->decided)
            continue;
        screens[decided++] = (double)run->decided;
        right += run->right;
    }
    double n = (double)out->runs; /* without runs: 0 / 0, NaN */
    out->right = (double)right / n;
    out->wrong = (double)(decided - right) / n;
    out->open = (n - (double)decided) / n;
    spar__summarize(screens, decided, &out->screens);
    if (!decided)
        out->screens = (spar__summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    spar__free(screens);
    return SPAR_OK;
}

double spar_results_decided(const spar_results *results, size_t policy, spar_statistic which)
{
    if (!results)
        return NAN;
    spar__decisions d;
    return spar__results_decisions(results, policy, &d) ? (double)NAN : spar__summary_value(&d.screens, which);
}

double spar_results_decided_by(const spar_results *results, size_t policy, uint64_t rounds)
{
    if (!results)
        return NAN;
    size_t complete = 0, decided = 0;
    for (size_t r = 0; policy < results->n_policies && r < results->runs; r++) {
        const spar__run_numbers *run = run_of(results, policy, r);
        complete += run != NULL;
        decided += run && run->decided && run->decided <= rounds;
    }
    return (double)decided / (double)complete;
}

/* Was the named arm right after that many rounds? */
static bool named_right(const spar__run_numbers *run, uint64_t rounds)
{
    size_t low = 0, high = run->flips; /* flips at most `rounds` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->flip[middle] <= rounds)
            low = middle + 1;
        else
            high = middle;
    }
    return low % 2;
}

double spar_results_named_right(const spar_results *results, size_t policy, uint64_t rounds)
{
    if (!results)
        return NAN;
    size_t complete = 0, right = 0;
    for (size_t r = 0; policy < results->n_policies && r < results->runs; r++) {
        const spar__run_numbers *run = run_of(results, policy, r);
        complete += run != NULL;
        right += run && named_right(run, rounds);
    }
    return (double)right / (double)complete;
}

/* A run became right, or wrong, after this round. */
struct turn {
    uint64_t t;
    int change;
};

static int by_round(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

/* The first round from which on at least 95 % of n runs are right; 0: none. */
static uint64_t settled(const struct turn *turn, size_t turns, size_t n)
{
    uint64_t since = 0;
    size_t right = 0;
    for (size_t i = 0; i < turns; i++) {
        right += turn[i].change > 0 ? 1 : (size_t)-1;
        if (i + 1 < turns && turn[i + 1].t == turn[i].t)
            continue;
        if (20 * right < 19 * n)
            since = 0;
        else if (!since)
            since = turn[i].t;
    }
    return since;
}

spar_status spar__results_identified(const spar_results *results, size_t policy, uint64_t *out)
{
    *out = 0;
    size_t turns = 0, complete = 0, at = 0;
    if (policy >= results->n_policies)
        return SPAR_INVALID;
    for (size_t r = 0; r < results->runs; r++) {
        const spar__run_numbers *run = run_of(results, policy, r);
        complete += run != NULL;
        turns += run ? run->flips : 0;
    }
    struct turn *turn = spar__alloc(turns ? turns : 1, sizeof *turn);
    if (!turn)
        return SPAR_NOMEM;
    for (size_t r = 0; r < results->runs; r++) {
        const spar__run_numbers *run = run_of(results, policy, r);
        for (size_t i = 0; run && i < run->flips; i++)
            turn[at++] = (struct turn){run->flip[i], i % 2 ? -1 : 1};
    }
    qsort(turn, turns, sizeof *turn, by_round);
    *out = settled(turn, turns, complete);
    spar__free(turn);
    return SPAR_OK;
}

double spar_results_identified(const spar_results *results, size_t policy)
{
    if (!results)
        return NAN;
    uint64_t t;
    return spar__results_identified(results, policy, &t) || !t ? (double)NAN : (double)t;
}
