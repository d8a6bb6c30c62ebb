#include "sim/results.h"

#include "base/alloc.h"
#include "sim/stats.h"

#include <math.h>

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

/* The final regret of every run; NaN where it is not complete. */
static void final_regrets(const spar_results *results, size_t policy, double *out)
{
    for (size_t r = 0; r < results->runs; r++) {
        const spar__run_numbers *run = &results->run[policy * results->runs + r];
        out[r] = run->complete ? run->regret : NAN;
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

/* NULL for a run that is not complete or out of range. */
static const spar__run_numbers *complete_run(const spar_results *results, size_t policy, size_t run)
{
    if (policy >= results->n_policies || run >= results->runs)
        return NULL;
    const spar__run_numbers *numbers = &results->run[policy * results->runs + run];
    return numbers->complete ? numbers : NULL;
}

double spar_results_run(const spar_results *results, size_t policy, size_t run, spar_run_number number)
{
    if (!results)
        return NAN;
    const spar__run_numbers *r = complete_run(results, policy, run);
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
    if (!results)
        return NULL;
    const spar__run_numbers *numbers = complete_run(results, policy, run);
    return numbers ? numbers->curve : NULL;
}

double spar__summary_value(const spar__summary *s, spar_statistic which)
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
    if (!results)
        return NAN;
    spar__summary s;
    return spar__results_summary(results, policy, checkpoint, &s) ? (double)NAN : spar__summary_value(&s, which);
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
