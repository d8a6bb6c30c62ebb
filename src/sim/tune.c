/* tune.c - the best of a few candidates by successive halving: all play the first runs, the better half plays on until
 * it has twice as many. Candidates are compared run by run, over the runs that both have. With n candidates the rungs
 * cost about log2(n) times what the last two play. */
#include "sim/sweep.h"

#include "base/alloc.h"
#include "base/error.h"
#include "sim/sim.h"

#include <math.h>

enum { LEAST = 10 };

/* How many of the n that played a rung play the next. */
static size_t better_half(size_t n)
{
    return (n + 1) / 2;
}

static size_t tune_rungs(size_t n)
{
    size_t rungs = 1;
    for (; n > 2; n = better_half(n))
        rungs++;
    return rungs;
}

size_t spar__tune_runs(size_t n, size_t runs, size_t rung)
{
    size_t played = runs;
    for (size_t k = tune_rungs(n); k > rung; k--)
        played = played / 2;
    size_t least = runs < LEAST ? runs : LEAST;
    return played > least ? played : least;
}

uint64_t spar__tune_jobs(size_t n, size_t runs)
{
    uint64_t jobs = 0, rungs = tune_rungs(n), before = 0;
    for (size_t rung = 1, left = n; rung <= rungs; rung++, left = better_half(left)) {
        uint64_t after = spar__tune_runs(n, runs, rung);
        jobs += left * (after - before);
        before = after;
    }
    return jobs;
}

static double statistic(const spar__summary *summary, spar__tune_by by)
{
    return summary->n == 0 ? INFINITY : by == SPAR__TUNE_MEDIAN ? summary->median : summary->mean;
}

static void summarize(spar__tuning *tuning, spar__candidate *candidate)
{
    size_t n = 0;
    for (size_t r = 0; r < candidate->runs; r++)
        if (!isnan(candidate->regret[r]))
            tuning->work[n++] = candidate->regret[r];
    tuning->interrupted |= n < candidate->runs;
    spar__summarize(tuning->work, n, &candidate->summary);
}

/* Sorts the first n of the order, which have the same number of runs; equal ones stay in order. */
static void sort(spar__tuning *tuning, size_t n, spar__tune_by by)
{
    size_t *order = tuning->order;
    for (size_t i = 1; i < n; i++) {
        size_t moving = order[i], place = i;
        double value = statistic(&tuning->candidate[moving].summary, by);
        for (; place > 0 && value < statistic(&tuning->candidate[order[place - 1]].summary, by); place--)
            order[place] = order[place - 1];
        order[place] = moving;
    }
}

/* One rung for the first n of the order. */
static spar_status climb(spar__tuning *tuning, size_t n, size_t rung, spar__tune_play *play, void *context,
                         double **place, spar_error *err)
{
    size_t first = rung > 1 ? spar__tune_runs(tuning->n, tuning->runs, rung - 1) : 0;
    size_t runs = spar__tune_runs(tuning->n, tuning->runs, rung) - first;
    for (size_t i = 0; i < n; i++) {
        spar__candidate *candidate = &tuning->candidate[tuning->order[i]];
        candidate->rung = rung;
        candidate->runs = first + runs;
        place[i] = candidate->regret + first;
    }
    spar_status status = runs ? play(context, tuning->order, n, first, runs, place, err) : SPAR_OK;
    for (size_t i = 0; !status && i < n; i++)
        summarize(tuning, &tuning->candidate[tuning->order[i]]);
    return status;
}

spar_status spar__tune(size_t n, size_t runs, spar__tune_by by, spar__tune_play *play, void *context, spar__tuning *out,
                       spar_error *err)
{
    *out = (spar__tuning){.n = n, .rungs = tune_rungs(n), .runs = runs};
    spar_status status = SPAR_NOMEM;
    double **place = spar__alloc(n, sizeof *place);
    out->candidate = spar__alloc(n, sizeof *out->candidate);
    out->order = spar__alloc(n, sizeof *out->order);
    out->work = spar__alloc(runs, 2 * sizeof *out->work);
    if (!place || !out->candidate || !out->order || !out->work)
        goto no_memory;
    for (size_t i = 0; i < n; i++) {
        out->order[i] = i;
        out->candidate[i].regret = spar__alloc(runs, sizeof(double));
        if (!out->candidate[i].regret)
            goto no_memory;
    }
    status = SPAR_OK;
    for (size_t rung = 1, left = n; !status && !out->interrupted && rung <= out->rungs; rung++) {
        status = climb(out, left, rung, play, context, place, err);
        sort(out, left, by);
        left = better_half(left);
    }
no_memory:
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    if (status)
        spar__tuning_free(out);
    spar__free(place);
    return status;
}

void spar__tuning_free(spar__tuning *tuning)
{
    for (size_t i = 0; tuning->candidate && i < tuning->n; i++)
        spar__free(tuning->candidate[i].regret);
    spar__free(tuning->candidate);
    spar__free(tuning->order);
    spar__free(tuning->work);
    *tuning = (spar__tuning){0};
}

static size_t common_runs(const spar__candidate *a, const spar__candidate *b)
{
    return a->runs < b->runs ? a->runs : b->runs;
}

/* Is a better than b in the runs that both completed? */
static bool better(const spar__tuning *tuning, size_t a, size_t b, spar__tune_by by)
{
    const spar__candidate *one = &tuning->candidate[a], *other = &tuning->candidate[b];
    double *ones = tuning->work, *others = tuning->work + tuning->runs;
    size_t n = 0;
    for (size_t r = 0; r < common_runs(one, other); r++) {
        if (isnan(one->regret[r]) || isnan(other->regret[r]))
            continue;
        ones[n] = one->regret[r];
        others[n++] = other->regret[r];
    }
    spar__summary left, right;
    spar__summarize(ones, n, &left);
    spar__summarize(others, n, &right);
    return statistic(&left, by) < statistic(&right, by);
}

size_t spar__tuning_best(const spar__tuning *tuning, spar__tune_by by, size_t except)
{
    size_t best = tuning->n;
    for (size_t i = 0; i < tuning->n; i++) {
        size_t challenger = tuning->order[i];
        if (challenger == except || tuning->candidate[challenger].summary.n == 0)
            continue;
        if (best == tuning->n || better(tuning, challenger, best, by))
            best = challenger;
    }
    return best;
}

void spar__tuning_compare(const spar__tuning *tuning, size_t a, size_t b, spar__difference *out)
{
    const spar__candidate *one = &tuning->candidate[a], *other = &tuning->candidate[b];
    spar__compare(one->regret, other->regret, common_runs(one, other), out);
}

/* The rounds of this rung that are played come on top of those before it, and of those of its cells that were there. */
static bool relay(void *context, uint64_t played, uint64_t total)
{
    const spar__tune_lab *lab = context;
    return lab->plan.progress(lab->plan.context, lab->done + lab->rung - total + played, lab->total);
}

spar_status spar__tune_simulate(void *context, const size_t *candidate, size_t n, size_t first, size_t runs,
                                double *const *regret, spar_error *err)
{
    spar__tune_lab *lab = context;
    const char **policies = spar__alloc(n, sizeof *policies);
    if (!policies)
        return spar__fail_memory(err);
    for (size_t i = 0; i < n; i++)
        policies[i] = lab->plan.policies[candidate[i]];
    spar_plan plan = lab->plan;
    plan.policies = policies;
    plan.n_policies = n;
    plan.first_run = first;
    plan.runs = runs;
    lab->rung = n * runs * plan.rounds;
    spar__planned planned = {.plan = &plan};
    spar__plan_cells cells;
    spar__sweep alone = {.threads = plan.threads}, *sweep = lab->sweep ? lab->sweep : &alone;
    spar_status status = spar__plan_cells_init(&cells, &planned, 1, err);
    cells.cells.shared = true;
    sweep->progress = lab->plan.progress ? relay : NULL;
    sweep->context = lab;
    if (!status)
        status = spar__sweep_play(sweep, &cells.cells, err);
    for (size_t i = 0; !status && i < plan.n_policies; i++)
        for (size_t r = 0; r < plan.runs; r++) {
            const spar__run_numbers *run = &planned.results->run[i * plan.runs + r];
            regret[i][r] = run->complete ? run->regret : NAN;
        }
    if (!lab->sweep)
        spar__sweep_close(&alone, false);
    spar__plan_cells_fini(&cells);
    lab->done += lab->rung;
    spar__free(policies);
    return status;
}
