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
    return (double)n_policies * (double)runs * (double)(sizeof(spar_run) + stride * sizeof(double));
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
    spar__free(results->note);
    spar__free(results->curves);
    spar__free(results->run);
    spar__free(results->checkpoint);
    spar__free(results);
}

spar_status spar_results_summary(const spar_results *results, size_t policy, size_t checkpoint, spar_summary *out)
{
    *out = (spar_summary){0};
    if (policy >= results->n_policies || checkpoint > results->n_checkpoints)
        return SPAR_INVALID;
    double *values = spar__alloc(results->runs, sizeof *values);
    if (!values)
        return SPAR_NOMEM;
    size_t n = 0;
    for (size_t r = 0; r < results->runs; r++) {
        const spar_run *run = &results->run[policy * results->runs + r];
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
        const spar_run *run = &results->run[policy * results->runs + r];
        out[r] = run->complete ? run->regret : NAN;
    }
}

spar_status spar_results_difference(const spar_results *results, size_t policy, size_t other, spar_difference *out)
{
    *out = (spar_difference){0};
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
