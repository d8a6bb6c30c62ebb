/* results.c - what a simulation gives: room for the runs, their curves at checkpoints, summaries and comparisons of
 * policies, and what watched runs decided. Sums are compensated, values are sorted first: the numbers do not depend on
 * the order of the runs. */
#include "base/alloc.h"
#include "base/order.h"
#include "sim/sim.h"
#include "types/arms.h"

#include <math.h>
#include <stdlib.h>

/* The p-quantile of n > 0 sorted values, linear between the order statistics at 0, 1/(n-1), ..., 1 (type 7). */
static double quantile(const double *sorted, size_t n, double p)
{
    double place = (double)(n - 1) * p;
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double mean_of(const double *values, size_t n)
{
    spar__sum sum = {0};
    for (size_t i = 0; i < n; i++)
        spar__sum_add(&sum, values[i]);
    return spar__sum_value(sum) / (double)n;
}

void spar__summarize(double *values, size_t n, spar__summary *out)
{
    *out = (spar__summary){.n = n};
    if (n == 0)
        return;
    /* Sorted first: the sums then do not depend on the order of the values either. */
    qsort(values, n, sizeof *values, spar__by_value);
    out->mean = mean_of(values, n);
    out->median = quantile(values, n, 0.5);
    out->q05 = quantile(values, n, 0.05);
    out->q25 = quantile(values, n, 0.25);
    out->q75 = quantile(values, n, 0.75);
    out->q95 = quantile(values, n, 0.95);
    if (n == 1)
        return;
    spar__sum squares = {0};
    for (size_t i = 0; i < n; i++)
        spar__sum_add(&squares, (values[i] - out->mean) * (values[i] - out->mean));
    out->sd = sqrt(spar__sum_value(squares) / (double)(n - 1));
    out->se = out->sd / sqrt((double)n);
}

bool spar__difference_sure(const spar__difference *d)
{
    return d->n > 1 && d->mean > 2 * d->se;
}

void spar__compare(const double *a, const double *b, size_t n, spar__difference *out)
{
    *out = (spar__difference){0};
    spar__sum sum = {0}, squares = {0};
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i]))
            continue;
        out->n++;
        out->worse += a[i] > b[i] ? 1 : a[i] == b[i] ? 0.5 : 0;
        spar__sum_add(&sum, a[i] - b[i]);
    }
    if (out->n == 0)
        return;
    double count = (double)out->n;
    out->mean = spar__sum_value(sum) / count;
    out->worse /= count;
    for (size_t i = 0; i < n; i++) {
        double off = a[i] - b[i] - out->mean; /* NaN where a side is */
        if (!isnan(off))
            spar__sum_add(&squares, off * off);
    }
    if (out->n > 1)
        out->se = sqrt(spar__sum_value(squares) / (count - 1) / count);
}

/* 10^(i/16) in thousandths, rounded: a table, so that checkpoints are the same everywhere. */
static const uint64_t step[] = {1000, 1155, 1334, 1540, 1778, 2054, 2371, 2738,
                                3162, 3652, 4217, 4870, 5623, 6494, 7499, 8660};
enum { STEPS = sizeof step / sizeof *step };

/* Those that people quote. 100, 1000 and 10000 are steps of their own. */
static const uint64_t quoted[] = {5000, 20000};
enum { QUOTED = sizeof quoted / sizeof *quoted };

struct list {
    uint64_t *out; /* NULL: only count */
    size_t n;
    uint64_t last;
};

static void append(struct list *list, uint64_t t)
{
    if (t <= list->last)
        return;
    if (list->out)
        list->out[list->n] = t;
    list->n++;
    list->last = t;
}

size_t spar__checkpoints(uint64_t rounds, uint64_t *out)
{
    struct list list = {.out = out};
    size_t q = 0;
    uint64_t decade = 1;
    for (size_t i = 0;; i = (i + 1) % STEPS) {
        if (i == 0 && list.n) {
            if (decade > UINT64_MAX / 10 / 10) /* the next one may not fit */
                break;
            decade *= 10;
        }
        uint64_t t = decade < 1000 ? (decade * step[i] + 500) / 1000 : decade / 1000 * step[i];
        if (t >= rounds)
            break;
        for (; q < QUOTED && quoted[q] <= t; q++)
            append(&list, quoted[q]);
        append(&list, t);
    }
    for (; q < QUOTED && quoted[q] < rounds; q++)
        append(&list, quoted[q]);
    append(&list, rounds);
    return list.n;
}

size_t spar_snapshot_index(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->index : 0;
}

uint64_t spar_snapshot_run(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->run : 0;
}

uint64_t spar_snapshot_round(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->t : 0;
}

const spar_policy *spar_snapshot_policy(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->policy : NULL;
}

const spar_world *spar_snapshot_world(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->world : NULL;
}

static const spar__arm_tally *tally_of(const spar_snapshot *snapshot, size_t arm)
{
    static const spar__arm_tally nothing = {0};
    bool known = arm < spar_arms_count(spar_policy_arms(snapshot->policy)) && snapshot->tally;
    return known ? &snapshot->tally[arm] : &nothing;
}

uint64_t spar_snapshot_shown(const spar_snapshot *snapshot, size_t arm)
{
    return snapshot ? tally_of(snapshot, arm)->plays : 0;
}

double spar_snapshot_won(const spar_snapshot *snapshot, size_t arm)
{
    return snapshot ? tally_of(snapshot, arm)->won : 0;
}

double spar_snapshot_lost(const spar_snapshot *snapshot, size_t arm)
{
    return snapshot ? tally_of(snapshot, arm)->lost : 0;
}

enum { LINE = 64 / sizeof(double) }; /* values in a cache line: runs do not share one */

/* Values from the curve of one run to that of the next. */
static size_t stride_of(size_t n_checkpoints)
{
    return (n_checkpoints + LINE - 1) / LINE * LINE;
}

double spar__results_bytes(size_t n_policies, uint64_t runs, uint64_t rounds)
{
    size_t stride = stride_of(spar__checkpoints(rounds, NULL));
    return (double)n_policies * (double)runs * (double)(sizeof(spar__run_numbers) + stride * sizeof(double));
}

spar_results *spar__results_new(size_t n_policies, uint64_t runs, uint64_t rounds)
{
    if (runs > SIZE_MAX / n_policies)
        return NULL;
    size_t n = n_policies * (size_t)runs;
    spar_results *results = spar__alloc(1, sizeof *results);
    if (!results)
        return NULL;
    results->n_policies = n_policies;
    results->runs = (size_t)runs;
    results->n_checkpoints = spar__checkpoints(rounds, NULL);
    results->checkpoint = spar__alloc(results->n_checkpoints, sizeof *results->checkpoint);
    results->run = spar__alloc(n, sizeof *results->run);
    size_t stride = stride_of(results->n_checkpoints);
    results->curves = spar__alloc(n, stride * sizeof *results->curves);
    if (!results->checkpoint || !results->run || !results->curves) {
        spar_results_free(results);
        return NULL;
    }
    (void)spar__checkpoints(rounds, results->checkpoint);
    for (size_t i = 0; i < n; i++)
        results->run[i].curve = results->curves + i * stride;
    return results;
}

void spar_results_free(spar_results *results)
{
    if (!results)
        return;
    for (size_t i = 0; results->run && i < results->n_policies * results->runs; i++)
        spar__free(results->run[i].flip);
    spar__free(results->note);
    spar__free(results->curves);
    spar__free(results->run);
    spar__free(results->checkpoint);
    spar__free(results);
}

size_t spar__results_reach(const spar_results *results)
{
    return results->reach ? results->reach : results->runs;
}

spar_status spar__results_summary(const spar_results *results, size_t policy, size_t checkpoint, spar__summary *out)
{
    *out = (spar__summary){0};
    if (policy >= results->n_policies || checkpoint > results->n_checkpoints)
        return SPAR_INVALID;
    size_t n = 0, reach = spar__results_reach(results);
    double *values = spar__alloc(reach, sizeof *values);
    if (!values)
        return SPAR_NOMEM;
    for (size_t r = 0; r < reach; r++) {
        const spar__run_numbers *run = &results->run[policy * results->runs + r];
        if (run->complete)
            values[n++] = checkpoint == results->n_checkpoints ? run->regret : run->curve[checkpoint];
    }
    spar__summarize(values, n, out);
    spar__free(values);
    return SPAR_OK;
}

/* NULL for a run that is not complete or out of range. */
static const spar__run_numbers *complete_run(const spar_results *results, size_t policy, size_t run)
{
    if (policy >= results->n_policies || run >= results->runs)
        return NULL;
    const spar__run_numbers *numbers = &results->run[policy * results->runs + run];
    return numbers->complete ? numbers : NULL;
}

/* The final regret of every run; NaN where it is not complete. */
static void final_regrets(const spar_results *results, size_t policy, double *out)
{
    for (size_t r = 0; r < results->runs; r++) {
        const spar__run_numbers *run = complete_run(results, policy, r);
        out[r] = run ? run->regret : NAN;
    }
}

spar_status spar__results_difference(const spar_results *results, size_t policy, size_t other, spar__difference *out)
{
    *out = (spar__difference){0};
    if (policy >= results->n_policies || other >= results->n_policies)
        return SPAR_INVALID;
    double *values = spar__alloc(results->runs, 2 * sizeof *values);
    if (!values)
        return SPAR_NOMEM;
    final_regrets(results, policy, values);
    final_regrets(results, other, values + results->runs);
    spar__compare(values, values + results->runs, results->runs, out);
    spar__free(values);
    return SPAR_OK;
}

size_t spar_results_policies(const spar_results *results)
{
    return results ? results->n_policies : 0;
}

size_t spar_results_runs(const spar_results *results)
{
    return results ? results->runs : 0;
}

bool spar_results_interrupted(const spar_results *results)
{
    return results && results->interrupted;
}

const char *spar_results_note(const spar_results *results)
{
    return results ? results->note : NULL;
}

size_t spar_results_checkpoints(const spar_results *results)
{
    return results ? results->n_checkpoints : 0;
}

const uint64_t *spar_results_checkpoint(const spar_results *results)
{
    return results ? results->checkpoint : NULL;
}

double spar_results_run(const spar_results *results, size_t policy, size_t run, spar_run_number number)
{
    const spar__run_numbers *r = results ? complete_run(results, policy, run) : NULL;
    if (!r || (unsigned)number > SPAR_RUN_RIGHT)
        return NAN;
    const double numbers[] = {[SPAR_RUN_REGRET] = r->regret,
                              [SPAR_RUN_PER_SLOT] = r->per_slot,
                              [SPAR_RUN_BEST_SHARE] = r->best_share,
                              [SPAR_RUN_BEST_SHOWN] = r->best_pulls,
                              [SPAR_RUN_SET_SIZE] = r->set_size,
                              [SPAR_RUN_SECONDS] = r->seconds,
                              [SPAR_RUN_DECIDED] = r->decided ? (double)r->decided : (double)NAN,
                              [SPAR_RUN_RIGHT] = r->decided ? (double)r->right : (double)NAN};
    return numbers[number];
}

const double *spar_results_curve(const spar_results *results, size_t policy, size_t run)
{
    const spar__run_numbers *numbers = results ? complete_run(results, policy, run) : NULL;
    return numbers ? numbers->curve : NULL;
}

/* NaN for a number that there is not. */
static double summary_value(const spar__summary *s, spar_statistic which)
{
    if ((unsigned)which > SPAR_STAT_Q95)
        return NAN;
    const double values[] = {[SPAR_STAT_N] = (double)s->n, [SPAR_STAT_MEAN] = s->mean,     [SPAR_STAT_SD] = s->sd,
                             [SPAR_STAT_SE] = s->se,       [SPAR_STAT_MEDIAN] = s->median, [SPAR_STAT_Q05] = s->q05,
                             [SPAR_STAT_Q25] = s->q25,     [SPAR_STAT_Q75] = s->q75,       [SPAR_STAT_Q95] = s->q95};
    return values[which];
}

double spar_results_statistic(const spar_results *results, size_t policy, size_t checkpoint, spar_statistic which)
{
    spar__summary s;
    return !results || spar__results_summary(results, policy, checkpoint, &s) ? (double)NAN : summary_value(&s, which);
}

spar_status spar_results_difference(const spar_results *results, size_t policy, size_t other, double *mean, double *se,
                                    double *worse)
{
    if (!results)
        return SPAR_INVALID;
    spar__difference d;
    spar_status status = spar__results_difference(results, policy, other, &d);
    if (mean)
        *mean = d.mean;
    if (se)
        *se = d.se;
    if (worse)
        *worse = d.worse;
    return status;
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
        const spar__run_numbers *run = complete_run(results, policy, r);
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
    spar__decisions d;
    return !results || spar__results_decisions(results, policy, &d) ? (double)NAN : summary_value(&d.screens, which);
}

double spar_results_decided_by(const spar_results *results, size_t policy, uint64_t rounds)
{
    if (!results)
        return NAN;
    size_t complete = 0, decided = 0;
    for (size_t r = 0; policy < results->n_policies && r < results->runs; r++) {
        const spar__run_numbers *run = complete_run(results, policy, r);
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
        const spar__run_numbers *run = complete_run(results, policy, r);
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
        const spar__run_numbers *run = complete_run(results, policy, r);
        complete += run != NULL;
        turns += run ? run->flips : 0;
    }
    struct turn *turn = spar__alloc(turns ? turns : 1, sizeof *turn);
    if (!turn)
        return SPAR_NOMEM;
    for (size_t r = 0; r < results->runs; r++) {
        const spar__run_numbers *run = complete_run(results, policy, r);
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
    uint64_t t;
    return !results || spar__results_identified(results, policy, &t) || !t ? (double)NAN : (double)t;
}
